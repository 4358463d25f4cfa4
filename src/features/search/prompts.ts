// The group `prompts` of GET /v1/search: the caller's own prompts, by meaning or by text.

import type { App } from "../../app.ts";
import { createCalibration } from "../../engine/embedding/calibration.ts";
import type { PromptFilter } from "../../retrieval/prompts.ts";
import type { EmbeddedIn } from "../../retrieval/spaces.ts";
import { findHeading } from "../prompts/store.ts";
import type { PromptHitOnWire } from "./contract.ts";

export interface PromptHit {
  promptId: string;
  title: string;
  description: string;
  tags: string[];
  /** Calibrated similarity, 0 to 1; semantic only. */
  score?: number;
  /** Of the question and the prompt; semantic only. */
  cosine?: number;
}

/** A row of the group; it also carries the generic `id` and `type`. */
export function promptHitToWire({ cosine, ...hit }: PromptHit, explained: boolean): PromptHitOnWire {
  const explain = explained && cosine !== undefined && { explain: { cosine } };
  return { id: hit.promptId, type: "prompt", ...hit, ...explain };
}

/** At most `limit` prompts with a score of at least `threshold`, best first. `vectors` is the query, embedded once. */
export async function searchPromptsBySimilarity(
  app: App,
  vectors: readonly EmbeddedIn[],
  filter: PromptFilter,
  limit: number,
  threshold: number,
): Promise<PromptHit[]> {
  const found = await app.scans.call.promptVectors({
    vectors: vectors.map(({ spaceId, vector }) => ({ spaceId, vector })),
    filter,
  });
  const scoreIn = new Map(
    vectors.map(({ spaceId, calibration }) => [spaceId, createCalibration(calibration.points)]),
  );
  const ranked = found
    .map(({ promptId, spaceId, cosine }) => ({ promptId, cosine, score: scoreIn.get(spaceId)!(cosine) }))
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score || (a.promptId < b.promptId ? -1 : 1));
  const hits: PromptHit[] = [];
  for (const { promptId, score, cosine } of ranked) {
    if (hits.length >= limit) break;
    const heading = findHeading(app.store, promptId);
    if (!heading) continue;
    const { title, description, tags } = heading;
    hits.push({ promptId, title, description, tags, score, cosine });
  }
  return hits;
}

/** At most `limit` prompts that hold `query` in title, description or content, title matches first. */
export async function searchPromptsByText(
  app: App,
  query: string,
  filter: PromptFilter,
  limit: number,
): Promise<PromptHit[]> {
  const ids = await app.scans.call.promptTexts({ query, filter, limit });
  return ids.flatMap((promptId) => {
    const heading = findHeading(app.store, promptId);
    if (!heading) return [];
    const { title, description, tags } = heading;
    return [{ promptId, title, description, tags }];
  });
}
