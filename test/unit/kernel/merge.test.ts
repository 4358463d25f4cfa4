// Merging two changes of one record, and keeping the line ends of a stored text.

import { describe, expect, test } from "bun:test";
import { withLineEndsOf, withoutCarriageReturns } from "../../../src/console/text/line-ends.ts";
import { type MergedBy, mergeField } from "../../../src/kernel/merge.ts";

const merge = (by: MergedBy, base: string, mine: string, theirs: string) =>
  mergeField({ base, mine, theirs }, by);

describe("lines", () => {
  test.each([
    ["changes of different lines", "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"],
    ["a line added by each", "a\nb\n", "0\na\nb\n", "a\nb\nc\n", "0\na\nb\nc\n"],
    ["the same change", "a\nb\n", "a\nx\n", "a\nx\n", "a\nx\n"],
    ["a text without an end of the last line", "a\nb\nc", "a\nb\nc", "a\nB\nc", "a\nB\nc"],
    ["a line removed by one side", "a\nb\nc\nd\n", "a\nc\nd\n", "a\nb\nc\nD\n", "a\nc\nD\n"],
  ])("%s", (_name, base, mine, theirs, merged) => {
    expect(merge("lines", base, mine, theirs)).toEqual([merged]);
  });

  test("a line that both have changed is left to the person", () => {
    expect(merge("lines", "a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n")).toEqual([
      "a\n",
      { base: "b\n", mine: "mine\n", theirs: "theirs\n" },
      "c\n",
    ]);
  });

  test("no line is lost or invented, also where thousands differ", () => {
    const text = (side: string) => Array.from({ length: 6_000 }, (_, i) => `${side} ${i}\n`).join("");
    expect(merge("lines", `x\n${text("a")}y\n`, `x\n${text("b")}y\n`, `x\n${text("c")}y\n`)).toEqual([
      "x\n",
      { base: text("a"), mine: text("b"), theirs: text("c") },
      "y\n",
    ]);
  });
});

test.each([
  ["a, b", "a, b, mine", "a", "a, mine"],
  ["a", "a, mine", "a, theirs", "a, mine, theirs"],
  ["a, b", "b", "a", ""],
])("lists: %s, %s and %s are %s", (base, mine, theirs, merged) => {
  expect(merge("list", base, mine, theirs)).toEqual([merged]);
});

test("members of JSON objects are merged, unless both have changed the same one", () => {
  const [merged] = merge("members", '{"a":1,"b":1}', '{"a":2,"b":1}', '{"a":1,"c":3}');
  expect(JSON.parse(String(merged))).toEqual({ a: 2, c: 3 });
  const clash = { base: '{"a":1}', mine: '{"a":2}', theirs: '{"a":3}' };
  expect(mergeField(clash, "members")).toEqual([clash]);
  const invalid = { base: "{}", mine: "{", theirs: '{"a":3}' };
  expect(mergeField(invalid, "members")).toEqual([invalid]);
});

describe("line ends", () => {
  test.each([
    ["a changed line", "a\r\nb\r\nc\r\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n"],
    ["an added line", "a\r\nb\r\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\n"],
    ["mixed ends", "a\r\nb\nc\rd", "a\nb\nc\nD", "a\r\nb\nc\rD"],
    ["mixed ends after a removed line", "a\r\nb\nc\rd\n", "a\nc\nd\n", "a\r\nc\rd\n"],
    ["no end of the last line", "a\r\nb", "a\nb", "a\r\nb"],
    ["LF only", "a\nb\n", "a\nc\n", "a\nc\n"],
    ["a text that was emptied", "a\r\nb\r\n", "", ""],
  ])("%s", (_name, stored, typed, expected) => {
    expect(withLineEndsOf(stored, typed)).toBe(expected);
  });

  test("what was not changed is stored as it was", () => {
    for (const text of ["", "\r\n", "a\r\r\nb\n\rc", "\n\r\n\r\n\n", "a\r\nb\na\r\nb\n"]) {
      expect(withLineEndsOf(text, withoutCarriageReturns(text))).toBe(text);
    }
  });
});
