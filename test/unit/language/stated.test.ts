// The time that looking for a stated value takes.

import { expect, test } from "bun:test";
import { statedBy } from "../../../src/engine/language/stated.ts";
import { typeOf } from "../../../src/engine/language/type-of-question.ts";

test("a long run of quotation marks takes linear time", () => {
  const plain = "'".repeat(20_000);
  // Quadratic time would be a minute and longer.
  expect(statedBy(typeOf("What is a fee?"), "What is a fee?")({ plain, values: [] })).toBe(0);
});
