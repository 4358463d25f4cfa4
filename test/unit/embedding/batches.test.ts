// Batches: bounded, complete, little padding; and the pace that bounds a run's time.

import { describe, expect, test } from "bun:test";
import { batchEnd, createPace } from "../../../src/engine/embedding/batches.ts";

function batchesOf(lengths: number[], bound: number): number[][] {
  const sorted = lengths.toSorted((a, b) => a - b);
  const batches: number[][] = [];
  for (let start = 0; start < sorted.length; ) {
    const end = batchEnd(sorted, start, bound);
    batches.push(sorted.slice(start, end));
    start = end;
  }
  return batches;
}

describe("batchEnd", () => {
  test.each([
    [[256], 512, [[256]]],
    [[256, 256, 256], 512, [[256, 256], [256]]],
    [[300], 256, [[300]]],
    [[300, 300], 256, [[300], [300]]],
    [[20, 200], 512, [[20], [200]]],
    [[7, 7, 7, 8], 512, [[7, 7, 7, 8]]],
    [[100, 101, 102, 103], 512, [[100, 101, 102, 103]]],
  ])("%j under %d", (lengths, bound, expected) => {
    expect(batchesOf(lengths, bound)).toEqual(expected);
  });

  test("holds its bounds for every spread of lengths", () => {
    for (const bound of [256, 400, 512]) {
      for (const step of [0, 1, 3, 17]) {
        const lengths = Array.from({ length: 200 }, (_, i) => 3 + ((i * step) % 254));
        const batches = batchesOf(lengths, bound);
        expect(batches.flat()).toEqual(lengths.toSorted((a, b) => a - b));
        for (const batch of batches) {
          const padded = batch.length * batch.at(-1)!;
          const padding = padded - batch.reduce((sum, length) => sum + length, 0);
          expect(padded).toBeLessThanOrEqual(bound);
          expect(padding).toBeLessThanOrEqual(Math.max(16, padded / 10));
        }
      }
    }
  });
});

describe("createPace", () => {
  test("allows 512 tokens where they take less than 60 ms, and shrinks to one window where they do not", () => {
    const pace = createPace();
    expect(pace.budget()).toBe(512);
    pace.record(512, 20);
    expect(pace.budget()).toBe(512);
    for (let i = 0; i < 20; i++) pace.record(400, 80);
    expect(pace.budget()).toBeWithin(299, 302);
    for (let i = 0; i < 20; i++) pace.record(256, 1_000);
    expect(pace.budget()).toBe(256);
    for (let i = 0; i < 20; i++) pace.record(256, 10);
    expect(pace.budget()).toBe(512);
  });

  test("does not judge by tiny runs", () => {
    const pace = createPace();
    for (let i = 0; i < 20; i++) pace.record(12, 30);
    expect(pace.budget()).toBe(512);
  });
});
