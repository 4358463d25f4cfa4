// Search over chunks: the sections and paragraphs nearest to a question, within limit, token budget and session.

import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import type { Clock } from "../../kernel/clock.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { beginningOf, openContents } from "./content.ts";
import { type ReadChunk, withContent } from "./read.ts";
import { type ChunkHit, embedQuery, type RetrievalDeps, retrieve, type Successor } from "./retrieve.ts";
import { requireSession } from "./session.ts";
import { hasShown, insertShown } from "./sessions/store.ts";
import { findChunkByKey } from "./store.ts";
import { summarizerFor } from "./summary.ts";
import { answerBudget, tokenBudget } from "./token-budget.ts";

export interface ChunkSearch {
  query: string;
  /** Only chunks that this session has not shown yet; what is returned is recorded in it. */
  sessionId?: string;
  maxTokens?: number;
  limit: number;
  detailLevel: "summary" | "full";
  /** The lowest score to return, 0 to 1. */
  scoreThreshold: number;
  documentId?: string;
  collectionId?: string;
}

/** A chunk with its whole text or a summary, as the search asked for. */
export type FoundChunk = ReadChunk & { score: number };

type Reader = Pick<Store, "tables">;

/** What a search over chunks needs. */
export interface ChunkSearchDeps extends RetrievalDeps {
  clock: Clock;
}

/** Chunks with at least the score threshold, best first. Throws `not-found` for a session that the caller does not have. */
export async function searchChunks(
  deps: ChunkSearchDeps,
  caller: Identity,
  search: ChunkSearch,
): Promise<FoundChunk[]> {
  const { store, clock } = deps;
  const { query, sessionId, scoreThreshold, documentId, collectionId } = search;
  if (sessionId !== undefined) requireSession(store, caller, { id: sessionId, now: clock.now() });
  const filter = { userId: caller.userId, tags: [], documentId, collectionId };
  const show = (found: ChunkHit[], successorOf: Successor) => {
    const hits = found.filter(({ score }) => score >= scoreThreshold);
    if (sessionId === undefined)
      return takeChunks(store, { hits, successorOf, wasShown: () => false }, search);
    // Choosing and recording are one write: two searches at a time in one session never show the same chunk.
    return store.write((write) => {
      requireSession(write, caller, { id: sessionId, now: write.now });
      const wasShown = (id: string) => hasShown(write, sessionId, id);
      const chunks = takeChunks(write, { hits, successorOf, wasShown }, search);
      for (const { id } of chunks) insertShown(write, sessionId, id);
      return chunks;
    });
  };
  return retrieve(deps, { query: await embedQuery(deps, query), filter, sessionId }, show);
}

interface Ranked {
  hits: ChunkHit[];
  successorOf: Successor;
  wasShown(id: string): boolean;
}

function takeChunks(
  reader: Reader,
  { hits, successorOf, wasShown }: Ranked,
  { query, limit, maxTokens, detailLevel }: ChunkSearch,
): FoundChunk[] {
  const contentOf = openContents(reader);
  const summarize = summarizerFor(query);
  const fitsTokens = tokenBudget(maxTokens ?? Number.POSITIVE_INFINITY);
  const fitsAnswer = answerBudget();
  const found: FoundChunk[] = [];
  for (const hit of hits) {
    if (found.length >= Math.min(limit, LIMITS.disclosure.results)) break;
    const chunk = findChunkByKey(reader, hit.chunkKey) ?? findChunkByKey(reader, successorOf(hit));
    // A document's own chunk is found by its title and has no text.
    if (!chunk || chunk.level === "document" || wasShown(chunk.id)) continue;
    const content = detailLevel === "full" ? contentOf(chunk) : summarize(beginningOf(reader, chunk));
    const shown = { ...withContent(chunk, content), score: hit.score };
    if (!fitsTokens(shown) || !fitsAnswer(shown)) break;
    found.push(shown);
  }
  return found;
}
