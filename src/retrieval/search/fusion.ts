// Combines the dense and the lexical score of a chunk, and the bonus from similar chunks, into one score from 0 to 1.
// Both scores are absolute, so a query about nothing that is stored scores low everywhere. Pure arithmetic, without
// database. The constants were fitted on two judged collections (README).

import { createCalibration } from "../../engine/embedding/calibration.ts";
import { dot } from "../../kernel/vectors.ts";
import type { DenseScore } from "../vectors/query-parts.ts";

/** Weight of the dense score where the model reads the query's script; the lexical score has the rest. */
const DENSE_WEIGHT = 0.6;

/**
 * Maps the weighted sum to the API's scale. In the worse of two collections, 96 % of the pairs judged relevant are
 * above the first inner point and about half of them above the second.
 */
const toApiScale = createCalibration([
  [0, 0],
  [0.24, 0.35],
  [0.44, 0.6],
  [1, 1],
]);

/** The parts of a score, each from 0 to 1. */
export interface ScoreParts {
  /** The model's cosine between the query and the chunk's best window; absent if the chunk has no vector. */
  cosine?: number;
  /** The calibrated cosine. */
  dense: number;
  /** The chunk's BM25 score as a fraction of the maximum for the query. */
  lexical: number;
  /** The least weighted sum if the chunk contains all of the query's words, or its phrase; 0 otherwise. */
  exact: number;
  /** The bonus from similar chunks that score well. */
  neighbours: number;
  /** Weight of the dense score in the sum. */
  denseWeight: number;
  /** See DenseScore. */
  languages?: DenseScore["languages"];
}

/**
 * Weight of the dense score for a query of which the model reads the fraction `readable`; `share` is the weight if it
 * reads all.
 */
export function denseWeightFor(readable: number, share = DENSE_WEIGHT): number {
  return share * readable;
}

/**
 * The least weighted sum of a chunk that contains all words of a query, or all of its codes. It passes the default
 * threshold, however long the chunk.
 */
export const CONTAINS_ALL = 0.35;
/** The same of a chunk that contains them next to each other. */
export const CONTAINS_PHRASE = 0.55;

/** Weighted sum of both scores plus the neighbour bonus, at most 1; raised for an exact match. */
export function weightedSum({ dense, lexical, exact, neighbours, denseWeight }: ScoreParts): number {
  const sum = Math.min(1, denseWeight * dense + (1 - denseWeight) * lexical + neighbours);
  return exact + (1 - exact) * sum;
}

/** The weighted sum on the API's scale, from 0 to 1. */
export function scoreOf(parts: ScoreParts): number {
  return toApiScale(weightedSum(parts));
}

/**
 * In other languages than English, the scores of unrelated chunks differ much from query to query, but they are mostly
 * below this share of the best one's. Fitted to the questions in scripts/lab/languages: the noise above the default
 * threshold falls by half.
 */
const MIN_SHARE_OF_BEST = 0.8;
/** How steeply a score below that share falls. */
const STEEPNESS = 3;

/**
 * The scores of chunks, in their order. One in another language than English, or than the query, is lower if it is far
 * below the best one: that of the query's language, or across languages the best one there or MIN_SHARE_OF_BEST of the
 * best of all. Exact matches keep theirs.
 */
export function scoresBesideBest(chunks: readonly { score: number; parts: ScoreParts }[]): number[] {
  const all = Math.max(0, ...chunks.map(({ score }) => score));
  const best = { same: 0, across: MIN_SHARE_OF_BEST * all };
  for (const { score, parts } of chunks)
    if (isNotEnglish(parts)) best[parts.languages] = Math.max(best[parts.languages], score);
  return chunks.map(({ score, parts }) => {
    if (!isNotEnglish(parts) || parts.exact > 0) return score;
    const least = MIN_SHARE_OF_BEST * best[parts.languages];
    return score < least ? score * (score / least) ** STEEPNESS : score;
  });
}

const isNotEnglish = (parts: ScoreParts): parts is ScoreParts & { languages: "same" | "across" } =>
  parts.languages === "same" || parts.languages === "across";

/** Number of top chunks that get a bonus from each other. */
export const MAX_NEIGHBOURS = 32;

/** Number of nearest neighbours that the bonus of a chunk is averaged over. */
const NEAREST = 4;

/** One of the top chunks. */
export interface Neighbour {
  /**
   * The direction of the chunk's best window for the query, of unit length. Vectors of models of another size are
   * longer.
   */
  vector: Float32Array;
  parts: ScoreParts;
}

/**
 * The bonus of each of the top chunks, in the same order: the mean, over its NEAREST most similar chunks, of their lead
 * in the weighted sum times their cosine to it; 0 if that is negative. Similar passages are relevant to the same
 * queries (van Rijsbergen's cluster hypothesis; score regularization, Diaz 2005). The cosine keeps unrelated chunks in
 * a small database from adding anything. An exact match says nothing about other chunks. Where the model does not read
 * the query's script, there is no bonus.
 */
export function neighbourBonuses(top: readonly Neighbour[]): number[] {
  const sums = top.map(({ parts }) => weightedSum({ ...parts, exact: 0 }));
  const similarities = similaritiesOf(top);
  return top.map(({ parts }, own) => {
    const nearest = sums
      .map((sum, index) => ({ index, lead: sum - sums[own]!, similarity: similarities[own]![index]! }))
      .sort((a, b) => b.similarity - a.similarity || a.index - b.index)
      .slice(0, NEAREST);
    const lift = nearest.reduce((total, { similarity, lead }) => total + similarity * lead, 0);
    const readable = Math.min(1, parts.denseWeight / DENSE_WEIGHT);
    return (readable * Math.max(0, lift)) / NEAREST;
  });
}

/**
 * The cosine of each pair, by both indexes; 0 if it is negative, for a chunk and itself, and for vectors of unequal
 * length.
 */
function similaritiesOf(top: readonly Neighbour[]): number[][] {
  const rows = top.map(() => new Array<number>(top.length).fill(0));
  for (const [i, { vector }] of top.entries()) {
    for (const [j, other] of top.slice(0, i).entries()) {
      if (vector.length !== other.vector.length) continue;
      const similarity = Math.max(0, dot(vector, other.vector));
      rows[i]![j] = similarity;
      rows[j]![i] = similarity;
    }
  }
  return rows;
}
