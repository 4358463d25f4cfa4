// Bounds on the number of values and on the depth of a body, before it is parsed.

import { describe, expect, test } from "bun:test";
import { checkStructure } from "../../../src/http/json-structure.ts";
import { badRequest } from "../../../src/kernel/errors.ts";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";

const { depth, values, members } = LIMITS.body;
const check = (text: string) => () => checkStructure(Buffer.from(text));

test.each([
  ["an empty text", ""],
  ["the deepest nesting", `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`],
  ["brackets and commas in strings", `{"a":"${"[{,".repeat(values)}"}`],
  ["brackets after escaped quotes", `{"a":"${'\\"['.repeat(depth * 2)}"}`],
  ["brackets after escaped backslashes", `{"a":"\\\\","b":[]}`],
  ["a string without an end", `{"a":"[[[`],
  [
    "as many names as allowed, and colons in strings",
    `{"a":"${":".repeat(members)}"${',"a":1'.repeat(members - 1)}}`,
  ],
  ["as many values as allowed", `[${"1,".repeat(values - 2)}1]`],
])("%s is accepted", (_name, text) => {
  expect(check(text)).not.toThrow();
});

test.each([
  ["one level too many", `{"a":${"[".repeat(depth + 1)}`, "is nested deeper than 64 levels"],
  ["one value too many", `[${"1,".repeat(values - 1)}1]`, "contains more than 100000 values"],
  ["one name too many", `{${'"a":1,'.repeat(members)}"a":1}`, "contains more than 10000 names of members"],
  [
    "names in many objects",
    `[${'{"a":1},'.repeat(members)}{"a":1}]`,
    "contains more than 10000 names of members",
  ],
  ["many empty objects", `[${"{},".repeat(values)}1]`, "contains more than 100000 values"],
])("%s is rejected", (_name, text, message) => {
  expect(check(text)).toThrow(`body: ${message}`);
});

test("40 MB of brackets, objects, quotes or backslashes are rejected or read in linear time", () => {
  const startedAt = cpuMs();
  for (const piece of ["[", "{},", '\\"', "\\\\", '"', "1,", " "]) {
    const text = `{"a":${piece.startsWith("\\") ? '"' : ""}${piece.repeat(40_000_000 / piece.length)}`;
    try {
      checkStructure(Buffer.from(text));
    } catch {
      // Most are rejected.
    }
  }
  expect(cpuMs() - startedAt).toBeLessThan(20_000);
});

describe("sizes of fields", () => {
  const sizes = new Map([
    ["a", { sentBytes: 10, failure: () => badRequest({ path: "a", message: "is too large" }) }],
  ]);
  const checkSizes = (text: string) => () => checkStructure(Buffer.from(text), sizes);

  test.each([
    ["as large as allowed", '{"a":"12345678","b":1}'],
    ["the last one", '{"b":1,"a":"12345678"}'],
    ["a larger one with another name", `{"b":"${"x".repeat(100)}","aa":"${"x".repeat(100)}"}`],
    ["a larger one of a nested object", `{"b":{"a":"${"x".repeat(100)}"}}`],
    ["a text with the name", `{"b":["a","${"x".repeat(100)}"]}`],
    ["a list in place of an object", `["a","${"x".repeat(100)}"]`],
  ])("%s is accepted", (_name, text) => {
    expect(checkSizes(text)).not.toThrow();
  });

  test.each([
    ["a text", `{"a":"${"x".repeat(100)}"}`],
    ["a text that does not end", `{"a":"${"x".repeat(100)}`],
    ["a list", `{"a":[${"1,".repeat(100)}1],"b":1}`],
    ["an object", `{"b":1,"a":{"b":{"c":["${"x".repeat(100)}"]}}}`],
    ["white space", `{"a":${" ".repeat(100)}1}`],
    ["the second of two", `{"a":1,"a":"${"x".repeat(100)}"}`],
  ])("%s that is larger is rejected", (_name, text) => {
    expect(checkSizes(text)).toThrow("a: is too large");
  });
});
