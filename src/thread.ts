// The one entry of every worker thread. The first message names the role; the room of that role serves the rest.
// A separate file beside main.ts, because a compiled binary finds a worker only as an entrypoint of its own.

import type { ThreadApi, ThreadStart } from "./kernel/thread.ts";
import { serveThread } from "./kernel/thread.ts";

declare const self: Worker;

/** Each role imports its room only when it is asked for: the chunker's thread must not load the model runtime. */
const ROLES: Record<string, (options: never) => Promise<ThreadApi>> = {
  embed: async (options) => (await import("./engine/embedding/thread.ts")).serveEmbedding(options),
  chunk: async () => (await import("./engine/chunking/thread.ts")).serveChunking(),
  extract: async () => (await import("./engine/extraction/thread.ts")).serveExtraction(),
  answer: async () => (await import("./engine/answering/thread.ts")).serveAnswering(),
  scan: async (options) => (await import("./retrieval/scan-thread.ts")).serveScans(options),
};

let serve: Promise<ReturnType<typeof serveThread>> | undefined;

self.onmessage = async ({ data }: MessageEvent) => {
  if (!serve) {
    const { role, options } = data as ThreadStart;
    serve = ROLES[role]!(options as never).then(serveThread);
    return;
  }
  const answer = await serve;
  await answer(data);
};
