// Attributes stated by a measure, in figures and in words.

import { expect, test } from "bun:test";
import { statesAttribute } from "../../../src/engine/answering/attributes.ts";
import { stem } from "../../../src/engine/answering/terms.ts";

test.each([
  ["hot", "Green tea wants water of eighty degrees."],
  ["hot", "The water is kept at 80 °C."],
  ["heavy", "It weighs fourteen kilograms."],
  ["fee", "Members pay sixty euros."],
  ["percentage", "Ninety per cent of them came."],
  ["length", "The rope is thirty-five metres long."],
])("%s: %s", (word, text) => {
  expect(statesAttribute(stem(word), text)).toBe(true);
});

test.each([
  ["hot", "The kettle has two handles."],
  ["hot", "They took their degrees in May."],
  ["heavy", "Twelve people came."],
  ["fee", "Sixty members pay."],
])("not %s: %s", (word, text) => {
  expect(statesAttribute(stem(word), text)).toBe(false);
});

test("a word that names no attribute tells nothing", () => {
  expect(statesAttribute(stem("kettle"), "80 °C")).toBeUndefined();
});
