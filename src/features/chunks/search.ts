// Search over chunks: the most similar sections and paragraphs, within limit, token budget and session.

import type { Identity } from "../../auth/identity.ts";
import type { TableReader } from "../../db/store.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Condition } from "../../kernel/search-syntax.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { openContents, startOf } from "./content.ts";
import { type ReadChunk, withContent } from "./read.ts";
import { type ChunkHit, embedQuery, type RetrievalDeps, retrieve, type Successor } from "./retrieve.ts";
import { requireSession } from "./sessions/session.ts";
import { insertReturned, wasReturned } from "./sessions/store.ts";
import { findChunkByKey } from "./store.ts";
import { summarizerFor } from "../../retrieval/search/summary.ts";
import { responseBudget, tokenBudget } from "../../kernel/budgets.ts";

/** A validated search request. */
export interface ChunkSearch {
  /** The query without its operators. */
  query: string;
  /** What its operators require. */
  conditions: readonly Condition[];
  /** Only chunks that this session has not returned yet; the results are recorded in it. */
  sessionId?: string;
  maxTokens?: number;
  limit: number;
  detailLevel: "summary" | "full";
  /** Minimum score, 0 to 1. */
  scoreThreshold: number;
  documentId?: string;
  collectionId?: string;
  /** Fires when nobody waits for the result any more. */
  cancelled?: AbortSignal;
  /** Resolves when the results may be read, which can take more than a moment. */
  takeTurn(): Promise<void>;
  /** A result as JSON, as it is sent: the response has a maximum size. */
  toJson(chunk: FoundChunk): string;
}

/** A chunk with its text or a summary, depending on `detailLevel`. */
type FoundChunk = ReadChunk & { score: number };

/** What a search over chunks needs. */
export interface ChunkSearchDeps extends RetrievalDeps {
  clock: Clock;
}

/**
 * Chunks with at least the score threshold as JSON, best first. Rejects with `not-found` for a session that the caller
 * does not have, and with the reason of `cancelled` if that fires before the scan.
 */
export async function searchChunks(
  deps: ChunkSearchDeps,
  caller: Identity,
  search: ChunkSearch,
): Promise<string[]> {
  const { store, clock } = deps;
  const { query, conditions, sessionId, scoreThreshold, documentId, collectionId } = search;
  if (sessionId !== undefined) requireSession(store, caller, { id: sessionId, now: clock.now() });
  const filter = { userId: caller.userId, tags: [], documentId, collectionId, conditions };
  const read = async (found: ChunkHit[], successorOf: Successor) => {
    const hits = found.filter(({ score }) => score >= scoreThreshold);
    await search.takeTurn();
    if (sessionId === undefined)
      return jsonOf(readHits(store, { hits, successorOf, isExcluded: () => false }, search));
    // Choosing and recording are one write, so that concurrent searches in one session never return the same chunk.
    return store.writeWhenFree((write) => {
      requireSession(write, caller, { id: sessionId, now: write.now });
      const isExcluded = (id: string) => wasReturned(write, sessionId, id);
      const chunks = readHits(write, { hits, successorOf, isExcluded }, search);
      for (const { id } of chunks) insertReturned(write, sessionId, id);
      return jsonOf(chunks);
    });
  };
  const embedded = await embedQuery(deps, query, filter);
  search.cancelled?.throwIfAborted();
  return retrieve(deps, { query: embedded, filter, sessionId }, read);
}

/** A result that is sent. */
interface Result {
  id: string;
  json: string;
}

const jsonOf = (results: Result[]): string[] => results.map(({ json }) => json);

/** Hits, best first, and what is needed to read their rows. */
interface Ranked {
  hits: ChunkHit[];
  successorOf: Successor;
  isExcluded(id: string): boolean;
}

function readHits(
  reader: TableReader,
  { hits, successorOf, isExcluded }: Ranked,
  { query, limit, maxTokens, detailLevel, toJson }: ChunkSearch,
): Result[] {
  const contentOf = openContents(reader);
  const summarize = summarizerFor(query);
  const fitsTokens = tokenBudget(maxTokens ?? Number.POSITIVE_INFINITY);
  const fitsResponse = responseBudget();
  const found: Result[] = [];
  for (const hit of hits) {
    if (found.length >= Math.min(limit, LIMITS.disclosure.results)) break;
    const chunk = findChunkByKey(reader, hit.chunkKey) ?? findChunkByKey(reader, successorOf(hit));
    // The chunk of a whole document matches by its title and is not returned.
    if (!chunk || chunk.level === "document" || isExcluded(chunk.id)) continue;
    const content = detailLevel === "full" ? contentOf(chunk) : summarize(startOf(reader, chunk));
    const json = toJson({ ...withContent(chunk, content), score: hit.score });
    if (!fitsTokens({ content }) || !fitsResponse(json)) break;
    found.push({ id: chunk.id, json });
  }
  return found;
}
