// The group `documents` of a semantic search: the best chunk of each document, by similarity.

import type { App } from "../../app.ts";
import type { Filter } from "../../retrieval/filter.ts";
import { leadingSnippet } from "../../retrieval/snippet.ts";
import { type ChunkHit, type EmbeddedQuery, retrieveChunks } from "../chunks/retrieve.ts";
import { findHit } from "../chunks/store.ts";
import type { DocumentHit } from "./contract.ts";

/** The best chunk of every document with a score of at least `threshold`, best first. */
export async function rankDocuments(
  app: App,
  query: EmbeddedQuery,
  filter: Filter,
  threshold: number,
): Promise<ChunkHit[]> {
  const seen = new Set<string>();
  const hits = await retrieveChunks(app, query, filter);
  return hits.filter(
    ({ documentId, score }) => score >= threshold && !seen.has(documentId) && seen.add(documentId),
  );
}

/** What is shown of the first `limit` of them; a document that has just gone is left out. */
export function showDocuments(app: App, ranked: readonly ChunkHit[], limit: number): DocumentHit[] {
  const shown: DocumentHit[] = [];
  for (const { chunkKey, score, parts } of ranked) {
    if (shown.length >= limit) break;
    const row = findHit(app.store, chunkKey);
    if (!row) continue;
    const { documentId, title, tags, text, chunkId } = row;
    const explain = { chunkId, ...parts };
    shown.push({ documentId, title, tags, score, highlight: leadingSnippet(text), explain });
  }
  return shown;
}
