// Small files that would keep the reader busy for minutes: parts that are named again and again, texts that are used
// many times, and expressions that took quadratic time.

import { expect, test } from "bun:test";
import JSZip from "jszip";
import { unpackFile } from "../../../src/engine/extraction/containers/unpack.ts";
import { extractFile } from "../../../src/engine/extraction/extract-file.ts";
import type { FileKind } from "../../../src/kernel/file-kinds.ts";
import { typeOf } from "../../../src/importing/file-types.ts";
import { bytes } from "./page.ts";

const MAX_MS = 60_000;
const read = (name: string, body: Uint8Array) =>
  extractFile({ body, kind: typeOf(name) as FileKind, url: `file:///files/${name}` });
const zipOf = (files: Record<string, string>) => {
  const zip = new JSZip();
  for (const [name, text] of Object.entries(files)) zip.file(name, text);
  return zip.generateAsync({ type: "uint8array", compression: "DEFLATE" });
};
const relations = (target: string) =>
  `<Relationships><Relationship Id="r1" Target="${target}"/></Relationships>`;

test("a slide that is named 4,000 times is read once, and 30,000 slides are too many", async () => {
  const slides = (count: number) =>
    zipOf({
      "ppt/presentation.xml": `<p:p>${'<p:sldId r:id="r1"/>'.repeat(count)}</p:p>`,
      "ppt/_rels/presentation.xml.rels": relations("slides/s.xml"),
      "ppt/slides/s.xml": "<p:sld><p:sp><a:p><a:t>Only once</a:t></a:p></p:sp></p:sld>",
    });
  const { markdown, leftOut } = await read("a.pptx", await slides(4_000));
  expect([markdown, leftOut]).toEqual([
    "## Slide 1\n\nOnly once",
    [{ kind: "unreadable-part", count: 3_999 }],
  ]);
  expect(read("a.pptx", await slides(30_000))).rejects.toThrow("more than 5,000 slides");
});

test("sheets that are one part, and cells that are one long text", async () => {
  const book = (sheets: number, cells: number) =>
    zipOf({
      "xl/workbook.xml": `<workbook>${'<sheet name="A" r:id="r1"/>'.repeat(sheets)}</workbook>`,
      "xl/_rels/workbook.xml.rels": relations("s.xml"),
      "xl/s.xml": `<worksheet>${`<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(cells / 100)}</worksheet>`,
      "xl/sharedStrings.xml": `<sst><si><t>${"a".repeat(1_000)}</t></si></sst>`,
    });
  expect((await read("a.xlsx", await book(900, 100))).leftOut).toEqual([
    { kind: "unreadable-part", count: 899 },
  ]);
  expect(read("a.xlsx", await book(200_000, 100))).rejects.toThrow("more than 1,000 sheets");
  expect(read("a.xlsx", await book(1, 30_000))).rejects.toThrow("more than 20,000,000 characters");
});

test("a chapter that is named again and again is read once", async () => {
  const book = await zipOf({
    "META-INF/container.xml": '<container><rootfile full-path="b.opf"/></container>',
    "b.opf": `<package><manifest><item id="a" href="a.html"/></manifest><spine>${'<itemref idref="a"/>'.repeat(200_000)}</spine></package>`,
    "a.html": `<html><body><p>Only once</p></body></html>${"<body ".repeat(200_000)}`,
  });
  expect((await read("a.epub", book)).markdown).toStartWith("Only once");
});

const BLANKS = " ".repeat(600_000);
test.each([
  ["a.rst", `:ref:\`${BLANKS}`],
  ["a.rst", `\`a${BLANKS}`],
  ["a.rst", `:${"a:".repeat(200_000)}`],
  ["a.org", `* a${BLANKS}b`],
  ["a.adoc", "http://".repeat(80_000)],
  ["a.tex", "\\title[".repeat(80_000)],
  ["a.tex", "\\section{a}".repeat(50_000)],
  ["a.tex", "\\begin{itemize}\n".repeat(50_000)],
  ["a.eml", `Content-Type: text/html\n\n${"<body ".repeat(200_000)}`],
  ["a.ts", "{(".repeat(200_000)],
  ["a.py", "#\n".repeat(200_000)],
])(
  "linear time for %s",
  async (name, text) => {
    expect((await read(name, bytes(text))).markdown.length).toBeLessThan(text.length + 10_000);
  },
  MAX_MS,
);

test.each([
  ["notes", `<en-export>${"<note>".repeat(200_000)}`],
  ["mailbox", `From \n${"\nFrom ".repeat(19_000)}`],
  ["mailbox", `From \nReferences: ${"<a@b> ".repeat(100_000)}\n`],
] as const)(
  "linear time for a file of kind %s",
  async (kind, text) => {
    const { parts } = await unpackFile({ body: bytes(text), kind, endings: [] });
    expect(parts.length).toBeGreaterThan(0);
  },
  MAX_MS,
);
