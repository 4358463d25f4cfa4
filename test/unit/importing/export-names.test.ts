// File names of an export: safe on every platform and unique, also where letter case does not count.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Nameable, safeName, uniqueNames } from "../../../src/importing/export-names.ts";

const record = (id: string, title: string, metadata: Record<string, unknown> = {}): Nameable => ({
  id,
  kind: "document",
  title,
  metadata,
});

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
      const records = titles.map((text, index) => record(String(index).padStart(27, "0"), text));
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
  const records = ["000000000000000000000abcdef", "000000000000000000000ghijkl"].map((id) =>
    record(id, "Same"),
  );
  const expected = { [records[0]!.id]: "Same abcdef", [records[1]!.id]: "Same ghijkl" };
  expect(Object.fromEntries(uniqueNames(records))).toEqual(expected);
  expect(Object.fromEntries(uniqueNames(records.toReversed()))).toEqual(expected);
});

const imported = (importPath: unknown, importRoot?: unknown) =>
  record("0".repeat(27), "Title", { importPath, importRoot });

test.each([
  ["/home/ada/notes/sub/tea.md", "/home/ada/notes", "notes/sub/tea"],
  ["C:\\notes\\sub\\tea.md", "C:\\notes", "notes/sub/tea"],
  ["/notes/tea.txt", "/", "notes/tea"],
  // A file that was named.
  ["/home/ada/tea.md", undefined, "tea"],
  // Its place in an export that was imported.
  ["/home/ada/export/documents/notes/tea.md", "/home/ada/export", "notes/tea"],
  ["/home/ada/documents/tea.md", "/home/ada/documents", "tea"],
  ["/elsewhere/tea.md", "/home/ada/notes", "tea"],
  ["/a/../../etc/passwd.md", "/a", "a/untitled/untitled/etc/passwd"],
  ["/a/../x.md", "/a/..", "untitled/x"],
  ["/n/node_modules/x.md/CON/y.md", "/n", "n/_node_modules/x.md_/_CON/y"],
  ["/n/.git/hooks/x.md", "/n", "n/git/hooks/x"],
  [`/n/${"x/".repeat(100)}y.md`, "/n", "Title"],
  [`/n/${`${"x".repeat(150)}/`.repeat(8)}y.md`, "/n", "Title"],
  [7, "/n", "Title"],
  ["", "/n", "untitled"],
])("a record of %j in %j is written to %j", (path, root, name) => {
  expect([...uniqueNames([imported(path, root)]).values()]).toEqual([name]);
});

test("files that differ in case, or in what follows the last dot, get their ids, and so do equal roots", () => {
  const paths = [
    ["/a/notes/Tea.md", "/a/notes"],
    ["/a/notes/tea.md", "/a/notes"],
    ["/a/notes/bread.md", "/a/notes"],
    ["/b/Notes/bread.txt", "/b/Notes"],
    ["/a/notes/only.md", "/a/notes"],
  ] as const;
  const records = paths.map(([path, root], at) =>
    record(String(at).padStart(27, "0"), "Title", { importPath: path, importRoot: root }),
  );
  expect([...uniqueNames(records).values()]).toEqual([
    "notes/Tea 000000",
    "notes/tea 000001",
    "notes/bread 000002",
    "Notes/bread 000003",
    "notes/only",
  ]);
});

test("whatever the stored path is, the file stays in the folder", () => {
  const part = fc.oneof(
    fc.constantFrom("..", ".", "", "a", "documents", "C:", "\0", "~"),
    fc.string({ unit: "binary" }),
  );
  const path = fc
    .tuple(fc.array(part, { maxLength: 8 }), fc.constantFrom("/", "\\"))
    .map(([parts, between]) => parts.join(between));
  fc.assert(
    fc.property(path, path, (file, root) => {
      const [name = ""] = uniqueNames([imported(`${root}/${file}`, root)]).values();
      for (const segment of name.split("/")) {
        expect(segment).not.toMatch(/^\.{0,2}$|[\\:\0]|[. ]$/);
        expect(Buffer.byteLength(`${segment}.content.html`)).toBeLessThan(256);
      }
    }),
  );
});
