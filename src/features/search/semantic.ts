// Semantic search over documents: the best chunk of each, by calibrated similarity.

import type { App } from "../../app.ts";
import type { Filter } from "../../retrieval/filter.ts";
import { leadingSnippet } from "../../retrieval/snippet.ts";
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
  const vectors = await app.spaces.embedQuery(query);
  const found = await app.scans.call.dense({
    vectors: vectors.map(({ spaceId, vector }) => ({ spaceId, vector })),
    filter,
  });
  const scoreIn = new Map(vectors.map(({ spaceId, score }) => [spaceId, score]));
  const best = new Map<string, { chunkKey: number; score: number }>();
  for (const { documentId, chunkKey, spaceId, cosine } of found) {
    const score = scoreIn.get(spaceId)!(cosine);
    if (score >= threshold && score > (best.get(documentId)?.score ?? -1))
      best.set(documentId, { chunkKey, score });
  }
  const ranked = [...best.values()].sort((a, b) => b.score - a.score || a.chunkKey - b.chunkKey);
  const hits: DocumentHit[] = [];
  for (const { chunkKey, score } of ranked) {
    if (hits.length >= limit) break;
    const row = findHit(app.store, chunkKey);
    if (!row) continue;
    const { documentId, title, tags, text } = row;
    hits.push({ documentId, title, tags, score, highlight: leadingSnippet(text) });
  }
  return hits;
}
