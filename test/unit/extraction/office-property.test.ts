// PDF and Word files of random texts, written by other programs' libraries: every word is in the Markdown, once and in
// order.

import { afterAll, expect, test } from "bun:test";
import {
  Document,
  FootnoteReferenceRun,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from "docx";
import fc from "fast-check";
import PdfDocument from "pdfkit";
import { openExtractor } from "../../../src/engine/extraction/extractor.ts";

const extractor = openExtractor();
afterAll(() => extractor.close());

const requester = { userId: "ada", cancelled: new AbortController().signal };
const read = (kind: "pdf" | "docx", body: Uint8Array) =>
  extractor.extractFile({ kind, body, url: "file:///random" }, requester);

/** The words of Markdown, without its marks and numbers of lists. */
const wordsOf = (markdown: string): string[] => markdown.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];

const word = (letters: readonly string[]) =>
  fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
const texts = (letters: readonly string[], maxWords: number) =>
  fc.array(word(letters), { minLength: 1, maxLength: maxWords }).map((words) => words.join(" "));

/** Those of the fonts that every PDF reader has, without ligatures. */
const LATIN = [..."abcdeghijkmnopqrstuvwxyzABCDEGHKLMNOPRSTUVZäöüßéèñçåøÆ"];
const ANY = [..."abcxyzÄßéñŁőθΔжЯאبकก中文日本語한국"];

type Block = { kind: "heading" | "paragraph" | "item"; text: string };
const blocks = (letters: readonly string[], maxWords: number): fc.Arbitrary<Block[]> =>
  fc.array(
    fc.oneof(
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("heading" as const), text: texts(letters, 5) }) },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant("paragraph" as const), text: texts(letters, maxWords) }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("item" as const), text: texts(letters, 12) }) },
    ),
    { minLength: 1, maxLength: 25 },
  );

async function pdfOf(content: readonly Block[], size: number): Promise<Uint8Array> {
  const document = new PdfDocument({ size: "A5" });
  const parts: Uint8Array[] = [];
  document.on("data", (part: Uint8Array) => parts.push(part));
  const ended = new Promise((resolve) => document.on("end", resolve));
  for (const { kind, text } of content) {
    document
      .font(kind === "heading" ? "Helvetica-Bold" : "Times-Roman")
      .fontSize(kind === "heading" ? size * 1.5 : size);
    document.text(kind === "item" ? `• ${text}` : text).moveDown();
  }
  document.end();
  await ended;
  return Buffer.concat(parts);
}

test("PDF: words of headings, paragraphs of many lines and pages, and lists", async () => {
  await fc.assert(
    fc.asyncProperty(blocks(LATIN, 300), fc.integer({ min: 7, max: 14 }), async (content, size) => {
      const { markdown } = await read("pdf", await pdfOf(content, size));
      // Pages without two headings are sections of their own.
      const found = wordsOf(markdown.replaceAll(/^## Page \d+$/gm, ""));
      expect(found).toEqual(content.flatMap(({ text }) => text.split(" ")));
    }),
    { numRuns: 25 },
  );
});

function docxOf(content: readonly Block[], cells: readonly string[][], note: string): Promise<Uint8Array> {
  const children = content.map(({ kind, text }) => {
    // Word cuts a text into runs wherever its format changes.
    const [first = "", ...others] = text.split(" ");
    const runs = [
      new TextRun({ text: first, bold: true }),
      new TextRun(others.map((word) => ` ${word}`).join("")),
    ];
    if (kind === "heading") return new Paragraph({ children: runs, heading: HeadingLevel.HEADING_1 });
    return new Paragraph({ children: runs, ...(kind === "item" && { bullet: { level: 0 } }) });
  });
  const rows = cells.map(
    (row) =>
      new TableRow({ children: row.map((text) => new TableCell({ children: [new Paragraph(text)] })) }),
  );
  const first = new Paragraph({ text: "The title", heading: HeadingLevel.TITLE });
  const last = new Paragraph({ children: [new TextRun("End"), new FootnoteReferenceRun(1)] });
  return Packer.toBuffer(
    new Document({
      footnotes: { 1: { children: [new Paragraph(note)] } },
      sections: [{ children: [first, ...children, new Table({ rows }), last] }],
    }),
  );
}

test("Word: words of headings, paragraphs, lists, tables and a footnote, in any script", async () => {
  const row = fc.array(texts(ANY, 4), { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      blocks(ANY, 120),
      fc.array(row, { minLength: 1, maxLength: 6 }),
      texts(ANY, 20),
      async (content, cells, note) => {
        const { title, markdown } = await read("docx", await docxOf(content, cells, note));
        expect(title).toBe("The title");
        const expected = [...content.map(({ text }) => text), ...cells.flat(), "End", note]
          .join(" ")
          .split(" ");
        expect(wordsOf(markdown)).toEqual(expected);
      },
    ),
    { numRuns: 25 },
  );
});
