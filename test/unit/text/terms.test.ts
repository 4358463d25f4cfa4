// Words as they are compared: stems, spellings, names, and which words match.

import { describe, expect, test } from "bun:test";
import { rarityOf, shareOf } from "../../../src/engine/text/match.ts";
import { isTypingError, stem, stemsOf, termsOf } from "../../../src/engine/text/terms.ts";
import { groupsOf, linesOf, relationOf } from "../../../src/engine/text/word-lists.ts";

test.each([
  ["calibrated", "calibration"],
  ["received", "receive"],
  ["batteries", "battery"],
  ["replacement", "replaces"],
  ["left", "leaving"],
  ["stopped", "stop"],
  ["colour", "colors"],
  ["organisation", "organize"],
  ["centre", "center"],
  ["travelled", "traveled"],
  ["Rücksendung", "Ruecksendung"],
])("%s and %s share a stem", (a, b) => expect(stem(a)).toBe(stem(b)));

test("different words do not share a stem, and numbers stay", () => {
  expect(stem("public")).not.toBe(stem("private"));
  expect(stem("10,000")).toBe("10000");
});

test("names, codes and numbers are exact, first words of sentences are not", () => {
  const exact = termsOf("The Kestrel sends QM-410 to GraphQL. Always at 7.").filter(({ isExact }) => isExact);
  expect(exact.map(({ word }) => word)).toEqual(["Kestrel", "QM-410", "GraphQL", "7"]);
  expect(termsOf("茶壶响了").map(({ stem: pair }) => pair)).toEqual(["茶壶", "壶响", "响了"]);
});

test.each([
  ["deposti", "deposit", true],
  ["retian", "retain", true],
  ["lamp", "lump", true],
  ["lamp", "ramp", false],
  ["1200", "1201", false],
  ["lamp", "lantern", false],
])("%s for %s is a typing error: %p", (a, b, is) => expect(isTypingError(a, b)).toBe(is));

describe("a word is in a text", () => {
  const share = (word: string, text: string) =>
    shareOf(termsOf(`x ${word}`).at(-1)!, {
      stems: stemsOf(text),
      joined: text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ""),
    });

  test.each([
    ["lamps", "a red lamp", 1],
    ["lifeboat", "the life boat", 0.9],
    ["deposti", "the deposit", 0.85],
    ["landlord", "the owner", 0.7],
    ["thursdays", "Day: Thu; Open: 9", 1],
    ["Thu", "open on Thursday", 1],
    ["Thursday", "Mon-Thu, 9-15", 1],
    ["Sunday", "no sun today", 0],
    ["street", "12 Castle St", 1],
    ["lamp", "the table", 0],
    ["1201", "the 1200", 0],
  ])("%s in %s: %p", (word, text, expected) => expect(share(word, text)).toBe(expected));
});

test("a word that is in all texts near the question weighs little", () => {
  const near = Array.from({ length: 60 }, (_, i) => new Set(i < 3 ? ["lamp", "kiln"] : ["lamp"]));
  const rarity = rarityOf(["lamp", "kiln", "crane"], near);
  expect(rarity.get("crane")).toBe(1);
  expect(rarity.get("lamp")).toBe(0.2);
  expect(rarity.get("kiln")).toBeGreaterThan(0.5);
  expect(rarityOf(["lamp"], near.slice(0, 1)).get("lamp")).toBeGreaterThan(0.8);
});

test("word lists are groups of words, with comments", () => {
  const list = "# words\na b; c\n\nd";
  expect(linesOf(list)).toEqual(["a b; c", "d"]);
  expect(groupsOf(list, ";")).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  expect(relationOf([["a", "b"]], (word) => word).get("a")).toEqual(new Set(["b"]));
});
