// How a query is compared with stored vectors: with one model's values, or with those of two models, of which each
// counts as much as the query's language wants.

import type { Calibration, CalibrationPoint } from "../../engine/embedding/calibration.ts";
import { SECOND_START } from "../../engine/embedding/joined.ts";
import { rotationSize } from "../../engine/embedding/lift.ts";
import type { Language } from "../../engine/language/words.ts";
import type { SpaceVector } from "./dense.ts";

/** A query embedded in one space. */
export interface EmbeddedIn extends SpaceVector {
  calibration: Calibration;
  /** In a space of two models: the second one, and how much it counts. */
  second?: { dimension: number; calibration: Calibration; language: Language };
}

/** The values of one model. */
export interface QueryPart {
  /** Position of the first value in a stored vector. */
  start: number;
  /** One rotation: it has the cosine of all values of the model. */
  values: Float32Array;
  /** Its share of the dense score, greater than 0. */
  weight: number;
  /** Its calibration; see createCalibration. */
  points: readonly CalibrationPoint[];
}

interface Weights {
  /** Share of the second model in the dense score. */
  second: number;
  /** Share of the dense score in the whole score; the lexical score has the rest. */
  dense: number;
  /** Of the models' bits in the coarse scan, about in proportion to the shares. */
  bits: BitWeights;
}

/** Factors of the differing bits of both halves of a vector, whole numbers with a sum of at most 8. */
export type BitWeights = readonly [first: number, second: number];

/** Of a vector of one model. */
export const ONE_MODEL: BitWeights = [1, 1];

/**
 * Of English questions about English texts, equal shares rank best (dense scores alone, nDCG@10: Cranfield 0.550 where
 * the English model has 0.516, CISI 0.429 and 0.415); of others, the multilingual model alone.
 */
const WEIGHTS: Record<Language, Weights> = {
  english: { second: 0.5, dense: 0.6, bits: [4, 4] },
  unknown: { second: 0.8, dense: 0.75, bits: [1, 4] },
  other: { second: 1, dense: 0.75, bits: [0, 1] },
};

/** The parts of a query that are compared, at least one; the first one has the largest weight. */
export function partsOf({ dimension, vector, calibration, second }: EmbeddedIn): QueryPart[] {
  const part = (start: number, size: number): Pick<QueryPart, "start" | "values"> => ({
    start,
    values: vector.subarray(start, start + rotationSize(size)),
  });
  const own = { ...part(0, dimension), points: calibration.points, weight: 1 };
  if (!second) return [own];
  const { second: weight } = WEIGHTS[second.language];
  const { points, english = points } = second.calibration;
  const parts = [
    { ...own, weight: 1 - weight },
    {
      ...part(SECOND_START, second.dimension),
      points: second.language === "english" ? english : points,
      weight,
    },
  ];
  return parts.filter((one) => one.weight > 0).sort((a, b) => b.weight - a.weight);
}

/** How much the bits of both halves count in the coarse scan. */
export const bitWeightsOf = ({ second }: EmbeddedIn): BitWeights =>
  second ? WEIGHTS[second.language].bits : ONE_MODEL;

/** Share of the dense score, of two models: words count less across languages. Undefined for one model. */
export const denseShareOf = ({ second }: EmbeddedIn): number | undefined =>
  second && WEIGHTS[second.language].dense;

/**
 * The mean of the parts that a stored vector has, by their weights: `cosines` and scores are undefined for a part that
 * is all zeros. Undefined if it has none.
 */
export function weightedMean(
  parts: readonly QueryPart[],
  scores: readonly (number | undefined)[],
): number | undefined {
  let sum = 0;
  let weights = 0;
  for (const [i, { weight }] of parts.entries()) {
    const score = scores[i];
    if (score === undefined) continue;
    sum += weight * score;
    weights += weight;
  }
  return weights > 0 ? sum / weights : undefined;
}
