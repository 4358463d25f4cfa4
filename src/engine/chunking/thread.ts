// What the chunking thread offers. It knows no document and no storage: text in, chunks out.

import { type ChunkDraft, chunkMarkdown } from "./tree.ts";

/** The functions of the chunking thread; see ThreadApi. */
export async function serveChunking(): Promise<{ chunk(input: { text: string }): ChunkDraft[] }> {
  return { chunk: ({ text }) => chunkMarkdown(text) };
}
