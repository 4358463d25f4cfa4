// The statements of a block: what can be quoted alone, and what states nothing.

import { describe, expect, test } from "bun:test";
import { headingStates, statementsOf } from "../../../src/engine/chunking/statements.ts";
import { leavesOf } from "../../../src/engine/markdown/leaves.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";

const statements = (markdown: string) => leavesOf(markdown).flatMap(statementsOf);
const shown = (markdown: string) => statements(markdown).map((one) => one.shown);

test.each([
  ["a table of contents", "- [One](#one)\n  - [`two()`](#two)\n- [Three [3]](#three)", []],
  ["an item that says more than a link", "- [One](#one) is new", ["One is new"]],
  ["a link to another document", "- [One](one.md)", ["One"]],
  ["badges", "[![Build](b.svg)](https://b.example) [![npm][n]][m]", []],
  ["a picture", "![The map](map.png)", ["The map"]],
  [
    "the label of a part to unfold",
    "<details>\n<summary>Details</summary>\nIt is red.\n</details>",
    ["It is red."],
  ],
  ["an alert", "> [!NOTE]\n> Drain it first.", ["Drain it first."]],
  ["a footnote", "[^1]: Since May.", ["Since May."]],
  [
    "the line before a quotation",
    "On Tue, 18 Mar 2025 at 09:15, Ada Lane <a@b.example> wrote:\n\n> Come.",
    ["Come."],
  ],
])("%s", (_, markdown, expected) => expect(shown(markdown)).toEqual(expected));

describe("items", () => {
  const long = `\`interval\` (default: 100). ${"It is the time between two looks at a file. ".repeat(5)}`;

  test("the sentences of a long one know its first sentence", () => {
    const [first, second, third] = statements(`- ${long}`);
    expect([first!.shown, first!.part, first!.head]).toEqual([
      "`interval` (default: 100).",
      undefined,
      undefined,
    ]);
    expect([second!.part, second!.head]).toEqual([1, "`interval` (default: 100)."]);
    expect([third!.part, third!.head]).toEqual([2, "`interval` (default: 100)."]);
  });

  test("a long first sentence is not repeated", () => {
    const [, second] = statements(`- ${"word ".repeat(40)}end. Next one of this item is here.`);
    expect([second!.part, second!.head]).toEqual([1, undefined]);
  });

  test("their depth, step and box; the box is no word of theirs", () => {
    const found = statements("1. a\n   - [x] b\n   - [ ] c");
    expect(found.map(({ shown: text, plain, step, depth }) => [text, plain, step, depth])).toEqual([
      ["a", "a", 1, undefined],
      ["[x] b", "b", undefined, 1],
      ["[ ] c", "c", undefined, 1],
    ]);
  });
});

test.each([
  [
    "a chat",
    "[11:30] Ada: it is done. ask me\n[11:31] Bo: fine\nand good\n[11:40] Cy: bye",
    ["[11:30] Ada: it is done. ask me", "[11:31] Bo: fine and good", "[11:40] Cy: bye"],
  ],
  [
    "a piece of a chat",
    "thanks\n09:15 Gwen calls.\n09:48 It stops.\n09:50 Bye.",
    ["thanks", "09:15 Gwen calls.", "09:48 It stops.", "09:50 Bye."],
  ],
  ["the head of a letter", "**Date:** 3 May\n**Place:** Hall B", ["Date: 3 May", "Place: Hall B"]],
  ["a question with its answer", "Q: How big is it\nA: Two metres.", ["Q: How big is it A: Two metres."]],
  [
    "a chat with dates",
    "12/03/2025, 08:10 - Ada: it is done. ask me\n12/03/2025, 08:15 - Bo: fine",
    ["12/03/2025, 08:10 - Ada: it is done. ask me", "12/03/2025, 08:15 - Bo: fine"],
  ],
  ["a chat with a. m.", "2:15 PM Ada: done\n2:16 p.m. Bo: fine", ["2:15 PM Ada: done", "2:16 p.m. Bo: fine"]],
  ["names before times", "Ada (10:05): done\nBo (10:06): fine", ["Ada (10:05): done", "Bo (10:06): fine"]],
  ["lines of names", "**ada** 14:02\ndone\n**bo** 14:03\nfine", ["ada 14:02 done", "bo 14:03 fine"]],
  [
    "an interview",
    "A: How big?\nB: Two metres.\nA: Thanks.",
    ["A: How big?", "B: Two metres.", "A: Thanks."],
  ],
  [
    "questions without a label",
    "How big is it?\nA: Two metres.\nHow old is it?\nA: Three years.",
    ["How big is it?", "A: Two metres.", "How old is it?", "A: Three years."],
  ],
  [
    "questions with their answers",
    "Q: How big\nA: Two metres.\nQ: How old\nA: Three.",
    ["Q: How big A: Two metres.", "Q: How old A: Three."],
  ],
  ["wrapped times", "Start at\n10:30 and stop at\n11:30 sharp.", ["Start at 10:30 and stop at 11:30 sharp."]],
  ["wrapped prices", "3.50 for adults and\n2.50 for others.", ["3.50 for adults and 2.50 for others."]],
  ["wrapped prose", "We met at\n11:30 in the hall and\nleft.", ["We met at 11:30 in the hall and left."]],
])("the lines of %s", (_, markdown, expected) => expect(shown(markdown)).toEqual(expected));

test("a later sentence of a line knows the label of its line", () => {
  const found = statements("[11:30] Ada: It is done. Ask me.\n11:31 fine\nTel: 12");
  expect(found.map(({ shown: text, part, head, isLine }) => [text, part, head, isLine])).toEqual([
    ["[11:30] Ada: It is done.", undefined, undefined, true],
    ["Ask me.", 1, "[11:30] Ada:", true],
    ["11:31 fine", undefined, undefined, true],
    ["Tel: 12", undefined, undefined, true],
  ]);
});

test("a message of one paragraph knows who wrote it", () => {
  const found = statements("**Ada** 14:02\nIt is done. Ask me.");
  expect(found.map(({ shown: text, part, head }) => [text, part, head])).toEqual([
    ["Ada 14:02 It is done.", undefined, undefined],
    ["Ask me.", 1, "Ada 14:02"],
  ]);
});

test("the label of a line stays with a question in it, and times in it are no label", () => {
  const heads = (markdown: string) => statements(markdown).map(({ head }) => head);
  expect(heads("[08:10] Ada: hello all. Who takes the shift? I am away.\n[08:11] Bo: me")).toEqual([
    undefined,
    "[08:10] Ada:",
    "[08:10] Ada: Who takes the shift?",
    undefined,
  ]);
  expect(heads("08:10 The boiler stopped at 07:55 again. Tom came.\n08:20 All is warm.")).toEqual([
    undefined,
    "08:10",
    undefined,
  ]);
});

test("a question reaches three sentences, and one in the middle of a paragraph the next", () => {
  const heads = (markdown: string) => statements(markdown).map(({ head }) => head);
  expect(heads("How are you? I am here. It rains. It is cold. Pay it.")).toEqual([
    undefined,
    "How are you?",
    "How are you?",
    "How are you?",
    undefined,
  ]);
  expect(heads("It rains. Why? It is May. Pay it.")).toEqual([undefined, undefined, "Why?", undefined]);
});

test.each([
  ["in bold", "**May I bring my dog?**\nYes. On a lead. Ask us."],
  ["in the same line", "**May I bring my dog?** Yes. On a lead. Ask us."],
  ["without markup", "May I bring my dog? Yes. On a lead. Ask us."],
])("sentences behind a question %s know it", (_, markdown) => {
  expect(statements(markdown).map(({ shown: text, head }) => [text, head])).toEqual([
    ["May I bring my dog?", undefined],
    ["Yes. On a lead.", "May I bring my dog?"],
    ["Ask us.", "May I bring my dog?"],
  ]);
});

test("what is struck out is not stated", () => {
  expect(shown("~~£3,190~~ **£2,749** without tax")).toEqual(["£2,749 without tax"]);
});

test("code has the language of its fence", () => {
  expect(statements('```js title="a"\nx\n```')[0]!.language).toBe("js");
});

test.each([
  ["Release 3.1 (2 October 2024)", true],
  ["[0.5.0] - 2023-12-15", true],
  ["Price: 4 €", true],
  ["Usage", false],
  ["Chapter 4", false],
])("the heading %j states something: %p", (heading, states) => expect(headingStates(heading)).toBe(states));

test("hostile blocks are read in linear time", () => {
  for (const part of ["- [a](#", "[x](#y)[", "<summary>", "A: b\n", "12:00\n", "~~a", "On a wrote: "]) {
    const source = part.repeat(20_000 / part.length);
    const start = cpuMs();
    statements(source);
    expect([part, cpuMs() - start < 2_000]).toEqual([part, true]);
  }
});
