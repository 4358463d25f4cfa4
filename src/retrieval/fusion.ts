// One score of 0 to 1 from the two legs of retrieval, and what neighbours add to it. Both legs are absolute, so a question
// about nothing stored scores low everywhere. Pure arithmetic; the numbers were fitted on two judged collections (README).

import { createCalibration } from "../engine/embedding/calibration.ts";

/** Weight of the dense leg where the model reads the question's script; the lexical leg has the rest. */
const DENSE_WEIGHT = 0.6;

/**
 * Where the weighted sum stands on the API's scale: 96 % of the pairs judged relevant are above the first inner point, in
 * the worse of two collections, and about half of them above the second.
 */
const onScale = createCalibration([
  [0, 0],
  [0.24, 0.35],
  [0.44, 0.6],
  [1, 1],
]);

/** How a score came to be. Each part is from 0 to 1. */
export interface ScoreParts {
  /** Cosine of the question and the chunk's best window, as the model gave it; absent where the chunk has no vector. */
  cosine?: number;
  /** The cosine on the API's scale. */
  dense: number;
  /** What the chunk's words reach of what the question's words could. */
  lexical: number;
  /** What similar chunks that score well added to the weighted sum. */
  neighbours: number;
  /** How much of the sum the dense leg is. */
  denseWeight: number;
}

/** The dense leg's weight for a question of which the model understands this share. */
export function denseWeightFor(readable: number): number {
  return DENSE_WEIGHT * readable;
}

/** The weighted sum of both legs and what neighbours add. */
export function sumOf({ dense, lexical, neighbours, denseWeight }: ScoreParts): number {
  return Math.min(1, denseWeight * dense + (1 - denseWeight) * lexical + neighbours);
}

/** That sum on the API's scale. */
export function scoreOf(parts: ScoreParts): number {
  return onScale(sumOf(parts));
}

/** How many of the best chunks vouch for each other, and by how many of its nearest each is judged. */
export const VOUCHING = { chunks: 32, nearest: 4 } as const;

/** One of the best chunks: the vector by which it was found, of unit length, and its parts. */
export interface Neighbour {
  vector: Float32Array;
  parts: ScoreParts;
}

/**
 * What a chunk gains when the chunks most similar to it score better than it does: the mean of what they have more, each
 * times its cosine to the chunk, so that strangers in a small store give nothing. Similar passages are relevant to the
 * same questions (van Rijsbergen's cluster hypothesis; score regularization, Diaz 2005). Where the model does not read
 * the question's script, its vectors vouch for nothing.
 */
export function gainsFromNeighbours(best: readonly Neighbour[]): number[] {
  const sums = best.map(({ parts }) => sumOf(parts));
  return best.map(({ vector, parts }, own) => {
    const nearest = best
      .map((other, index) => ({
        index,
        similarity: index === own ? 0 : Math.max(0, dot(vector, other.vector)),
      }))
      .sort((a, b) => b.similarity - a.similarity || a.index - b.index)
      .slice(0, VOUCHING.nearest);
    const lift = nearest.reduce(
      (sum, { index, similarity }) => sum + similarity * (sums[index] - sums[own]),
      0,
    );
    const trust = parts.denseWeight / DENSE_WEIGHT;
    return (trust * Math.max(0, lift)) / VOUCHING.nearest;
  });
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
