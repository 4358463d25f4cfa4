// Short Markdown texts as leaf blocks.

import { describe, expect, test } from "bun:test";
import { kindAtStart, type Leaf, leavesOf, tableHeadOf } from "../../../src/engine/markdown/leaves.ts";

describe("leavesOf", () => {
  test.each<[string, string, Leaf[]]>([
    [
      "nested items, a task and a numbered list",
      "- [x] a\n  more\n  - b\n\n  c\n\n2. d\n3) e",
      [
        { kind: "item", text: "a\nmore", task: "[x]" },
        { kind: "item", text: "b", depth: 1 },
        { kind: "item", text: "c" },
        { kind: "item", text: "d", step: 2 },
        { kind: "item", text: "e", step: 3 },
      ],
    ],
    [
      "code in an item in a quote",
      "> 1. Run:\n>    ```sh\n>    a\n>    ```\n>    Done.",
      [
        { kind: "item", text: "Run:", step: 1 },
        { kind: "code", text: "a\n", language: "sh" },
        { kind: "item", text: "Done." },
      ],
    ],
    [
      "a table, and text right below it",
      "| a | b |\n|:--|--:|\n| x \\| y | `1` |\nOne\ntwo",
      [
        { kind: "row", headers: ["a", "b"], cells: ["x | y", "`1`"] },
        { kind: "prose", text: "One\ntwo" },
      ],
    ],
    [
      "front matter",
      "---\ntitle: A\ntags:\n  - b\n---\n\nText",
      [
        { kind: "field", text: "title: A" },
        { kind: "prose", text: "tags:" },
        { kind: "item", text: "b" },
        { kind: "prose", text: "Text" },
      ],
    ],
    ["definitions and thematic breaks", "[a]: b\n\n***\n\nText", [{ kind: "prose", text: "Text" }]],
    ["nothing", " \n\n", []],
  ])("%s", (_name, text, leaves) => expect(leavesOf(text)).toEqual(leaves));

  test.each([
    ["| D | 5 |", "| Part | Price |", ["Part", "Price"], ["D", "5"]],
    ["| D | 5 |", "Part | Price", ["Part", "Price"], ["D", "5"]],
    ["| D | 5 |", "| Part |", ["Part", ""], ["D", "5"]],
    ["| D | 5 |", "", ["", ""], ["D", "5"]],
    ["| D |", "| Part | Price |", ["Part", "Price"], ["D", ""]],
  ])("%s continues a table with the header %j", (text, head, headers, cells) =>
    expect(leavesOf(text, head)).toEqual([{ kind: "row", headers, cells }]),
  );
});

test.each([
  ["- a", "list"],
  ["  12) a", "list"],
  ["```\na", "code"],
  ["    a", "code"],
  ["| a |\n|---|\n| b |", "table"],
  ["| a |\n| b |", "other"],
  ["---\n- a", "other"],
  ["12.a", "other"],
  ["", "other"],
] as const)("%j starts with: %s", (text, kind) => expect(kindAtStart(text)).toBe(kind));

test.each([
  ["| a | b |\r\n|--|--|\r\n| c | d |", "| a | b |"],
  ["a | b\n--|--", "a | b"],
  ["| a | b |\n| c | d |", undefined],
  ["a\n---", undefined],
])("the header row of %j is %j", (text, head) => expect(tableHeadOf(text)).toBe(head));
