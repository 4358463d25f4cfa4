// PDF and Word files that are built to need much time or memory.

import { block, docxOf, paragraphOf, pdfOf, repeated, tableOf } from "./office-files.ts";

const MB = 1024 ** 2;

/** A file, and whether it must be read or may fail with a reason, too. */
export interface HostileFile {
  name: string;
  kind: "pdf" | "docx";
  isReadable?: true;
  make(): Uint8Array;
}

export const HOSTILE_FILES: readonly HostileFile[] = [
  {
    name: "PDF with 1.5 GB of spaces in one stream",
    kind: "pdf",
    make: () => pdfOf([repeated(block(" ".repeat(MB)), 1_500)]),
  },
  {
    name: "PDF with 12 million pieces of text on one page",
    kind: "pdf",
    make: () => pdfOf([repeated(block(textAt("x", 700).repeat(40_000)), 300)]),
  },
  {
    name: "PDF with 300,000 lines on one page",
    kind: "pdf",
    make: () => pdfOf([block(lines(300_000, (line) => textAt(`Line ${line} of text.`, line % 800)))]),
  },
  {
    name: "PDF with 5,000 pages of 60 lines in one list",
    kind: "pdf",
    isReadable: true,
    make: () => pdfOf(Array(5_000).fill(block(PAGE_OF_LINES))),
  },
  {
    name: "Word file that unpacks to 1.8 GB, and to 1,000 bytes by its directory",
    kind: "docx",
    make: () => docxOf(repeated(block(" ".repeat(MB)), 1_800), 1_000),
  },
  {
    name: "Word file with 200,000 nested elements",
    kind: "docx",
    make: () =>
      docxOf(
        block(
          "<w:sdt><w:sdtContent>".repeat(200_000) +
            paragraphOf("deep") +
            "</w:sdtContent></w:sdt>".repeat(200_000),
        ),
      ),
  },
  {
    name: "Word file with 60,000 tables of one row",
    kind: "docx",
    make: () => docxOf(repeated(block(tableOf([["x"]])), 60_000)),
  },
];

const PAGE_OF_LINES = lines(60, (line) => textAt(`Word ${line} on this line of text`, 780 - line * 12));

/** Text in Helvetica at a height, as a part of the content of a PDF page. */
function textAt(text: string, y: number): string {
  return `BT /F1 10 Tf 50 ${y} Td (${text}) Tj ET\n`;
}

function lines(count: number, lineOf: (line: number) => string): string {
  return Array.from({ length: count }, (_, line) => lineOf(line)).join("");
}
