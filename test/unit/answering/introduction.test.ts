// What introduces a list, a table or code.

import { expect, test } from "bun:test";
import { announcesNext, introductionOf, isIntroduced } from "../../../src/engine/answering/introduction.ts";

test.each([
  ["Run this:", true],
  ["运行： \n", true],
  ["At 8:30 it rains.", false],
])("%j announces what follows: %p", (text, announces) => expect(announcesNext(text)).toBe(announces));

test.each([
  ["- a", true],
  ["~~~\na", true],
  ["| a | b |", true],
  ["| a |\n|---|", true],
  ["Text", false],
  ["* * *", false],
])("%j is introduced: %p", (text, introduced) => expect(isIntroduced(text)).toBe(introduced));

test("the last sentence before a list or code", () => {
  expect(introductionOf("- a", ["First. Then do this:", "Earlier."])).toEqual({ lead: "Then do this:" });
  const { lead = "" } = introductionOf("```\na\n```", [`${"word ".repeat(200)}here`]);
  expect([lead.slice(-9), lead.length <= 400]).toEqual(["word here", true]);
});

test.each([
  ["Text", ["Before:"]],
  ["- a", []],
  ["- a", ["| b |\n|---|"]],
])("nothing introduces %j after %j", (text, before) => expect(introductionOf(text, before)).toEqual({}));

test("the header row of a split table, however many pieces lie between", () => {
  const pieces = ["| 3 |", "| 2 |", "| Head |\n|---|\n| 1 |", "Before:"];
  expect(introductionOf("| 4 |", pieces)).toEqual({ tableHead: "| Head |" });
  expect(introductionOf("| 4 |", ["| 3 |", "Text"])).toEqual({ tableHead: "" });
  expect(introductionOf("| 4 |", [])).toEqual({ tableHead: "" });
  expect(introductionOf("| Head |\n|---|\n| 1 |", ["Prices:"])).toEqual({ lead: "Prices:" });
});

test("no more paragraphs are read than necessary", () => {
  let read = 0;
  function* before() {
    for (;;) {
      read++;
      yield "Text:";
    }
  }
  introductionOf("Text", before());
  expect(read).toBe(0);
  introductionOf("- a", before());
  introductionOf("| a |", before());
  expect(read).toBe(2);
});
