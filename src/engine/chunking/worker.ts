// The API of the chunking worker: text in, chunks out.

import type { SupervisedWorker } from "../../workers/supervisor.ts";
import { type ChunkDraft, chunkMarkdown } from "./tree.ts";

export type ChunkingApi = {
  chunk(input: { text: string }): ChunkDraft[];
};

/** The worker as its callers use it. */
export type ChunkingWorker = Pick<SupervisedWorker<ChunkingApi>, "call">;

/** The functions of the worker; see WorkerApi. */
export async function serveChunking(): Promise<ChunkingApi> {
  return { chunk: ({ text }) => chunkMarkdown(text) };
}
