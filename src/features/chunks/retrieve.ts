// Retrieval: the one way from a question to chunks. Search over documents, disclosure and cited answers all go through it;
// it ranks, and leaves thresholds, limits and what to show to them.

import type { App } from "../../app.ts";
import type { Filter } from "../../retrieval/filter.ts";
import { liveGeneration } from "../../retrieval/generations.ts";
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
function retrieveChunks(
  app: App,
  query: EmbeddedQuery,
  filter: Filter,
  sessionId?: string,
): Promise<ChunkHit[]> {
  return app.scans.call.chunks({ query, filter, sessionId });
}

/** A document whose chunks were replaced between ranking and reading is looked for again, so often. */
const MAX_AGAIN = 2;

class Replaced extends Error {}

/** For a hit whose row is not there any more: the key of the chunk that stands in its place; undefined where there is none. */
export type Successor = (hit: ChunkHit) => number | undefined;

/**
 * Retrieves chunks and lets `show` read their rows, telling it of a chunk's successor where its document was indexed anew in
 * between. All is done again then; a document that changes faster than that is shown at the same place of its new text.
 */
export async function retrieveAndShow<Shown>(
  app: App,
  query: EmbeddedQuery,
  filter: Filter,
  show: (hits: ChunkHit[], successorOf: Successor) => Shown,
  sessionId?: string,
): Promise<Shown> {
  for (let again = MAX_AGAIN; ; again--) {
    const hits = await retrieveChunks(app, query, filter, sessionId);
    try {
      return show(hits, ({ documentId, position }) => {
        const live = liveGeneration(app.store, documentId);
        if (live && again > 0) throw new Replaced();
        return live && live.firstChunk + Math.min(position, live.chunkCount - 1);
      });
    } catch (error) {
      if (!(error instanceof Replaced)) throw error;
    }
  }
}
