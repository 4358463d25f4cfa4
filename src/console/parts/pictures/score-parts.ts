// How much each part of an explained score adds to it.

import type { ExplainedScore } from "../../api/openapi.d.ts";

export const PARTS = {
  meaning: "meaning",
  words: "words in common",
  exact: "exact match",
  neighbours: "similar passages",
} as const;

export interface ScorePart {
  part: keyof typeof PARTS;
  /** The points of the score; those of all parts add up to it. */
  points: number;
}

/**
 * The parts of a score that add something, by the sum that the API describes:
 * exact + (1 − exact) × (denseWeight × dense + (1 − denseWeight) × lexical + neighbours). Prompts have only a cosine,
 * so that all of their score is meaning.
 */
export function partsOf(score: number, explained: Partial<ExplainedScore>): ScorePart[] {
  const { dense = 1, lexical = 0, exact = 0, neighbours = 0, denseWeight = 1 } = explained;
  const inSum = {
    meaning: denseWeight * dense,
    words: (1 - denseWeight) * lexical,
    neighbours,
  };
  const sum = inSum.meaning + inSum.words + neighbours;
  const factor = (1 - exact) * (sum > 1 ? 1 / sum : 1);
  const total = exact + factor * sum;
  const shares = {
    meaning: factor * inSum.meaning,
    words: factor * inSum.words,
    exact,
    neighbours: factor * neighbours,
  };
  return Object.keys(PARTS).flatMap((name) => {
    const part = name as ScorePart["part"];
    const points = total === 0 ? 0 : (score * shares[part]) / total;
    return points > 0 ? [{ part, points }] : [];
  });
}
