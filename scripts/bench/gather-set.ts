// Gathers the evidence for the questions of a set in this process, as the server does.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApp } from "../../src/app.ts";
import { createKey } from "../../src/auth/keys.ts";
import { ensureUser } from "../../src/auth/users.ts";
import { readSettings } from "../../src/base/config.ts";
import type { Embedder } from "../../src/engine/embedding/embedder.ts";
import { partsOf } from "../../src/engine/answers/1-question/question.ts";
import type { Evidence } from "../../src/engine/answers/2-passages/passages.ts";
import { type PreparedPart, prepare } from "../../src/engine/answers/3-rank/rank.ts";
import { gatherEvidence } from "../../src/features/reason/gather.ts";
import { startJobs } from "../../src/job-handlers.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { serve } from "../../src/server.ts";
import { type QuestionSet, type ReasonCase, titleOf } from "./reason-cases.ts";

/** A question with its evidence. */
export interface GatheredCase {
  set: string;
  one: ReasonCase;
  evidence: readonly Evidence[];
  parts: readonly PreparedPart[];
  /** File names by document id. */
  names: ReadonlyMap<string, string>;
}

/** Stores the documents of a set in a temporary database and gathers evidence for its questions. */
export async function gatherSet(set: QuestionSet, embedder: Embedder): Promise<GatheredCase[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "ctxrepo-answering-"));
  const unlimited = { rateLimitRead: "0", rateLimitWrite: "0" };
  const settings = readSettings({ dataDir, port: "0", logLevel: "error", ...unlimited }, {});
  const app = openApp(settings, { embedder: { ...embedder, close: async () => {} } });
  const server = serve(app);
  startJobs(app);
  try {
    const user = app.store.write((write) => {
      const owner = ensureUser(write, "owner@localhost");
      return {
        userId: owner.id,
        key: createKey(write, owner, { name: null, scopes: ["documents.write"] }).key,
      };
    });
    const names = new Map<string, string>();
    for (const [name, content] of set.documents) {
      const response = await fetch(`${server.url}/v1/documents`, {
        method: "POST",
        headers: {
          "User-Agent": "ctxrepo-scripts/1.0",
          Authorization: `API-Key ${user.key}`,
          "Content-Type": "application/json",
        },
        body: JSON.stringify({ title: titleOf(content), content }),
      });
      const { data } = (await response.json()) as { data: { id: string } };
      names.set(data.id, name);
    }
    await app.jobs.idle();
    const cases: GatheredCase[] = [];
    for (const one of set.cases) {
      const query = one.question;
      const gathered = await gatherEvidence(app, user.userId, {
        parts: partsOf(query),
        limit: LIMITS.reason.defaultLimit,
      });
      const parts = prepare(gathered);
      cases.push({ set: set.name, one, evidence: gathered.evidence, parts, names });
    }
    return cases;
  } finally {
    await server.stop(0);
    await app.close();
    rmSync(dataDir, { recursive: true });
  }
}
