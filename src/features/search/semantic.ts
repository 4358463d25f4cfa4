// Semantic search over documents: the best chunk of each, by calibrated similarity.

import type { App } from "../../app.ts";
import type { Filter } from "../../retrieval/filter.ts";
import { leadingSnippet } from "../../retrieval/snippet.ts";
import { retrieveChunks } from "../chunks/retrieve.ts";
import { findHit } from "../chunks/store.ts";
import type { DocumentHit } from "./contract.ts";

/** At most `limit` documents with a score of at least `threshold`, best first. */
export async function searchBySimilarity(
  app: App,
  query: string,
  filter: Filter,
  limit: number,
  threshold: number,
): Promise<DocumentHit[]> {
  const found = await retrieveChunks(app, query, filter);
  const hits: DocumentHit[] = [];
  const seen = new Set<string>();
  for (const { chunkKey, documentId, score } of found) {
    if (hits.length >= limit) break;
    if (score < threshold || seen.has(documentId)) continue;
    const row = findHit(app.store, chunkKey);
    if (!row) continue;
    seen.add(documentId);
    const { title, tags, text } = row;
    hits.push({ documentId, title, tags, score, highlight: leadingSnippet(text) });
  }
  return hits;
}
