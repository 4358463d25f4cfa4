// Files of all kinds besides PDF and Word: test/fixtures/files/NAME.EXT becomes NAME.EXT.txt. The workbook, the slides
// and the book were made with openpyxl, python-pptx and EbookLib.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import JSZip from "jszip";
import { extractFile } from "../../../src/engine/extraction/extract-file.ts";
import type { FileKind } from "../../../src/kernel/file-kinds.ts";
import { typeOf } from "../../../src/importing/file-types.ts";

const FOLDER = resolve(import.meta.dir, "../../fixtures/files");
const read = (name: string, body: Uint8Array) =>
  extractFile({ body, kind: typeOf(name) as FileKind, url: `file:///files/${name}` });
const bytes = (text: string) => new TextEncoder().encode(text);

const FILES: Record<string, { title?: string; metadata?: object; leftOut?: Record<string, number> }> = {
  "berths.xlsx": { leftOut: { comment: 1, formula: 1 } },
  "plan.pptx": { metadata: { pages: 3 }, leftOut: { image: 1 } },
  "keeper.epub": { title: "The lock keeper", metadata: { byline: "Marta Lindqvist" } },
  "fees.csv": {},
  "semicolons.csv": {},
  "tabs.tsv": {},
  "minutes.ipynb": { title: "Tides", leftOut: { image: 1 } },
  "offer.eml": {
    title: "Offer for berth B\u201102",
    metadata: { byline: "Marta Lindqvist <marta@pier.test>", publishedTime: "2026-05-04T11:30:00.000Z" },
    leftOut: { attachment: 1 },
  },
  "talk.srt": {},
  "talk.vtt": {},
  "settings.yaml": {},
  "guide.rst": { title: "Harbour guide" },
  "guide.org": { title: "Harbour guide" },
  "guide.adoc": { title: "Harbour guide" },
};

test.each(Object.entries(FILES))("%s", async (name, { title = "", metadata = {}, leftOut = {} }) => {
  const result = await read(name, new Uint8Array(readFileSync(`${FOLDER}/${name}`)));
  expect(result.markdown).toBe(readFileSync(`${FOLDER}/${name}.txt`, "utf8").trimEnd());
  expect([result.title, result.metadata]).toEqual([title, metadata]);
  expect(Object.fromEntries(result.leftOut.map(({ kind, count }) => [kind, count]))).toEqual(leftOut);
});

test.each([
  ["a.xlsx", "no archive"],
  ["a.pptx", ""],
  ["a.epub", "PK\u0003\u0004"],
  ["a.ipynb", "{"],
  ["a.ipynb", "[]"],
])("%s with %j fails with a reason", (name, text) => {
  expect(read(name, bytes(text))).rejects.toThrow(/^the file (?:cannot be read|is not)/);
});

test("an archive of another kind, and one with missing parts", async () => {
  const zip = new JSZip();
  zip.file("xl/workbook.xml", '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>');
  const archive = await zip.generateAsync({ type: "uint8array" });
  expect(read("a.pptx", archive)).rejects.toThrow("the archive has no part ppt/presentation.xml");
  expect((await read("a.xlsx", archive)).leftOut).toEqual([{ kind: "unreadable-part", count: 1 }]);
});

test("code that contains fences stays one block", async () => {
  expect((await read("a.yaml", bytes("a: |\n  ```\n  b\n  ```\n"))).markdown).toBe(
    "````yaml\na: |\n  ```\n  b\n  ```\n````",
  );
});

test.each([
  ["a,b\n1", "| a   | b   |"],
  ["sep=|\na|b\n1|2", "| a   | b   |\n| --- | --- |\n| 1   | 2   |"],
  ["", ""],
])("CSV: %j", async (text, start) => {
  expect((await read("a.csv", bytes(text))).markdown).toStartWith(start);
});

test("headings and ends of LaTeX need no line of their own, and a command takes no text of the next one", async () => {
  const source = String.raw`\begin{document}\maketitle\section{Fees}\label{f}\noindent\textsc{Boats} pay.\begin{itemize}
\item Slow.\end{itemize}\subsection{Dogs} On a lead.\end{document}`;
  const { markdown } = await read("a.tex", bytes(source));
  expect(markdown.split(/\n+/)).toEqual(["## Fees", "Boats pay.", "- Slow.", "### Dogs", "On a lead."]);
});
