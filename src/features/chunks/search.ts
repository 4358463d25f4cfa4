// Search over chunks: the sections and paragraphs nearest to a question, within limit, token budget and session.

import type { App } from "../../app.ts";
import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { condenseFor } from "./condense.ts";
import { beginningOf, openContents } from "./content.ts";
import { type ReadChunk, withContent } from "./read.ts";
import { type ChunkHit, embedQuery, retrieveAndShow, type Successor } from "./retrieve.ts";
import { hasShown, recordShown, requireSession } from "./session.ts";
import { findChunkByKey } from "./store.ts";
import { answerBudget, tokenBudget } from "./token-budget.ts";

export interface ChunkSearch {
  query: string;
  /** Only chunks that this session has not shown yet; what is returned is recorded in it. */
  sessionId?: string;
  maxTokens?: number;
  limit: number;
  detailLevel: "summary" | "full";
  documentId?: string;
  collectionId?: string;
}

/** A chunk with its whole or its condensed text, as the search asked for. */
export type FoundChunk = ReadChunk & { score: number };

type Reader = Pick<Store, "sql" | "tables">;

/** Chunks with at least the default score, best first. Throws `not-found` for a session that the caller does not have. */
export async function searchChunks(app: App, caller: Identity, search: ChunkSearch): Promise<FoundChunk[]> {
  const { store, clock } = app;
  const { query, sessionId, documentId, collectionId } = search;
  if (sessionId !== undefined) requireSession(store, caller, sessionId, clock.now());
  const filter = { userId: caller.userId, tags: [], documentId, collectionId };
  const show = (found: ChunkHit[], successorOf: Successor) => {
    const hits = found.filter(({ score }) => score >= LIMITS.search.defaultThreshold);
    if (sessionId === undefined) return takeChunks(store, hits, search, successorOf, () => false);
    // Choosing and recording are one write: two searches at a time in one session never show the same chunk.
    return store.write((write) => {
      requireSession(write, caller, sessionId, write.now);
      const chunks = takeChunks(write, hits, search, successorOf, (id) => hasShown(write, sessionId, id));
      for (const { id } of chunks) recordShown(write, sessionId, id);
      return chunks;
    });
  };
  return retrieveAndShow(app, await embedQuery(app, query), filter, show, sessionId);
}

function takeChunks(
  reader: Reader,
  hits: ChunkHit[],
  { query, limit, maxTokens, detailLevel }: ChunkSearch,
  successorOf: Successor,
  wasShown: (id: string) => boolean,
): FoundChunk[] {
  const contentOf = openContents(reader);
  const condense = condenseFor(query);
  const fitsTokens = tokenBudget(maxTokens ?? Number.POSITIVE_INFINITY);
  const fitsAnswer = answerBudget();
  const found: FoundChunk[] = [];
  for (const hit of hits) {
    if (found.length >= Math.min(limit, LIMITS.disclosure.results)) break;
    const chunk = findChunkByKey(reader, hit.chunkKey) ?? findChunkByKey(reader, successorOf(hit));
    // A document's own chunk is found by its title and has no text.
    if (!chunk || chunk.level === "document" || wasShown(chunk.id)) continue;
    const content = detailLevel === "full" ? contentOf(chunk) : condense(beginningOf(reader, chunk));
    const shown = { ...withContent(chunk, content), score: hit.score };
    if (!fitsTokens(shown) || !fitsAnswer(shown)) break;
    found.push(shown);
  }
  return found;
}
