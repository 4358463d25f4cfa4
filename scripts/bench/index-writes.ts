// How long the writes of indexing lock the database: a large document is indexed in this process by the program's own
// job, with an embedder that returns prepared vectors.

import { openApp } from "../../src/app.ts";
import { createKey } from "../../src/auth/keys.ts";
import { ensureUser, LOCAL_OWNER } from "../../src/auth/users.ts";
import { readSettings } from "../../src/base/config.ts";
import type { Embedder } from "../../src/engine/embedding/embedder.ts";
import { startJobs } from "../../src/job-handlers.ts";
import { serve } from "../../src/server.ts";
import type { Bench } from "./bench.ts";
import { clientOf } from "./child-server.ts";
import { randomUnitVectors } from "./random.ts";

const PARAGRAPHS = 3_000;

/** The duration of every write transaction while one document of 3,000 paragraphs is indexed, ms. */
export async function indexWriteDurations(bench: Bench): Promise<number[]> {
  const dataDir = bench.folder();
  const app = openApp(readSettings({ dataDir, port: "0", logLevel: "warn" }, {}), {
    embedder: freeEmbedder(),
  });
  const server = serve(app);
  const { key } = app.store.write((write) =>
    createKey(write, ensureUser(write, LOCAL_OWNER), { name: null, scopes: ["documents.write"] }),
  );
  const content = Array.from(
    { length: PARAGRAPHS },
    (_, index) => `Paragraph ${index} describes subject ${index % 97} and its consequences, at some length.`,
  ).join("\n\n");
  await clientOf(server, key)("POST", "/v1/documents", { title: "Large", content });

  const durations: number[] = [];
  const write = app.store.write.bind(app.store);
  const timedWrite: typeof write = (action) => {
    const startedAt = performance.now();
    try {
      return write(action);
    } finally {
      durations.push(performance.now() - startedAt);
    }
  };
  app.store.write = timedWrite;
  startJobs(app);
  await app.jobs.idle();
  await server.stop(0);
  await app.close();
  bench.discard(dataDir);
  if (durations.length < PARAGRAPHS / 256) throw new Error("the large document was not indexed in slices");
  return durations;
}

/** Returns an arbitrary unit vector for every text. */
function freeEmbedder(): Embedder {
  const vectors = randomUnitVectors(64);
  let next = 0;
  const vector = () => vectors[next++ % vectors.length]!;
  return {
    describe: async () => ({
      name: "free",
      revision: "free",
      dimension: 1536,
      directory: "",
      calibration: { points: [] },
    }),
    hasQuery: () => false,
    embedQuery: async () => vector(),
    embedPassages: async (passages) => ({ windows: passages.map(() => [vector()]), tokens: 0 }),
    state: () => "ok",
    problem: () => undefined,
    usage: () => ({ queries: 0, passages: 0, tokens: 0, busyMs: 0, waitingCalls: 0 }),
    close: async () => {},
  };
}
