// PDF and Word files as Markdown. The files were made with ReportLab and python-docx.

import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  block,
  docxOf,
  paragraphOf,
  pdfOf,
  repeated,
  tableOf,
} from "../../../scripts/torture/hostile/office-files.ts";
import { openExtractor } from "../../../src/engine/extraction/extractor.ts";

const FOLDER = resolve(import.meta.dir, "../../fixtures/office");
const extractor = openExtractor();
afterAll(() => extractor.close());

const bytesOf = (name: string) => new Uint8Array(readFileSync(join(FOLDER, name)));
const requester = { userId: "ada", cancelled: new AbortController().signal };
const read = (kind: "pdf" | "docx", body: Uint8Array) =>
  extractor.extractFile({ kind, body, url: "file:///kettle" }, requester);

test("a PDF: headings by size, paragraphs, lists; one running foot", async () => {
  const { title, markdown, metadata } = await read("pdf", bytesOf("kettle.pdf"));
  expect([title, metadata.pages, metadata.byline]).toEqual(["Kettle handbook", 4, "Ada Lovelace"]);
  expect(markdown).toBe(`# Descaling

Fill the kettle with vinegar, wait for thirty minutes and rinse it twice. The manufacturer recommends to repeat this every month when the water is hard, because limescale makes the kettle slow and costs energy every single time it boils.

Never use bleach.

- Use white vinegar.
- Rinse with cold water.

# Warranty

The warranty lasts two years. It does not cover limescale & dents.

# Spare parts

A lid costs 4.50 and a filter costs 2.20.

# Addresses

Write to the kettle works.

Kettle handbook, page 1`);
});

test("a PDF without headings and title: its pages are the headings", async () => {
  const { title, markdown, metadata } = await read("pdf", bytesOf("plain.pdf"));
  expect([title, metadata]).toEqual(["", expect.objectContaining({ pages: 2 })]);
  expect(markdown).toBe(
    "## Page 1\n\nFirst page without headings.\n\n## Page 2\n\nSecond page with 100 * 2 numbers.",
  );
});

test("a Word document: title, headings, numbered lists, tables with a head", async () => {
  const { title, markdown } = await read("docx", bytesOf("kettle.docx"));
  expect(title).toBe("Kettle manual");
  expect(markdown).toBe(`# Descaling

Fill the kettle with vinegar and wait for thirty minutes.

1. Rinse twice
2. Boil water once

| Part | Price |
| --- | --- |
| Lid | 4.50 |

# Warranty

Two years, **not** for limescale * and _ marks.`);
});

test.each([
  ["pdf", new Uint8Array(), "not a PDF that can be read"],
  ["pdf", new TextEncoder().encode("%PDF-1.7 and nothing else"), "not a PDF that can be read"],
  ["pdf", bytesOf("kettle.pdf").slice(0, 700), "not a PDF that can be read"],
  ["docx", new TextEncoder().encode("text"), "not a Word document that can be read"],
  ["docx", bytesOf("kettle.docx").slice(0, 9_000), "not a Word document that can be read"],
] as const)("a damaged %s is a failure with a reason", async (type, body, reason) => {
  const failure = await read(type, body).catch((error) => error);
  expect(failure).toMatchObject({ name: "ExtractionError", code: "NOT_TEXT" });
  expect(failure.message).toContain(reason);
});

test("the first of several rows of a Word table is its head, also beside and inside of other tables", async () => {
  const ages = [
    ["Name", "Age"],
    ["Ann", "5"],
  ];
  const outer = tableOf([["first"], ["second"]]).replace(
    paragraphOf("second"),
    tableOf(ages) + paragraphOf("end"),
  );
  const body = [tableOf([["alone"]]), paragraphOf("between"), tableOf(ages), outer];
  const { markdown } = await read("docx", docxOf(block(body.join(""))));
  const table = "| Name | Age |\n| --- | --- |\n| Ann | 5   |";
  expect(markdown).toBe(`alone\n\nbetween\n\n${table}\n\nfirst\n\n${table}\n\nend`);
});

test("an archive is unpacked up to a limit, whatever its directory says", async () => {
  for (const stated of [undefined, 1_000]) {
    const body = docxOf(repeated(block(" ".repeat(1024 ** 2)), 300), stated);
    expect(await read("docx", body).catch((error) => error)).toMatchObject({
      code: "TOO_LARGE",
      message: "the file unpacks to more than 96 MB",
    });
  }
});

test("a Word file whose elements are nested deeply fails with a reason", async () => {
  const [start, end] = ["<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"];
  const nested = start.repeat(50_000) + paragraphOf("deep") + end.repeat(50_000);
  const failure = await read("docx", docxOf(block(nested))).catch((error) => error);
  expect(failure).toMatchObject({ name: "ExtractionError", message: expect.stringContaining("nested") });
});

test("a PDF of 5,000 pages in one list, whose text is one paragraph, is read in time", async () => {
  const lineOf = (page: number, line: number) =>
    `BT /F1 10 Tf 50 ${780 - line * 12} Td (and word ${page} on line ${line}) Tj ET\n`;
  const pages = Array.from({ length: 5_000 }, (_, page) =>
    block([1, 2, 3, 4, 5, 6].map((line) => lineOf(page, line)).join("")),
  );
  const { markdown, metadata } = await read("pdf", pdfOf(pages));
  expect(metadata.pages).toBe(5_000);
  // Equal lines at the edges are most of each page: they are its content.
  const lines = [1, 2, 3, 4, 5, 6].map((line) => `and word 4999 on line ${line}`);
  expect(markdown.endsWith(`## Page 5000\n\n${lines.join(" ")}`)).toBe(true);
}, 120_000);

test("a file with much more text than a document may have fails with a reason", async () => {
  const body = docxOf(block(paragraphOf("word ".repeat(5_000_000))));
  expect(await read("docx", body).catch((error) => error)).toMatchObject({
    code: "TOO_LARGE",
    message: "the text of the file is larger than 20 MB",
  });
});
