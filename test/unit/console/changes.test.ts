// Undoing one of the changes between two texts, by lines and by blocks of Markdown.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compareBlocks } from "../../../src/console/text/block-changes.ts";
import { compare } from "../../../src/kernel/compare.ts";

/** The later text with each change undone by itself. */
function undoneLines(before: string, after: string): string[] {
  const { rows, undone } = compare(before, after);
  const changes = new Set(rows.flatMap((row) => (row.kind === "gap" ? [] : (row.change ?? []))));
  return [...changes].map(undone);
}
const undoneBlocks = (before: string, after: string) =>
  compareBlocks(before, after).flatMap((run) => (run.kind === "changed" ? run.undone() : []));

describe.each([
  ["lines", undoneLines, (parts: string[]) => parts.map((part) => `${part}\n`).join("")],
  ["blocks", undoneBlocks, (parts: string[]) => parts.join("\n\n")],
])("by %s", (_name, undone, join) => {
  const text = (...parts: string[]) => join(parts);

  test("each change is undone by itself", () => {
    expect(undone(text("a", "b", "c", "d"), text("A", "b", "d", "e"))).toEqual([
      text("a", "b", "d", "e"),
      text("A", "b", "c", "d", "e"),
      text("A", "b", "d"),
    ]);
  });

  test("all of a text can be undone", () => {
    expect(undone("a", text("x", "y"))).toEqual(["a"]);
    expect(undone("", text("x", "y"))).toEqual([""]);
    expect(undone(text("x", "y"), "")).toEqual([text("x", "y")]);
  });

  test("undoing the only change returns the earlier text", () => {
    const words = fc.array(fc.constantFrom("one", "two", "- list", "# head", "> said"), { maxLength: 6 });
    fc.assert(
      fc.property(words, words, words, words, (head, removed, added, tail) => {
        const [before, after] = [text(...head, ...removed, ...tail), text(...head, ...added, ...tail)];
        const changed = undone(before, after);
        if (changed.length === 1) expect(changed).toEqual([before]);
      }),
    );
  });
});

test("ends of lines stay as they are", () => {
  expect(undoneLines("a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n")).toEqual(["a\r\nb\r\nc\r\n"]);
});
