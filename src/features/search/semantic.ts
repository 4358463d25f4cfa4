// The group `documents` of a semantic search: the best chunk of each document, by similarity.

import type { Store } from "../../db/store.ts";
import { leadingSnippet } from "../../retrieval/snippet.ts";
import type { ChunkHit, Successor } from "../chunks/retrieve.ts";
import { findHit } from "../chunks/store.ts";
import type { DocumentHit } from "./contract.ts";

/** The best hit of each document with a score of at least `threshold`; `hits` are sorted best first. */
export function rankDocuments(hits: readonly ChunkHit[], threshold: number): ChunkHit[] {
  const seen = new Set<string>();
  return hits.filter(
    ({ documentId, score }) => score >= threshold && !seen.has(documentId) && seen.add(documentId),
  );
}

/** The first `limit` of `ranked` as search results, without documents that were deleted in between. */
export function readDocuments(
  store: Store,
  ranked: readonly ChunkHit[],
  { limit, successorOf }: { limit: number; successorOf: Successor },
): DocumentHit[] {
  const results: DocumentHit[] = [];
  for (const hit of ranked) {
    if (results.length >= limit) break;
    const row = findHit(store, hit.chunkKey) ?? findHit(store, successorOf(hit));
    if (!row) continue;
    const { documentId, title, tags, text, chunkId } = row;
    const explain = { chunkId, ...hit.parts };
    results.push({ documentId, title, tags, score: hit.score, highlight: leadingSnippet(text), explain });
  }
  return results;
}
