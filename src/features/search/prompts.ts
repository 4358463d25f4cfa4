// The group `prompts` of a literal search: the caller's prompts that contain the query as a substring.

import type { PromptFilter } from "../../retrieval/search/prompts.ts";
import type { RetrievalDeps } from "../chunks/retrieve.ts";
import { findHeading } from "../prompts/store.ts";

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

/** At most `limit` prompts that contain `query` in title, description or content, title matches first. */
export async function searchPromptsByText(
  { store, searchWorker }: Pick<RetrievalDeps, "store" | "searchWorker">,
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
