// From a model's raw cosine to the API's score: one monotone map per model, fitted once and shipped in the model's folder.
// The default threshold 0.35 keeps its meaning with every model; one model's results never change their order.

import { join } from "node:path";

/** `[cosine, score]`, cosines rising, scores never falling. */
export type CalibrationPoint = readonly [cosine: number, score: number];

/** What is known of a model's cosines. */
export interface Calibration {
  readonly points: readonly CalibrationPoint[];
  /** Unicode names of the scripts that the model was trained on; absent when it reads all of them. */
  readonly scripts?: readonly string[];
}

const IDENTITY: Calibration = {
  points: [
    [0, 0],
    [1, 1],
  ],
};

/**
 * The share of a text that the model reads: of its letters those of its scripts; all of digits and punctuation, and
 * nothing of symbols alone.
 */
export function readableShare(text: string, { scripts }: Calibration): number {
  if (scripts === undefined) return 1;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return /\p{N}/u.test(text) ? 1 : 0;
  const own = new RegExp(`[[${scripts.map((script) => `\\p{sc=${script}}`).join("")}]&&\\p{L}]`, "gv");
  return (text.match(own)?.length ?? 0) / letters;
}

/** A text of which the model reads less than this has no meaning to it: it is found by its words. */
export const LEAST_READABLE = 0.5;

/**
 * The piecewise-linear map through the points, clamped to the first and the last one's score.
 * Throws RangeError for points that are not a rising, bounded line.
 */
export function createCalibration(points: readonly CalibrationPoint[]): (cosine: number) => number {
  if (points.length < 2) throw new RangeError("a calibration needs at least two points");
  for (const [i, [cosine, score]] of points.entries()) {
    const before = points[i - 1];
    const inRange = cosine >= -1 && cosine <= 1 && score >= 0 && score <= 1;
    if (!inRange || (before && (cosine <= before[0] || score < before[1]))) {
      throw new RangeError(`calibration point ${i} (${cosine}, ${score}) does not continue a rising line`);
    }
  }
  return (cosine) => {
    const [lowestCosine, lowestScore] = points[0]!;
    if (!(cosine > lowestCosine)) return lowestScore;
    const above = points.findIndex((point) => cosine < point[0]);
    if (above < 0) return points.at(-1)![1];
    const [fromCosine, fromScore] = points[above - 1]!;
    const [toCosine, toScore] = points[above]!;
    return fromScore + ((cosine - fromCosine) / (toCosine - fromCosine)) * (toScore - fromScore);
  };
}

/**
 * `calibration.json` in a model's folder; the identity when there is no such file. Throws RangeError when the file is not
 * a calibration.
 */
export async function readCalibration(modelDirectory: string): Promise<Calibration> {
  const file = Bun.file(join(modelDirectory, "calibration.json"));
  if (!(await file.exists())) return IDENTITY;
  const content: unknown = await file.json();
  const { points, scripts } = (content ?? {}) as Record<string, unknown>;
  if (!Array.isArray(points) || !points.every(isPoint)) {
    throw new RangeError("calibration.json holds no list of [cosine, score] points");
  }
  createCalibration(points);
  if (scripts === undefined) return { points };
  if (!Array.isArray(scripts) || scripts.length === 0 || !scripts.every(isScript)) {
    throw new RangeError("calibration.json names scripts that Unicode does not know");
  }
  return { points, scripts };
}

function isScript(value: unknown): value is string {
  if (typeof value !== "string" || !/^\w+$/.test(value)) return false;
  try {
    return new RegExp(`\\p{sc=${value}}`, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function isPoint(value: unknown): value is CalibrationPoint {
  return Array.isArray(value) && value.length === 2 && value.every((number) => Number.isFinite(number));
}
