// PDF and Word files as Markdown. The files were made with ReportLab and python-docx.

import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openExtractor } from "../../../src/engine/extraction/extractor.ts";

const FOLDER = resolve(import.meta.dir, "../../fixtures/office");
const extractor = openExtractor();
afterAll(() => extractor.close());

const bytesOf = (name: string) => new Uint8Array(readFileSync(join(FOLDER, name)));
const read = (type: "pdf" | "docx", body: Uint8Array) =>
  extractor.extractOffice({ type, body, url: "file:///kettle" });

test("a PDF: headings by size, paragraphs, lists; no running foot", async () => {
  const { title, markdown, metadata, rawHtml } = await read("pdf", bytesOf("kettle.pdf"));
  expect([title, metadata.pages, metadata.byline, rawHtml]).toEqual([
    "Kettle handbook",
    4,
    "Ada Lovelace",
    null,
  ]);
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

Write to the kettle works.`);
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

test("an archive that would unpack to gigabytes is not unpacked", async () => {
  const body = bytesOf("kettle.docx");
  const view = new DataView(body.buffer);
  const entry = body.findLastIndex(
    (_, at) => at + 46 <= body.length && view.getUint32(at, true) === 0x02014b50,
  );
  view.setUint32(entry + 24, 0xfffffff0, true);
  expect(await read("docx", body).catch((error) => error)).toMatchObject({ code: "TOO_LARGE" });
});
