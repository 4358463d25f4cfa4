// Ranges against a plain map of numbers.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { Ranges } from "../../../src/retrieval/vectors/ranges.ts";

/** What is added and removed, in any order: disjoint parts with offsets. */
const part = fc.record({ length: fc.nat(5), gap: fc.nat(2), offset: fc.nat(1), isRemoved: fc.boolean() });

test("ranges contain what was added and not removed, in order, and no two that could be one", () => {
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat()), (parts, order) => {
      let next = 0;
      const rows = parts.map(({ length, gap, offset, isRemoved }) => {
        const first = next;
        next += length + gap;
        return { first, end: first + length, offset, isRemoved };
      });
      const shuffled = rows.toSorted((a, b) => (order[a.first] ?? 0) - (order[b.first] ?? 0));
      const ranges = new Ranges();
      for (const { first, end, offset } of shuffled) ranges.add({ first, end, offset });
      for (const { first, end, isRemoved } of shuffled) if (isRemoved) ranges.remove(first, end);

      const numbersOf = ({ first, end, offset }: { first: number; end: number; offset: number }) =>
        Array.from({ length: end - first }, (_, index) => [first + index, offset]);
      const expected = rows.filter(({ isRemoved }) => !isRemoved).flatMap(numbersOf);
      expect(ranges.list.flatMap(numbersOf)).toEqual(expected);
      for (const [index, { first, offset }] of ranges.list.entries()) {
        const before = ranges.list[index - 1];
        expect(before?.end === first && before.offset === offset).toBe(false);
      }
    }),
  );
});
