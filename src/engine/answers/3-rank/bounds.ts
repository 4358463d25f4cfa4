// Keeps, of the chunks that were found, those that most probably answer, within the bounds of the request. It reads no
// text.

import { tokenBudget } from "../../../kernel/budgets.ts";
import type { Evidence } from "../2-passages/passages.ts";
import type { Ranking } from "./rank.ts";

/** How much evidence an answer may use. */
export interface Bounds {
  /** Number of chunks. */
  limit: number;
  /** Tokens of their text together; one chunk may always be used. */
  maxTokens: number;
}

/** Rankings with the passages of the chunks that are kept, and the indexes of those, best first. */
export interface Bounded {
  rankings: Ranking[];
  gathered: number[];
}

/** Keeps the chunks whose passages have the largest probability for any part of the question. */
export function withinBounds(
  rankings: readonly Ranking[],
  evidence: readonly Evidence[],
  bounds: Bounds,
): Bounded {
  const best = evidence.map(() => 0);
  for (const { ranked } of rankings) {
    const sums = evidence.map(() => 0);
    for (const { passage, probability } of ranked) sums[passage.chunk]! += probability;
    for (const [chunk, sum] of sums.entries()) best[chunk] = Math.max(best[chunk]!, sum);
  }
  const gathered = chunksWithin(best, evidence, bounds);
  const isKept = new Set(gathered);
  return {
    gathered,
    rankings: rankings.map((ranking) => ({
      ...ranking,
      ranked: ranking.ranked.filter(({ passage }) => isKept.has(passage.chunk)),
    })),
  };
}

/** The indexes of the chunks with the largest values that fit into the bounds, best first. */
export function chunksWithin(
  values: readonly number[],
  evidence: readonly Evidence[],
  { limit, maxTokens }: Bounds,
): number[] {
  const order = [...evidence.keys()].sort((a, b) => values[b]! - values[a]! || a - b);
  const fits = tokenBudget(maxTokens);
  const kept: number[] = [];
  for (const chunk of order) {
    if (kept.length >= limit || !fits({ content: evidence[chunk]!.text })) break;
    kept.push(chunk);
  }
  return kept;
}
