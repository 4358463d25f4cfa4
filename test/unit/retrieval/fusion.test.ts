// The arithmetic of scores: weights, the API's scale, and the bonus from similar chunks.

import { describe, expect, test } from "bun:test";
import {
  denseWeightFor,
  type Neighbour,
  neighbourBonuses,
  type ScoreParts,
  scoreOf,
  scoresBesideBest,
  weightedSum,
} from "../../../src/retrieval/search/fusion.ts";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { unit } from "./small-index.ts";

const NONE: ScoreParts = { dense: 0, lexical: 0, exact: 0, neighbours: 0, denseWeight: 0.6 };

test.each([
  [1, 0.6],
  [0.5, 0.3],
  [0, 0],
])("a query of which the model reads %d has the dense weight %d", (readable, weight) => {
  expect(denseWeightFor(readable)).toBeCloseTo(weight, 12);
});

test.each<[string, Partial<ScoreParts>, number]>([
  ["nothing", {}, 0],
  ["the dense score alone", { dense: 0.5 }, 0.3],
  ["the lexical score alone", { lexical: 0.5 }, 0.2],
  ["both: 0.6 · 0.8 + 0.4 · 0.25", { dense: 0.8, lexical: 0.25 }, 0.58],
  ["the bonus, added as it is", { dense: 0.5, neighbours: 0.1 }, 0.4],
  ["another weight: 0.3 · 0.8 + 0.7 · 0.25", { dense: 0.8, lexical: 0.25, denseWeight: 0.3 }, 0.415],
  ["no dense weight", { dense: 1, lexical: 0.25, denseWeight: 0 }, 0.25],
  ["at most 1", { dense: 1, lexical: 1, neighbours: 0.2 }, 1],
])("weighted sum: %s", (_name, parts, sum) => {
  expect(weightedSum({ ...NONE, ...parts })).toBeCloseTo(sum, 12);
});

test.each([
  [0, 0],
  [0.12, 0.175],
  [0.24, 0.35],
  [0.34, 0.475],
  [0.44, 0.6],
  [0.72, 0.8],
  [1, 1],
])("a weighted sum of %d has the score %d", (sum, score) => {
  expect(scoreOf({ ...NONE, lexical: sum, denseWeight: 0 })).toBeCloseTo(score, 12);
});

describe("bonus from neighbours", () => {
  /** A chunk with this weighted sum; the model reads all of the query unless stated otherwise. */
  const chunk = (sum: number, vector: Float32Array, readable = 1): Neighbour => {
    const denseWeight = denseWeightFor(readable);
    return { vector, parts: { ...NONE, lexical: sum / (1 - denseWeight), denseWeight } };
  };
  const X = unit(1);
  const Y = unit(0, 1);
  const BETWEEN = unit(0.6, 0.8);

  test.each<[string, Neighbour[], number[]]>([
    ["no chunks", [], []],
    ["one chunk", [chunk(0.4, X)], [0]],
    ["orthogonal vectors", [chunk(0.4, X), chunk(0.1, Y)], [0, 0]],
    ["equal vectors: a quarter of the lead goes to the lower one", [chunk(0.4, X), chunk(0.2, X)], [0, 0.05]],
    ["equal scores", [chunk(0.3, X), chunk(0.3, X)], [0, 0]],
    ["the lead counts by the cosine: 0.6 · 0.2 / 4", [chunk(0.4, X), chunk(0.2, BETWEEN)], [0, 0.03]],
    ["opposite vectors", [chunk(0.4, X), chunk(0.2, unit(-1))], [0, 0]],
    [
      "leads and lags cancel: (0.6 · 0.1 − 0.8 · 0.1) / 4 is below 0",
      [chunk(0.4, X), chunk(0.3, BETWEEN), chunk(0.2, Y)],
      // For Y: 0.8 · 0.1 / 4.
      [0, 0, 0.02],
    ],
    [
      "only the four nearest count, of equally near ones the first",
      [...[0.1, 0.2, 0.3, 0.4, 0.38].map((sum) => chunk(sum, X)), chunk(0, X)],
      // For the last one: (0.1 + 0.2 + 0.3 + 0.4) / 4.
      [(0.1 + 0.2 + 0.3 + 0.28) / 4, (-0.1 + 0.1 + 0.2 + 0.18) / 4, 0, 0, 0, 0.25],
    ],
    [
      "nearer ones count instead of a better one",
      [chunk(0.4, BETWEEN), chunk(0.1, X), chunk(0.1, X), chunk(0.1, X), chunk(0.1, X), chunk(0, X)],
      // For the last one: 4 · 0.1 / 4, without the 0.6 · 0.4 of the first. For those before it: 3 · 0 − 0.1, below 0.
      [0, 0, 0, 0, 0, 0.1],
    ],
    [
      "half a bonus where the model reads half of the query",
      [chunk(0.4, X, 0.5), chunk(0.2, X, 0.5)],
      [0, 0.025],
    ],
    [
      "none between vectors of models of different sizes",
      [chunk(0.4, X), chunk(0.2, X.subarray(0, 384))],
      [0, 0],
    ],
    ["none where it reads nothing", [chunk(0.4, X, 0), chunk(0.2, X, 0)], [0, 0]],
  ])("%s", (_name, chunks, bonuses) => {
    const found = neighbourBonuses(chunks);
    expect(found).toHaveLength(bonuses.length);
    for (const [index, bonus] of bonuses.entries()) expect(found[index]).toBeCloseTo(bonus, 6);
  });
});

describe("scores beside the best one in other languages", () => {
  const hit = (score: number, languages?: ScoreParts["languages"], exact = 0) => ({
    score,
    parts: { ...NONE, exact, ...(languages && { languages }) },
  });

  test("fall steeply below four fifths of it, in the same order", () => {
    const scores = scoresBesideBest([0.7, 0.56, 0.5, 0.45, 0.1].map((score) => hit(score, "same")));
    expect(scores.slice(0, 2)).toEqual([0.7, 0.56]);
    expect(scores[2]).toBeCloseTo(0.5 * (0.5 / 0.56) ** 3, 12);
    expect(scores[3]).toBeLessThan(LIMITS.search.defaultThreshold);
    expect(scores.toSorted((a, b) => b - a)).toEqual(scores);
  });

  test("are compared with the best one of their pair of languages", () => {
    const hits = [hit(0.7, "english"), hit(0.6, "same"), hit(0.5, "across"), hit(0.3, "english"), hit(0.3)];
    expect(scoresBesideBest(hits)).toEqual([0.7, 0.6, 0.5, 0.3, 0.3]);
  });

  test("across languages also with the best of all", () => {
    const [, across] = scoresBesideBest([hit(0.9, "english"), hit(0.45, "across")]);
    expect(across).toBeCloseTo(0.45 * (0.45 / (0.8 * 0.8 * 0.9)) ** 3, 12);
  });

  test("stay as they are for an exact match", () => {
    expect(scoresBesideBest([hit(0.9, "same"), hit(0.45, "same", 0.35)])).toEqual([0.9, 0.45]);
  });
});
