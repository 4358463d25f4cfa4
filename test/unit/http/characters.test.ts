// Limits in characters (code points), not in UTF-16 units.

import { expect, test } from "bun:test";
import { cutCharacters, hasMoreCharacters } from "../../../src/kernel/text.ts";

test.each([
  ["", 0, false],
  ["ab", 2, false],
  ["abc", 2, true],
  ["🦒🦒", 2, false],
  ["🦒🦒x", 2, true],
  ["🦒🦒🦒", 2, true],
  ["a🦒", 1, true],
])("%s has more than %d characters: %p", (text, maximum, expected) => {
  expect(hasMoreCharacters(text, maximum)).toBe(expected);
  expect(cutCharacters(text, maximum)).toBe([...text].slice(0, maximum).join(""));
});

test("a text that is far too long is recognised by its length, without reading it", () => {
  const text = { length: 39 * 1024 * 1024 } as string;
  expect(hasMoreCharacters(text, 4_000)).toBe(true);
});
