// What the terminal may receive: no escape sequences, control characters or overrides of the direction, in linear time.

import { describe, expect, test } from "bun:test";
import { printable, printableJson, printableLine } from "../../../src/cli/printable.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";

describe("printable", () => {
  test.each([
    ["a\tb\nc\r\nd", "a\tb\nc\r\nd"],
    ["a\rb", "ab"],
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]52;c;cm0gLXJm\u0007x", "x"],
    ["\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["\u001b]never closed\nnext", "]never closed\nnext"],
    ["\u009b2Jx\u0090y\u009c", "xy"],
    ["\u0000\u0008\u007f\u0085x", "x"],
    ["user\u202etxt.exe\u2066\u2069\u061c", "usertxt.exe"],
    ["a\u2028b\u2029c", "abc"],
    ["hidden\u{e0041}\u{e007f}", "hidden"],
    ["\ud800x", "\ufffdx"],
    ["👩‍👩‍👧 é 東京 שלום", "👩‍👩‍👧 é 東京 שלום"],
  ])("%j becomes %j", (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test.each(["\u001b[", "\u009d", "\u001b]", "\u001b[0", "\r"])("is linear for many %j", (piece) => {
    const startedAt = cpuMs();
    expect(printable(piece.repeat(500_000))).not.toMatch(/[\u001b\u009d]/);
    expect(cpuMs() - startedAt).toBeLessThan(5_000);
  });
});

test("a line has no line ends", () => {
  expect(printableLine(" a\r\n b\u2028c\td ")).toBe("a b c d");
});

test("JSON is parsed to the same value and has no such character", () => {
  const value = { "k\u009b": "\u001b[31m\u007f\u202e\u2028", list: ["é"] };
  const json = printableJson(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).not.toMatch(/[\u007f-\u009f\u202e\u2028\u001b]/);
});
