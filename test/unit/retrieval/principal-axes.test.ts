// The two directions in which vectors differ most.

import { expect, test } from "bun:test";
import { principalCoordinates } from "../../../src/retrieval/search/lists/principal-axes.ts";

function coordinatesOf(rows: readonly (readonly number[])[]): [x: number, y: number][] {
  const steps = principalCoordinates(Float32Array.from(rows.flat()), rows.length, rows[0]?.length ?? 0);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return rows.map((_, index) => [value[2 * index]!, value[2 * index + 1]!]);
  }
}

/** A plane in space: `u` is far wider than `v`. */
const AXES = { u: [0.6, 0, 0.8, 0], v: [0, 1, 0, 0] };
const PLANE = Array.from({ length: 60 }, (_, index) => ({ u: 10 * Math.cos(index), v: 2 * Math.sin(index) }));

test("of points in a plane, its coordinates, but for signs", () => {
  const rows = PLANE.map(({ u, v }) => [0, 1, 2, 3].map((at) => 5 + u * AXES.u[at]! + v * AXES.v[at]!));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanU, meanV] = [mean(PLANE.map(({ u }) => u)), mean(PLANE.map(({ v }) => v))];
  const found = coordinatesOf(rows);
  for (const [index, { u, v }] of PLANE.entries()) {
    const [x, y] = found[index]!;
    expect(Math.abs(Math.abs(x) - Math.abs(u - meanU))).toBeLessThan(0.1);
    expect(Math.abs(Math.abs(y) - Math.abs(v - meanV))).toBeLessThan(0.1);
  }
});

test("the same rows have the same coordinates", () => {
  const rows = PLANE.map(({ u, v }) => [u, v, u * v]);
  expect(coordinatesOf(rows)).toEqual(coordinatesOf(rows));
});

test("rows on one line have no second coordinate; equal rows and a single one have none", () => {
  const line = coordinatesOf([1, 2, 4].map((at) => [at, 2 * at, 0]));
  expect(line.every(([, y]) => Math.abs(y) < 1e-4)).toBe(true);
  expect(Math.abs(line[2]![0] - line[0]![0])).toBeCloseTo(3 * Math.sqrt(5), 3);
  expect(
    coordinatesOf([
      [1, 2],
      [1, 2],
    ]),
  ).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(
    coordinatesOf(Array(7).fill([0.1, 0.7, Math.sqrt(0.5)]))
      .flat()
      .every((value) => value === 0),
  ).toBe(true);
  expect(coordinatesOf([[1, 2]])).toEqual([[0, 0]]);
  expect(coordinatesOf([])).toEqual([]);
});
