// File names of an export: safe on every platform and unique, also where letter case does not count.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { safeName, uniqueNames } from "../../../src/cli/exporting/names.ts";

test.each([
  ["Kitchen notes", "Kitchen notes"],
  ['a/b\\c:d*e?f"g<h>i|j', "a-b-c-d-e-f-g-h-i-j"],
  ["../../etc/passwd", "etc-passwd"],
  ["CON", "_CON"],
  ["nul.txt", "_nul.txt"],
  ["a\u202eb\u0000c\nd", "a-b-c-d"],
  ["...", "untitled"],
  ["🫖 Tee", "🫖 Tee"],
  ["trailing. ", "trailing"],
])("%j becomes %j", (title, name) => {
  expect(safeName(title)).toBe(name);
});

test("every name is unique and fits into 255 bytes with its extension", () => {
  const title = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("a", "A", "ä", "a\u0308", "x".repeat(500)),
  );
  fc.assert(
    fc.property(fc.array(title, { maxLength: 20 }), (titles) => {
      const records = titles.map((text, index) => ({ id: String(index).padStart(27, "0"), title: text }));
      const names = [...uniqueNames(records).values()];
      expect(new Set(names.map((name) => name.normalize("NFKC").toLowerCase())).size).toBe(titles.length);
      for (const name of names) {
        expect(Buffer.byteLength(`${name}.content.html`)).toBeLessThan(256);
        expect(name).not.toMatch(/[/\\:*?"<>|\p{Cc}]|^\.|[. ]$/u);
      }
    }),
  );
});

test("records of one title are told apart by their ids, whatever their order", () => {
  const records = ["000000000000000000000abcdef", "000000000000000000000ghijkl"].map((id) => ({
    id,
    title: "Same",
  }));
  const expected = { [records[0]!.id]: "Same abcdef", [records[1]!.id]: "Same ghijkl" };
  expect(Object.fromEntries(uniqueNames(records))).toEqual(expected);
  expect(Object.fromEntries(uniqueNames(records.toReversed()))).toEqual(expected);
});
