// The entry point of every worker thread. The first message names the API to serve; all others are calls of it.
// The build lists this file as an entrypoint, because a compiled executable finds workers only there.

import { sendStartFailure, serveRpc, type WorkerApi, type WorkerStart } from "./rpc.ts";

declare const self: Worker;

/** The APIs by role. Each module is imported on demand: the chunking worker must not load the model runtime. */
const APIS: Record<string, (options: never) => Promise<WorkerApi>> = {
  embedding: async (options) => (await import("../engine/embedding/worker.ts")).serveEmbedding(options),
  chunking: async () => (await import("../engine/chunking/worker.ts")).serveChunking(),
  extraction: async () => (await import("../engine/extraction/worker.ts")).serveExtraction(),
  answering: async (options) => (await import("../engine/answers/worker.ts")).serveAnswering(options),
  bodies: async () => (await import("../body-thread.ts")).serveBodies(),
  checkpoint: async (options) => (await import("../db/checkpoint-worker.ts")).serveCheckpoints(options),
  language: async () => (await import("../engine/language/worker.ts")).serveLanguage(),
  search: async (options) => (await import("../retrieval/search/worker.ts")).serveSearch(options),
  maintenance: async () => (await import("../maintenance/worker.ts")).serveMaintenance(),
};

/** Undefined before the first message; resolves with undefined if the API could not be opened. */
let serving: Promise<ReturnType<typeof serveRpc> | undefined> | undefined;

self.onmessage = async ({ data }: MessageEvent) => {
  if (!serving) {
    serving = start(data);
    return;
  }
  const serve = await serving;
  await serve?.(data);
};

async function start(message: WorkerStart): Promise<ReturnType<typeof serveRpc> | undefined> {
  const { role, options } = message;
  try {
    const open = APIS[role];
    if (!open) throw new Error("there is no such API");
    return serveRpc(await open(options as never));
  } catch (error) {
    sendStartFailure(message, error);
    return undefined;
  }
}
