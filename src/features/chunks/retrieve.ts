// Retrieval of ranked chunks for a query, used by search, progressive disclosure and cited answers. Callers apply
// thresholds and limits.

import type { Store } from "../../db/store.ts";
import type { Filter } from "../../retrieval/search/filter.ts";
import { liveGeneration } from "../../retrieval/generations/generations.ts";
import type { ChunkMatch, HybridQuery } from "../../retrieval/search/hybrid.ts";
import { unpackMatches } from "../../retrieval/search/packed-matches.ts";
import type { Spaces } from "../../retrieval/generations/spaces.ts";
import type { SearchWorker } from "../../retrieval/search/worker.ts";

/** What retrieval needs. */
export interface RetrievalDeps {
  store: Store;
  spaces: Spaces;
  searchWorker: SearchWorker;
}

/** A matching chunk with its score from 0 to 1 and the parts of the score. */
export type ChunkHit = ChunkMatch;

/** A query and its vectors, computed once for all groups that are searched with it. */
export type EmbeddedQuery = HybridQuery;

/**
 * Embeds a query. The search with this filter is prepared at the same time. Rejects with Failure("unavailable") while
 * the model cannot be used.
 */
export async function embedQuery(
  { spaces, searchWorker }: Pick<RetrievalDeps, "spaces" | "searchWorker">,
  text: string,
  filter: Filter,
): Promise<EmbeddedQuery> {
  const isCached = spaces.hasQuery(text);
  const vectors = spaces.embedQuery(text);
  // If this fails, so does the search, which reports it.
  if (!isCached) searchWorker.call.prepare({ text, filter }).catch(() => {});
  return { text, vectors: await vectors };
}

/** A search over chunks. */
export interface ChunkQuery {
  query: EmbeddedQuery;
  filter: Filter;
  /** The chunks that this search session has returned are excluded before candidates are chosen. */
  sessionId?: string;
}

/** Maximum number of times that a search is repeated because a document was reindexed between ranking and reading. */
const MAX_REPEATS = 2;

class Reindexed extends Error {}

/** Returns the key of the chunk that replaced a deleted one; undefined if there is none. */
export type Successor = (hit: ChunkHit) => number | undefined;

/**
 * Retrieves the matching chunks, best first, and calls `read` to load their rows. `read` calls `successorOf` for hits
 * whose row is gone: this repeats the search, and after MAX_REPEATS returns the chunk at the same position of the new
 * text. Rejects with Failure("unavailable") while the search worker cannot be used.
 */
export async function retrieve<Result>(
  { store, searchWorker }: Pick<RetrievalDeps, "store" | "searchWorker">,
  search: ChunkQuery,
  read: (hits: ChunkHit[], successorOf: Successor) => Result | Promise<Result>,
): Promise<Result> {
  for (let repeatsLeft = MAX_REPEATS; ; repeatsLeft--) {
    const hits = unpackMatches(await searchWorker.call.chunks(search));
    try {
      return await read(hits, ({ documentId, position }) => {
        const live = liveGeneration(store, documentId);
        if (live && repeatsLeft > 0) throw new Reindexed();
        return live && live.firstChunk + Math.min(position, live.chunkCount - 1);
      });
    } catch (error) {
      if (!(error instanceof Reindexed)) throw error;
    }
  }
}
