// The functions of texts in the console, without a browser.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readFragment } from "../../../src/console/frame/routes.ts";
import { compare, type DiffRow } from "../../../src/kernel/compare.ts";
import { ago, bytes, duration, highlight, parseTags, plural } from "../../../src/console/text/format.ts";
import { createBlockReader, renderBlocks } from "../../../src/console/text/markdown.ts";
import { fill, placeholdersIn } from "../../../src/kernel/placeholders.ts";
import { inTreeOrder } from "../../../src/console/text/tree.ts";

describe("blocks of Markdown", () => {
  const ID = "2yGqQzDbdVZNFCVpSyVEFDUUbZ5";

  test.each([
    ["lines that end with LF", "# a\n\ntext\n\n- x\n- y\n"],
    ["lines that end with CRLF", "# a\r\n\r\ntext\r\n\r\n- x\r\n- y\r\n"],
    ["lines that end with CR", "# a\r\rtext\r\r- x\r- y\r"],
    ["front matter", "---\ntitle: x\n---\n# a\n\ntext\n\n- x\n- y"],
  ])("have their places in the source: %s", (_name, text) => {
    const blocks = renderBlocks(text).filter(({ html }) => !html.includes("title: x"));
    expect(blocks.map(({ start, end }) => text.slice(start, end).trim().replace(/\r\n?/g, "\n"))).toEqual([
      "# a",
      "text",
      "- x\n- y",
    ]);
  });

  test("cited ids become links to their positions, and other ids remain text", () => {
    const [block] = renderBlocks(`Yes [[${ID}]] and [[${ID.replace("2", "3")}]].`, [ID]);
    expect(block?.html).toContain('<a href="#cite-0">[1]</a>');
    expect(block?.html).toContain(`[[${ID.replace("2", "3")}]]`);
    expect(renderBlocks(`[[${ID}]]`)[0]?.html).toContain(`[[${ID}]]`);
  });

  test("an empty text has none", () => expect(renderBlocks("")).toEqual([]));
});

describe("reading only the changed blocks", () => {
  const PIECES = [
    "# Heading\n",
    "\n",
    "a paragraph\n",
    "    indented\n",
    "- item\n",
    "  more of it\n",
    "1. one\n",
    "> quote\n",
    "```\n",
    "~~~ js\n",
    "| a | b |\n",
    "|---|---|\n",
    "===\n",
    "---\n",
    "<div>\n",
    "</div>\n",
    "<!--\n",
    "-->\n",
    "[link]: https://example.org\n",
    "[link] and ![x][link]\n",
    "[^1]: note\n",
    "\r\n",
    "text",
    "\t- tab\n",
    "***\n",
    "title: x\n",
    "> [!NOTE]\n",
    "- [x] [[wiki]]\n",
  ];
  const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(""));
  const edits = fc.array(
    fc.record({ at: fc.nat(), removed: fc.nat({ max: 40 }), added: fc.constantFrom("", "x", ...PIECES) }),
    { minLength: 1, maxLength: 12 },
  );

  test("finds the same blocks as reading everything", () => {
    fc.assert(
      fc.property(texts, edits, (text, changes) => {
        const read = createBlockReader();
        let current = text;
        read(current);
        for (const { at, removed, added } of changes) {
          const start = current.length === 0 ? 0 : at % (current.length + 1);
          current = current.slice(0, start) + added + current.slice(start + removed);
          expect(read(current)).toEqual(renderBlocks(current));
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe("comparison", () => {
  const shown = (rows: DiffRow[]) =>
    rows.map((row) =>
      row.kind === "gap" ? `…${row.lines}` : `${row.kind[0]} ${row.pieces.map(({ text }) => text).join("")}`,
    );

  test("shows changed lines with three lines around them", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    const after = before.replace("5", "five");
    expect(shown(compare(before, after).rows)).toEqual([
      "…1",
      "s 2",
      "s 3",
      "s 4",
      "r 5",
      "a five",
      "s 6",
      "s 7",
      "s 8",
      "…1",
    ]);
  });

  test("marks the changed words of a changed line", () => {
    const { rows } = compare("the old text\n", "the new text\n");
    const changed = rows.flatMap((row) =>
      row.kind === "gap" ? [] : row.pieces.filter(({ isChanged }) => isChanged),
    );
    expect(changed.map(({ text }) => text)).toEqual(["old", "new"]);
  });

  test("equal texts are equal", () => expect(compare("a", "a")).toMatchObject({ rows: [], isEqual: true }));

  test("from nothing, everything is added", () =>
    expect(shown(compare("", "a\nb").rows)).toEqual(["a a", "a b"]));
});

describe("placeholders", () => {
  test.each<[string, string[]]>([
    ["Review ${diff} for ${team} and ${diff}", ["diff", "team"]],
    ["no placeholders $x {y} ${}", []],
    ["${ spaced }", ["spaced"]],
  ])("of %s", (content, names) => expect(placeholdersIn(content)).toEqual(names));

  test("without a value they remain, and values are not filled in again", () => {
    expect(fill("${a} ${b} $&", { a: "${b} $1" })).toBe("${b} $1 ${b} $&");
  });
});

describe("formats", () => {
  const now = 1_800_000_000_000;
  test.each([
    [0, "just now"],
    [-5 * 60_000, "5 minutes ago"],
    [-3 * 3_600_000, "3 hours ago"],
    [-26 * 3_600_000, "yesterday"],
    [30_000, "in a moment"],
  ])("a time %p ms from now", (ms, text) => expect(ago(now + ms, now)).toBe(text));

  test.each([
    [0, "0 bytes"],
    [1536, "1.5 kB"],
    [250 * 1024 ** 2, "250 MB"],
  ])("%p bytes", (count, text) => expect(bytes(count)).toBe(text));

  test.each([
    [0.4, "0 ms"],
    [15.2, "15 ms"],
    [1_440, "1.4 s"],
  ])("%p milliseconds", (ms, text) => expect(duration(ms)).toBe(text));

  test("tags, and numbers of things", () => {
    expect(parseTags(" a, b ,,a")).toEqual(["a", "b"]);
    expect([plural(1, "file"), plural(1200, "file")]).toEqual(["1 file", "1,200 files"]);
  });

  test.each<[string, string, string[]]>([
    ["The kettle whistles.", "what does the kettle do", ["kettle"]],
    ["Storm of October", "to", ["to"].slice(1)],
    ["cats and a cat", "cat", ["cats", "cat"]],
    ["東京の天気", "東京", ["東京"]],
    ["a (b) c", "(b)", ["b"]],
  ])("of %p the words of %p are marked", (text, query, marked) => {
    expect(highlight(text, query).filter((_, index) => index % 2 === 1)).toEqual(marked);
    expect(highlight(text, query).join("")).toBe(text);
  });
});

test("collections follow their parents; a circle and an unknown parent do not hide any that can be reached", () => {
  const items = [
    { id: "b", parentId: "a" },
    { id: "a", parentId: null },
    { id: "c", parentId: "gone" },
    { id: "d", parentId: "b" },
  ];
  expect(inTreeOrder(items).map(({ item, depth }) => `${item.id}${depth}`)).toEqual(["a0", "b1", "d2", "c0"]);
});

test.each([
  ["#signin=abc", "abc", ""],
  ["#signin=abc&chunk", "abc", "chunk"],
  ["#chunk", undefined, "chunk"],
  ["", undefined, ""],
])("the fragment %p", (hash, code, fragment) => expect(readFragment(hash)).toEqual({ code, fragment }));
