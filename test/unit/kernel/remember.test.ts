// Results that are kept within a bound.

import { expect, test } from "bun:test";
import { remember } from "../../../src/kernel/remember.ts";

function counted(maxSize: number) {
  const computed: string[] = [];
  const lengthOf = remember(
    (text: string) => {
      computed.push(text);
      return { length: text.length };
    },
    { keyOf: (text) => text, sizeOf: ({ length }) => length, maxSize },
  );
  return { computed, lengthOf };
}

test("a result is computed once", () => {
  const { computed, lengthOf } = counted(100);
  expect(lengthOf("abc")).toEqual({ length: 3 });
  expect(lengthOf("abc")).toEqual({ length: 3 });
  expect(lengthOf("ab")).toEqual({ length: 2 });
  expect(computed).toEqual(["abc", "ab"]);
});

test("results that were not asked for recently are forgotten first", () => {
  const { computed, lengthOf } = counted(8);
  for (const text of ["ab", "cd", "ef", "ab", "gh", "ab", "cd"]) lengthOf(text);
  expect(computed).toEqual(["ab", "cd", "ef", "gh", "cd"]);
});

test("no more than the bound is kept", () => {
  const { computed, lengthOf } = counted(8);
  const texts = ["ab", "cd", "ef", "gh", "ij", "kl"];
  for (const text of texts) lengthOf(text);
  computed.length = 0;
  for (const text of texts.toReversed()) lengthOf(text);
  expect(computed.length).toBeGreaterThanOrEqual(2);
  expect(computed).toContain("ab");
});

test("a result larger than half the bound is not kept, and the others are", () => {
  const { computed, lengthOf } = counted(8);
  for (const text of ["abc", "abcde", "abcde", "abc"]) lengthOf(text);
  expect(computed).toEqual(["abc", "abcde", "abcde"]);
});
