// What introduces a list, a table or code.

import { expect, test } from "bun:test";
import {
  announces,
  continuesTable,
  introductionOf,
  mayIntroduce,
} from "../../../src/engine/markdown/introduction.ts";

test.each([
  ["Run this:", "- a", true],
  ["运行： \n", "```\na\n```", true],
  ["Run this:", "Text", false],
  ["At 8:30 it rains.", "- a", false],
  ["**Where is it?**", "Text", true],
  ["Why should I?\n", "- a", true],
  [`${"Long ago, ".repeat(20)}who knows?`, "Text", false],
])("%j announces %j: %p", (text, next, does) => expect(announces(text, next)).toBe(does));

test.each([
  ["- a", true],
  ["1. a", true],
  ["~~~\na", true],
  ["    a", true],
  ["| a | b |", true],
  ["Text", false],
  ["2 apples", false],
])("prose may introduce %j: %p", (text, may) => expect(mayIntroduce("Prose.", text)).toBe(may));

test.each([
  ["Where is it?", "In the hall.", true],
  ["**Ana** 14:02\nDo we charge?", "**Jo** 14:05\nno", true],
  ["[14:02] Ana: do we charge?", "[14:05] Jo: no", true],
  ["14:02 We charge.", "The price list is new.", false],
  ["Prices are new.", "14:02 We charge.", false],
])("%j may introduce %j: %p", (before, text, may) => expect(mayIntroduce(before, text)).toBe(may));

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

test("the question or the message before prose", () => {
  expect(introductionOf("In the hall.", "Where is it?")).toEqual({ paragraph: "Where is it?" });
  expect(introductionOf("**Jo** 14:05\nno", "**Ana** 14:02\nyes?")).toEqual({
    paragraph: "**Ana** 14:02\nyes?",
  });
});

test.each([
  ["**Jo** 14:05\nno", "Prices are new."],
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

test("the rows of a delimited table that was split get its first line, others none", () => {
  const first = "id;name;price\n12;Vice;45.00\n13;Saw;9.50";
  const next = "14;Drill;80.00\n15;Lamp;12.00";
  expect(continuesTable(first)).toBe(false);
  expect(continuesTable(next)).toBe(true);
  expect(introductionOf(next, first)).toEqual({ tableHead: "id;name;price" });
  expect(introductionOf(next, "Prose.")).toEqual({ tableHead: "" });
  expect(introductionOf(next, "a;b;c;d\n1;2;3;4")).toEqual({ tableHead: "" });
  expect(introductionOf(first, "Our tools:")).toEqual({ paragraph: "Our tools:" });
});
