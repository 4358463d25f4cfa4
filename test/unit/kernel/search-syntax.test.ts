// The operators of a query: what is one, what is text, and what remains to be searched.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { literalSearch, parseSearch, readSearch } from "../../../src/kernel/search-syntax.ts";

/** Conditions in short: `-tag:x`. */
const read = (query: string) => {
  const { text, conditions } = readSearch(query);
  return [
    text,
    ...conditions.map(({ kind, value, isExcluded }) => `${isExcluded ? "-" : ""}${kind}:${value}`),
  ];
};

describe("operators", () => {
  test.each<[string, string[]]>([
    ['refund "sync plan" price', ["refund sync plan price", "phrase:sync plan"]],
    ["kettle -tea", ["kettle", "-phrase:tea"]],
    ['kettle -"green tea"', ["kettle", "-phrase:green tea"]],
    ["-self-driving cars", ["cars", "-phrase:self-driving"]],
    ['tag:home tag:"to do" soup', ["soup", "tag:home", "tag:to do"]],
    [
      "-tag:done path:Licenses/Refund title:refund",
      ["", "-tag:done", "path:Licenses/Refund", "title:refund"],
    ],
    [
      'in:"My notes" after:2026-01-01 before:2026-02-28',
      ["", "in:My notes", "after:2026-01-01", "before:2026-02-28"],
    ],
    ["  two  words   tag:a  three ", ["two  words three", "tag:a"]],
    ['"退款 规则"', ["退款 规则", "phrase:退款 规则"]],
    ["title:12:30", ["", "title:12:30"]],
  ])("%s", (query, expected) => expect(read(query)).toEqual(expected));
});

describe("text", () => {
  test.each([
    "http://x.org/a?b=c",
    "C:\\dir\\file",
    "at 10:30",
    "-1 degrees",
    "--flag -/path - -5%",
    'a lone " quote',
    '5" nails',
    'x="y" and "a"b',
    "foo:bar",
    "tag: path:",
    'tag:"" ""',
    'tag:"open',
    '"..." "!!"',
    "after:yesterday",
    "after:2026-13-01 before:2026-02-30",
    "-after:2026-01-01",
    "mytag:x (tag:y)",
  ])("%s", (query) => expect(read(query)).toEqual([query]));
});

test("an operator with a value that cannot be read is reported", () => {
  expect(readSearch("a after:yesterday foo:bar tag:x").unread).toEqual(["after:yesterday"]);
});

test("a query without quotes, colons and leading hyphens is its own text", () => {
  const plain = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[":]|(?<!\S)-/gu, " "));
  fc.assert(
    fc.property(plain, (query) => {
      expect(readSearch(query)).toEqual({ text: query, runs: [query], conditions: [], unread: [] });
    }),
  );
});

test("every token of a query is text or an operator, in any order", () => {
  const word = fc.constantFrom("kettle", "10:30", "http://x", "-1", "foo:bar", "after:soon", "Ωμέγα", "水");
  const operator = fc.constantFrom('"a b"', "-tea", "tag:x", 'path:"a b"', "after:2026-01-01", '-"c d"');
  fc.assert(
    fc.property(fc.array(fc.oneof(word, operator), { maxLength: 12 }), (tokens) => {
      const isOperator = (token: string) => /^(-?"|-tea|tag:|path:|after:2026)/.test(token);
      const { text, conditions } = readSearch(tokens.join(" "));
      expect(conditions).toHaveLength(tokens.filter(isOperator).length);
      const left = tokens.flatMap((token) =>
        token === '"a b"' ? ["a b"] : isOperator(token) ? [] : [token],
      );
      expect(text).toBe(left.join(" "));
    }),
  );
});

test("16 operators are read, more are rejected", () => {
  expect(parseSearch("tag:x ".repeat(16), "q").conditions).toHaveLength(16);
  expect(() => parseSearch("tag:x ".repeat(17), "q")).toThrow("at most 16 operators");
});

test("a literal search looks for the first text and requires the others", () => {
  const literal = (query: string) => {
    const { text, conditions } = literalSearch(readSearch(query));
    return [text, ...conditions.map(({ value }) => value)];
  };
  expect(literal('say "hello" now')).toEqual(["say", "hello", "now"]);
  expect(literal('"hello" tag:x')).toEqual(["hello", "hello", "x"]);
  expect(literal("tag:x")).toEqual(["", "x"]);
});
