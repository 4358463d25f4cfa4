// The largest values against a full sort.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { largest } from "../../../src/retrieval/vectors/top-values.ts";

/**
 * Checks that the result has no duplicates and contains every value that a sort puts among the first, with all ties.
 */
function expectLargest(values: Float32Array, count: number): void {
  const found = largest(values, count);
  expect(new Set(found).size).toBe(found.length);
  const positive = [...values.keys()].filter((index) => values[index]! > 0);
  const sorted = positive.map((index) => values[index]!).sort((a, b) => b - a);
  const last = sorted[count - 1] ?? 0;
  const wanted = count === 0 ? [] : positive.filter((index) => values[index]! >= last);
  expect(found).toEqual(expect.arrayContaining(wanted));
  expect(found.every((index) => values[index]! > 0)).toBe(true);
}

test("few values with ties", () => {
  const values = fc.array(fc.integer({ min: 0, max: 5 })).map((list) => Float32Array.from(list));
  fc.assert(fc.property(values, fc.nat(20), expectLargest));
});

test("many values, most of them 0", () => {
  const values = new Float32Array(50_000);
  for (let i = 0; i < 5_000; i++) values[(i * 7_919) % values.length] = ((i * 31) % 997) / 997;
  for (const count of [0, 1, 128, 4_000, 6_000]) expectLargest(values, count);
  expect(largest(values, 128).length).toBeLessThan(1_000);
});

test("no values", () => {
  expect(largest(new Float32Array(), 10)).toEqual([]);
});
