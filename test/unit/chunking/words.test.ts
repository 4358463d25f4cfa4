// Word counts in many scripts.

import { expect, test } from "bun:test";
import { countWords } from "../../../src/engine/chunking/words.ts";

test.each([
  ["", 0],
  ["--- *** | > #", 0],
  ["one two  three\nfour", 4],
  ["don't stop, it’s 3.14", 4],
  ["well-known snake_case _em_ ___", 4],
  ["**bold** [link](target)", 3],
  ["école e\u0301cole", 2],
  ["Привет, мир! 한국어는 띄어쓰기가 있다", 5],
  ["नमस्ते दुनिया", 2],
  ["日本語の文章を数える。", 5],
  ["我们今天去北京", 4],
  ["日", 1],
  ["ภาษาไทยไม่มีช่องว่างระหว่างคำ", 8],
  ["see 日本語 there", 4],
  ["𠀀𠀁 𝒳𝒴", 2],
  ["❤️ 👩‍👩‍👧", 0],
])("%j has %d words", (text, words) => {
  expect(countWords(text, 0, text.length)).toBe(words);
});

test("only words between the offsets are counted", () => {
  expect(countWords("one two three four", 4, 13)).toBe(2);
});
