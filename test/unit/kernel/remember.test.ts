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

test("when one more result does not fit, all others are forgotten", () => {
  const { computed, lengthOf } = counted(5);
  for (const text of ["abc", "de", "abc", "f", "abc"]) lengthOf(text);
  expect(computed).toEqual(["abc", "de", "f", "abc"]);
});

test("a result larger than the bound is not kept, and the others are", () => {
  const { computed, lengthOf } = counted(5);
  for (const text of ["abc", "abcdef", "abcdef", "abc"]) lengthOf(text);
  expect(computed).toEqual(["abc", "abcdef", "abcdef"]);
});
