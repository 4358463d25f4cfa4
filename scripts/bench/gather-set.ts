// Gathers the evidence for the questions of a set in this process, as the server does.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApp, type Replacements } from "../../src/app.ts";
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
import type { FoundEvidence } from "../../src/retrieval/search/evidence.ts";
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
  const documents = [...set.documents].map(([name, content]) => ({ name, title: titleOf(content), content }));
  return withDocuments(documents, { embedder: { ...embedder, close: async () => {} } }, async (stored) => {
    const cases: GatheredCase[] = [];
    for (const one of set.cases) {
      const gathered = await stored.gather(one.question);
      const parts = prepare(gathered);
      cases.push({ set: set.name, one, evidence: gathered.evidence, parts, names: stored.names });
    }
    return cases;
  });
}

interface NamedDocument {
  name: string;
  title: string;
  content: string;
  tags?: readonly string[];
}

interface StoredDocuments {
  /** By document id. */
  names: ReadonlyMap<string, string>;
  /** The evidence for a question in all documents, or in those with a tag. */
  gather(question: string, tag?: string): Promise<FoundEvidence>;
}

/** Calls `use` with documents that are stored in a temporary database, which is deleted afterwards. */
export async function withDocuments<Result>(
  documents: readonly NamedDocument[],
  replacements: Replacements,
  use: (stored: StoredDocuments) => Promise<Result>,
): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), "ctxrepo-answering-"));
  const unlimited = { rateLimitRead: "0", rateLimitWrite: "0" };
  const languages = replacements.secondEmbedder ? "all" : "auto";
  const settings = readSettings({ dataDir, port: "0", logLevel: "error", languages, ...unlimited }, {});
  const app = openApp(settings, replacements);
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
    for (const { name, ...document } of documents) {
      const response = await fetch(`${server.url}/v1/documents`, {
        method: "POST",
        headers: {
          "User-Agent": "ctxrepo-scripts/1.0",
          Authorization: `API-Key ${user.key}`,
          "Content-Type": "application/json",
        },
        body: JSON.stringify(document),
      });
      const { data } = (await response.json()) as { data: { id: string } };
      names.set(data.id, name);
    }
    await app.jobs.idle();
    const gather: StoredDocuments["gather"] = (question, tag) =>
      gatherEvidence(app, user.userId, {
        parts: partsOf(question),
        limit: LIMITS.reason.defaultLimit,
        ...(tag !== undefined && { tags: [tag] }),
      });
    return await use({ names, gather });
  } finally {
    await server.stop(0);
    await app.close();
    rmSync(dataDir, { recursive: true });
  }
}
