// The entry point of every worker thread. The first message names the API to serve; all others are calls of it.
// The build lists this file as an entrypoint, because a compiled executable finds workers only there.

import { serveRpc, type WorkerApi, type WorkerStart } from "./rpc.ts";

declare const self: Worker;

/** The APIs by role. Each module is imported on demand: the chunking worker must not load the model runtime. */
const APIS: Record<string, (options: never) => Promise<WorkerApi>> = {
  embedding: async (options) => (await import("../engine/embedding/worker.ts")).serveEmbedding(options),
  chunking: async () => (await import("../engine/chunking/worker.ts")).serveChunking(),
  extraction: async () => (await import("../engine/extraction/worker.ts")).serveExtraction(),
  answering: async () => (await import("../engine/answering/worker.ts")).serveAnswering(),
  checkpoint: async (options) => (await import("../db/checkpoint-worker.ts")).serveCheckpoints(options),
  search: async (options) => (await import("../retrieval/worker.ts")).serveSearch(options),
  maintenance: async () => (await import("../maintenance/worker.ts")).serveMaintenance(),
};

let serving: Promise<ReturnType<typeof serveRpc>> | undefined;

self.onmessage = async ({ data }: MessageEvent) => {
  if (!serving) {
    const { role, options } = data as WorkerStart;
    const open = APIS[role];
    if (!open) throw new Error(`there is no worker API named ${role}`);
    serving = open(options as never).then(serveRpc);
    return;
  }
  const serve = await serving;
  await serve(data);
};
