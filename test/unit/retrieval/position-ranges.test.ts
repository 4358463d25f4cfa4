// Ranges against a plain set of numbers.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { PositionRanges } from "../../../src/retrieval/position-ranges.ts";

test("ranges contain what was appended and not removed, in order and joined", () => {
  const part = fc.record({ length: fc.nat(5), gap: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat()), (parts, removals) => {
      const ranges = new PositionRanges();
      const added: [number, number][] = [];
      let next = 0;
      for (const { length, gap } of parts) {
        ranges.append(next, next + length);
        added.push([next, next + length]);
        next += length + gap;
      }
      for (const number of removals) {
        const [removed] = added.splice(number % Math.max(1, added.length), 1);
        if (removed) ranges.remove(...removed);
      }
      const numbers = added
        .flatMap(([first, end]) => Array.from({ length: end - first }, (_, index) => first + index))
        .sort((a, b) => a - b);
      const found = ranges.ranges.flatMap(({ first, end }) =>
        Array.from({ length: end - first }, (_, index) => first + index),
      );
      expect(found).toEqual(numbers);
      const runs = numbers.filter((number, index) => number !== numbers[index - 1]! + 1).length;
      expect(ranges.ranges.length).toBeGreaterThanOrEqual(runs);
    }),
  );
});
