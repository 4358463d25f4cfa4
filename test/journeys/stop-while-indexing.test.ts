// The server stops while a text is being embedded: it does not wait for that, and the job is queued again without
// counting.

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { openLocalStore } from "../../src/app.ts";
import { countJobs } from "../../src/jobs/queue.ts";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { makeTempDir, startServer } from "../helpers/start.ts";

const LONG_TEXT = Array.from({ length: 200 }, (_, i) => `Paragraph ${i} is one of many.`).join("\n\n");

test("documents and prompts whose embedding is under way stay queued", async () => {
  const dir = makeTempDir();
  const embedder = fakeEmbedder();
  let calls = 0;
  const stuck = Promise.withResolvers<void>();
  embedder.embedPassages = () => {
    if (++calls === 3) stuck.resolve();
    return new Promise(() => {});
  };
  const started = startServer({ dataDir: dir, embedder });
  await started.client("POST", "/v1/documents", { title: "Short", content: "A short text." });
  await started.client("POST", "/v1/documents", { title: "Long", content: LONG_TEXT });
  await started.client("POST", "/v1/prompts", { title: "Prompt", description: "d", content: "A prompt." });
  await stuck.promise;
  await started.stop();
  const store = openLocalStore(dir);
  expect(countJobs(store)).toMatchObject({ running: 0, failed: 0 });
  expect(
    store.sql
      .query("SELECT subject FROM jobs WHERE kind LIKE '%.index' AND attempts = 0 AND crashes = 0")
      .all(),
  ).toHaveLength(3);
  store.close();
  rmSync(dir, { recursive: true });
});
