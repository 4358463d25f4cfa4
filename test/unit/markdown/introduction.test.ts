// What introduces a list, a table or code.

import { expect, test } from "bun:test";
import {
  announcesNext,
  continuesTable,
  introductionOf,
  mayBeIntroduced,
} from "../../../src/engine/markdown/introduction.ts";

test.each([
  ["Run this:", true],
  ["运行： \n", true],
  ["At 8:30 it rains.", false],
])("%j announces what follows: %p", (text, announces) => expect(announcesNext(text)).toBe(announces));

test.each([
  ["- a", true],
  ["1. a", true],
  ["~~~\na", true],
  ["    a", true],
  ["| a | b |", true],
  ["Text", false],
  ["2 apples", false],
])("%j may be introduced: %p", (text, may) => expect(mayBeIntroduced(text)).toBe(may));

test.each([
  ["| 3 | 4 |\n| 5 | 6 |", true],
  ["| Head |\n|---|\n| 1 |", false],
  ["| Head |\n| :-- |", false],
  ["Text", false],
])("%j continues a table: %p", (text, continues) => expect(continuesTable(text)).toBe(continues));

test("the paragraph before a list or code", () => {
  for (const text of ["- a", "```\na\n```"])
    expect(introductionOf(text, "First. Then do this:")).toEqual({ paragraph: "First. Then do this:" });
});

test.each([
  ["Text", "Before:"],
  ["- a", undefined],
  ["* * *", "Before:"],
  ["- a", "| b |\n|---|"],
])("nothing introduces %j after %j", (text, before) => expect(introductionOf(text, before)).toEqual({}));

test("the header row of a split table", () => {
  expect(introductionOf("| 4 |", "| Head |\n|---|\n| 1 |")).toEqual({ tableHead: "| Head |" });
  expect(introductionOf("| 4 |", "Text")).toEqual({ tableHead: "" });
  expect(introductionOf("| 4 |")).toEqual({ tableHead: "" });
  expect(introductionOf("| Head |\n|---|\n| 1 |", "Prices:")).toEqual({ paragraph: "Prices:" });
});
