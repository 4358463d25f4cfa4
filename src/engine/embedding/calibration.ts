// Maps a model's raw cosines to the API's scores: one monotone function per model, fitted once and shipped in the
// model's folder, so that the default threshold of 0.35 means the same with every model. It never changes the order of
// results.

import { join } from "node:path";

/** `[cosine, score]`: in a list, cosines increase and scores do not decrease. */
export type CalibrationPoint = readonly [cosine: number, score: number];

/** How to interpret a model's cosines. */
export interface Calibration {
  readonly points: readonly CalibrationPoint[];
  /**
   * Of a second model, whose cosines of texts in one language are greater than across languages: those for texts in one
   * language, and in English.
   */
  readonly same?: readonly CalibrationPoint[];
  readonly english?: readonly CalibrationPoint[];
  /** Unicode names of the scripts that the model was trained on; absent if it supports all. */
  readonly scripts?: readonly string[];
}

const IDENTITY: Calibration = {
  points: [
    [0, 0],
    [1, 1],
  ],
};

/**
 * The share of a text that the model can read, 0 to 1: of its letters, those in the model's scripts. Without letters: 1
 * for a text with digits, else 0.
 */
export function readableShare(text: string, { scripts }: Calibration): number {
  if (scripts === undefined) return 1;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return /\p{N}/u.test(text) ? 1 : 0;
  const own = new RegExp(`[[${scripts.map((script) => `\\p{sc=${script}}`).join("")}]&&\\p{L}]`, "gv");
  return (text.match(own)?.length ?? 0) / letters;
}

/** Texts with a smaller readable share are not embedded; they are found by their words only. */
export const MIN_READABLE_SHARE = 0.5;

/**
 * The piecewise-linear map through the points, clamped to the first and the last one's score.
 * Throws RangeError for points that are out of range or not in ascending order.
 */
export function createCalibration(points: readonly CalibrationPoint[]): (cosine: number) => number {
  if (points.length < 2) throw new RangeError("a calibration needs at least two points");
  for (const [i, [cosine, score]] of points.entries()) {
    const before = points[i - 1];
    const inRange = cosine >= -1 && cosine <= 1 && score >= 0 && score <= 1;
    if (!inRange || (before && (cosine <= before[0] || score < before[1]))) {
      throw new RangeError(
        `calibration point ${i} (${cosine}, ${score}) is out of range or not in ascending order`,
      );
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
 * `calibration.json` in a model's folder; the identity if there is no such file. Throws RangeError if it is malformed.
 */
export async function readCalibration(modelDirectory: string): Promise<Calibration> {
  const file = Bun.file(join(modelDirectory, "calibration.json"));
  if (!(await file.exists())) return IDENTITY;
  const content: unknown = await file.json();
  const { points, same, english, scripts } = (content ?? {}) as Record<string, unknown>;
  const lists = {
    points: pointsOf(points),
    ...(same !== undefined && { same: pointsOf(same) }),
    ...(english !== undefined && { english: pointsOf(english) }),
  };
  if (scripts === undefined) return lists;
  if (!Array.isArray(scripts) || scripts.length === 0 || !scripts.every(isScript)) {
    throw new RangeError("calibration.json names scripts that Unicode does not define");
  }
  return { ...lists, scripts };
}

function pointsOf(value: unknown): CalibrationPoint[] {
  if (!Array.isArray(value) || !value.every(isPoint))
    throw new RangeError("calibration.json does not contain a list of [cosine, score] points");
  createCalibration(value);
  return value;
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
