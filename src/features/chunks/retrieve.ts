// Retrieval: the one way from a question to chunks. Search over documents, disclosure and cited answers all go through it;
// it ranks, and leaves thresholds, limits and what to show to them.

import type { App } from "../../app.ts";
import type { Filter } from "../../retrieval/filter.ts";
import type { ChunkMatch, HybridQuery } from "../../retrieval/hybrid.ts";

/** A chunk, its similarity from 0 to 1 and the parts of that. */
export type ChunkHit = ChunkMatch;

/** A question on its way: embedded once, for every group that is searched with it. */
export type EmbeddedQuery = HybridQuery;

export async function embedQuery({ spaces }: App, text: string): Promise<EmbeddedQuery> {
  return { text, vectors: await spaces.embedQuery(text) };
}

/**
 * Chunks that answer to the query among those the filter lets through, best first; each chunk once. Those that the search
 * session `sessionId` has shown are left out before candidates are chosen.
 */
export function retrieveChunks(
  app: App,
  query: EmbeddedQuery,
  filter: Filter,
  sessionId?: string,
): Promise<ChunkHit[]> {
  return app.scans.call.chunks({ query, filter, sessionId });
}
