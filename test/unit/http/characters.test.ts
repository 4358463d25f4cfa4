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

test("the length of a text of 39 MB is compared without reading it", () => {
  const text = "x".repeat(39 * 1024 * 1024);
  const times = Array.from({ length: 3 }, () => {
    const startedAt = performance.now();
    expect(hasMoreCharacters(text, 4_000)).toBe(true);
    return performance.now() - startedAt;
  });
  // Spreading it into characters takes several hundred.
  expect(Math.min(...times)).toBeLessThan(20);
});
