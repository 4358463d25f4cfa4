// Results that are kept within a bound.

import { expect, test } from "bun:test";
import { remember } from "../../../src/kernel/remember.ts";

function counted(maxUnits: number) {
  const computed: string[] = [];
  const lengthOf = remember(
    (text: string) => {
      computed.push(text);
      return { length: text.length };
    },
    { keyOf: (text) => text, maxUnits },
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

test("when the keys are longer than the bound together, all results are forgotten", () => {
  const { computed, lengthOf } = counted(5);
  for (const text of ["abc", "de", "abc", "f", "abc"]) lengthOf(text);
  expect(computed).toEqual(["abc", "de", "f", "abc"]);
});

test("a result with a key longer than the bound is not kept, and the others are", () => {
  const { computed, lengthOf } = counted(5);
  for (const text of ["abc", "abcdef", "abcdef", "abc"]) lengthOf(text);
  expect(computed).toEqual(["abc", "abcdef", "abcdef"]);
});
