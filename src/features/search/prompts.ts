// The group `prompts` of GET /v1/search: the caller's prompts, by similarity or by text.

import type { PromptFilter } from "../../retrieval/prompts.ts";
import type { EmbeddedQuery, RetrievalDeps } from "../chunks/retrieve.ts";
import { findHeading } from "../prompts/store.ts";

type Lookup = Pick<RetrievalDeps, "store" | "searchWorker">;

/** A matching prompt. */
export interface PromptHit {
  promptId: string;
  title: string;
  description: string;
  tags: string[];
  /** Calibrated similarity, 0 to 1; semantic search only. */
  score?: number;
  /** Cosine similarity of query and prompt; semantic search only. */
  cosine?: number;
}

/** At most `limit` prompts with a score of at least `threshold`, best first. */
export async function searchPromptsBySimilarity(
  { store, searchWorker }: Lookup,
  search: { query: EmbeddedQuery; filter: PromptFilter },
  { limit, threshold }: { limit: number; threshold: number },
): Promise<PromptHit[]> {
  const hits: PromptHit[] = [];
  for (const { promptId, score, cosine } of await searchWorker.call.prompts(search)) {
    if (hits.length >= limit || score < threshold) break;
    const heading = findHeading(store, promptId);
    if (!heading) continue;
    const { title, description, tags } = heading;
    hits.push({ promptId, title, description, tags, score, cosine });
  }
  return hits;
}

/** At most `limit` prompts that contain `query` in title, description or content, title matches first. */
export async function searchPromptsByText(
  { store, searchWorker }: Lookup,
  search: { query: string; filter: PromptFilter; limit: number },
): Promise<PromptHit[]> {
  const ids = await searchWorker.call.promptTexts(search);
  return ids.flatMap((promptId) => {
    const heading = findHeading(store, promptId);
    if (!heading) return [];
    const { title, description, tags } = heading;
    return [{ promptId, title, description, tags }];
  });
}
