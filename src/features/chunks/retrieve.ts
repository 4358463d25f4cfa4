// Retrieval of chunks for a question, used by search, progressive disclosure and cited answers. It ranks; thresholds, limits
// and the choice of what to return are up to the caller.

import type { Store } from "../../db/store.ts";
import type { Filter } from "../../retrieval/filter.ts";
import { liveGeneration } from "../../retrieval/generations.ts";
import type { ChunkMatch, HybridQuery } from "../../retrieval/hybrid.ts";
import type { Spaces } from "../../retrieval/spaces.ts";
import type { SearchWorker } from "../../retrieval/worker.ts";

/** What retrieval needs. */
export interface RetrievalDeps {
  store: Store;
  spaces: Spaces;
  searchWorker: SearchWorker;
}

/** A chunk, its similarity from 0 to 1 and the parts of that. */
export type ChunkHit = ChunkMatch;

/** A question, embedded once for all groups that are searched with it. */
export type EmbeddedQuery = HybridQuery;

/** Embeds a question. Rejects with Failure("unavailable") while the model cannot be used. */
export async function embedQuery(
  { spaces }: Pick<RetrievalDeps, "spaces">,
  text: string,
): Promise<EmbeddedQuery> {
  return { text, vectors: await spaces.embedQuery(text) };
}

/** A search over chunks. */
export interface ChunkQuery {
  query: EmbeddedQuery;
  filter: Filter;
  /** Chunks that this search session has returned are left out before candidates are chosen. */
  sessionId?: string;
}

/** How often a search is repeated because a document was reindexed between ranking and reading. */
const MAX_REPEATS = 2;

class Reindexed extends Error {}

/** For a hit whose row was deleted: the key of the chunk that replaced it; undefined if there is none. */
export type Successor = (hit: ChunkHit) => number | undefined;

/**
 * Retrieves the chunks that match, best first, and lets `read` load their rows. If a document was reindexed in between, the
 * search is repeated; after that, `successorOf` returns the chunk at the same position of the new text.
 */
export async function retrieve<Result>(
  { store, searchWorker }: Pick<RetrievalDeps, "store" | "searchWorker">,
  search: ChunkQuery,
  read: (hits: ChunkHit[], successorOf: Successor) => Result,
): Promise<Result> {
  for (let repeatsLeft = MAX_REPEATS; ; repeatsLeft--) {
    const hits = await searchWorker.call.chunks(search);
    try {
      return read(hits, ({ documentId, position }) => {
        const live = liveGeneration(store, documentId);
        if (live && repeatsLeft > 0) throw new Reindexed();
        return live && live.firstChunk + Math.min(position, live.chunkCount - 1);
      });
    } catch (error) {
      if (!(error instanceof Reindexed)) throw error;
    }
  }
}
