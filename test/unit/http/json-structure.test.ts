// Bounds on the number of values and on the depth of a body, before it is parsed.

import { expect, test } from "bun:test";
import { checkStructure } from "../../../src/http/json-structure.ts";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";

const { depth, values } = LIMITS.body;
const check = (text: string) => () => checkStructure(Buffer.from(text));

test.each([
  ["an empty text", ""],
  ["the deepest nesting", `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`],
  ["brackets and commas in strings", `{"a":"${"[{,".repeat(values)}"}`],
  ["brackets after escaped quotes", `{"a":"${'\\"['.repeat(depth * 2)}"}`],
  ["brackets after escaped backslashes", `{"a":"\\\\","b":[]}`],
  ["a string without an end", `{"a":"[[[`],
  ["as many values as allowed", `[${"1,".repeat(values - 2)}1]`],
])("%s is accepted", (_name, text) => {
  expect(check(text)).not.toThrow();
});

test.each([
  ["one level too many", `{"a":${"[".repeat(depth + 1)}`, "is nested deeper than 64 levels"],
  ["one value too many", `[${"1,".repeat(values - 1)}1]`, "contains more than 500000 values"],
  ["many empty objects", `[${"{},".repeat(values)}1]`, "contains more than 500000 values"],
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
