// The map from cosine to score, and the file that ships with the model.

import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CalibrationPoint,
  createCalibration,
  readCalibration,
} from "../../../src/engine/embedding/calibration.ts";

const SHIPPED = join(import.meta.dir, "../../../models/all-MiniLM-L6-v2");

const folder = mkdtempSync(join(tmpdir(), "ctxrepo-calibration-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("createCalibration", () => {
  test("is linear between its points and clamped outside them", () => {
    const score = createCalibration([
      [0, 0.1],
      [0.2, 0.3],
      [0.6, 0.9],
    ]);
    const table = [
      [-1, 0.1],
      [0, 0.1],
      [0.1, 0.2],
      [0.2, 0.3],
      [0.4, 0.6],
      [0.6, 0.9],
      [1, 0.9],
      [Number.NaN, 0.1],
    ];
    for (const [cosine, expected] of table) expect(score(cosine!)).toBeCloseTo(expected!, 12);
  });

  test.each<[string, CalibrationPoint[]]>([
    ["one point", [[0, 0]]],
    [
      "a cosine twice",
      [
        [0, 0],
        [0, 1],
      ],
    ],
    [
      "a falling score",
      [
        [0, 0.5],
        [1, 0.4],
      ],
    ],
    [
      "a score above 1",
      [
        [0, 0],
        [1, 1.1],
      ],
    ],
    [
      "no number",
      [
        [0, 0],
        [1, Number.NaN],
      ],
    ],
  ])("rejects %s", (_name, points) => {
    expect(() => createCalibration(points)).toThrow(RangeError);
  });
});

describe("readCalibration", () => {
  test("the shipped map rises strictly from 0 to 1 and puts the default threshold near cosine 0.2", async () => {
    const score = createCalibration((await readCalibration(SHIPPED)).points);
    expect(score(-0.3)).toBe(0);
    expect(score(0)).toBe(0);
    expect(score(1)).toBe(1);
    expect(score(0.17)).toBeLessThan(0.35);
    expect(score(0.22)).toBeGreaterThan(0.35);
    for (let cosine = 0.01; cosine <= 1; cosine += 0.01) {
      expect(score(cosine)).toBeGreaterThan(score(cosine - 0.01));
    }
  });

  test("scores of a model without a file are its cosines", async () => {
    const score = createCalibration((await readCalibration(folder)).points);
    expect([-1, 0, 0.25, 1].map(score)).toEqual([0, 0, 0.25, 1]);
  });

  test("the shipped model states which script it reads", async () => {
    expect((await readCalibration(SHIPPED)).scripts).toEqual(["Latin"]);
  });

  test.each([
    "null",
    "{}",
    '{"points":[[0]]}',
    '{"points":[[0,"1"],[1,1]]}',
    '{"points":[[0,1],[1,0]]}',
    '{"points":[[0,0],[1,1]],"scripts":"Latin"}',
    '{"points":[[0,0],[1,1]],"scripts":[]}',
    '{"points":[[0,0],[1,1]],"scripts":["Latin","Elbish"]}',
  ])("rejects a file with %s", async (content) => {
    await Bun.write(join(folder, "calibration.json"), content);
    const reading = readCalibration(folder);
    await expect(reading).rejects.toThrow(RangeError);
    rmSync(join(folder, "calibration.json"));
  });
});
