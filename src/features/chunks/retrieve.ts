// Retrieval: the one way from a question to chunks. Search over documents, disclosure and cited answers all go through it;
// it ranks, and leaves thresholds, limits and what to show to them.

import type { App } from "../../app.ts";
import type { Filter } from "../../retrieval/filter.ts";
import type { Spaces } from "../../retrieval/spaces.ts";

export interface ChunkHit {
  chunkKey: number;
  documentId: string;
  /** Calibrated similarity, 0 to 1. */
  score: number;
}

/** A question on its way: embedded once, for every group that is searched with it. */
export interface EmbeddedQuery {
  text: string;
  vectors: Awaited<ReturnType<Spaces["embedQuery"]>>;
}

export async function embedQuery({ spaces }: App, text: string): Promise<EmbeddedQuery> {
  return { text, vectors: await spaces.embedQuery(text) };
}

/** Chunks near to the query among those the filter lets through, best first; each chunk once. */
export async function retrieveChunks(
  app: App,
  { vectors }: EmbeddedQuery,
  filter: Filter,
): Promise<ChunkHit[]> {
  const found = await app.scans.call.dense({
    vectors: vectors.map(({ spaceId, vector }) => ({ spaceId, vector })),
    filter,
  });
  const scoreIn = new Map(vectors.map(({ spaceId, score }) => [spaceId, score]));
  return found
    .map(({ chunkKey, documentId, spaceId, cosine }) => ({
      chunkKey,
      documentId,
      score: scoreIn.get(spaceId)!(cosine),
    }))
    .sort((a, b) => b.score - a.score || a.chunkKey - b.chunkKey);
}
