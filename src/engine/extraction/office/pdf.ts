// Reads the text of a PDF file as HTML. Scanned pages have no text, and are counted. It is imported on demand, because
// the PDF library takes a moment to load.

import { readFileSync } from "node:fs";
import { getDocumentProxy, getResolvedPDFJS } from "unpdf";
import type { PDFDocumentProxy, PDFPageProxy } from "unpdf/pdfjs";
import { ExtractionError } from "../errors.ts";
import {
  countLeftOut,
  describeLeftOut,
  type LeftOutCounter,
  type LeftOutKind,
} from "../../../kernel/left-out.ts";
import cMapsPath from "./cmaps.zip" with { type: "file" };
import { openArchive } from "./archive.ts";
import type { FileContents } from "./contents.ts";
import { pdfHtml } from "./pdf-blocks.ts";
import { type Annotation, addFields } from "./pdf-fields.ts";
import { withoutRunningHeads } from "./pdf-heads.ts";
import { type Line, linesOf, type TextItem } from "./pdf-lines.ts";

const MAX_PAGES = 5_000;
/** At most this many pages without text are examined for what they show, which takes longer than to read text. */
const MAX_EXAMINED = 20;
/** Titles and authors that programs write when nobody entered one. */
const GENERATED =
  /^(untitled|\(?(?:anonymous|unspecified)\)?|microsoft word - .*|.*\.(docx?|tex|dvi|indd|pdf|odt))$/i;

/** Reads a PDF. Throws ExtractionError if it is damaged, protected by a password, too large, or contains no text. */
export async function readPdf(bytes: Uint8Array): Promise<FileContents> {
  const pdf = await open(bytes);
  try {
    if (pdf.numPages > MAX_PAGES) {
      throw new ExtractionError("TOO_LARGE", `the file has more than ${MAX_PAGES} pages`);
    }
    const leftOut = countLeftOut();
    const pages = withoutRunningHeads(await readPages(pdf, leftOut));
    if (pages.every((lines) => lines.length === 0)) {
      const reason = describeLeftOut(leftOut.all()) ?? "its pages are empty";
      throw new ExtractionError("NOT_TEXT", `the file contains no text (${reason})`);
    }
    const { info } = await pdf.getMetadata();
    const textOf = (name: string) => {
      const value: unknown = Reflect.get(info, name);
      const text = typeof value === "string" ? value.trim() : "";
      return GENERATED.test(text) ? "" : text;
    };
    const [title, author] = [textOf("Title"), textOf("Author")];
    return {
      title,
      html: pdfHtml(title, pages),
      metadata: { pages: pdf.numPages, ...(author !== "" && { byline: author }) },
      leftOut: leftOut.all(),
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  try {
    return await getDocumentProxy(bytes, {
      useSystemFonts: false,
      verbosity: 0,
      useWorkerFetch: false,
      cMapUrl: "cmaps/",
      BinaryDataFactory: ShippedData,
    });
  } catch (error) {
    const isProtected = (error as Error).name === "PasswordException";
    const message = isProtected
      ? "the file is protected by a password"
      : `the file is not a PDF that can be read: ${(error as Error).message}`;
    throw new ExtractionError("NOT_TEXT", message, { cause: error });
  }
}

/**
 * Gives pdf.js the tables of characters of Chinese, Japanese and Korean fonts (Adobe's CMaps). To read text, it needs
 * no other data.
 */
class ShippedData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== "cMapUrl") throw new Error(`${filename} is not part of this program`);
    return (await cMaps()).read(filename);
  }
}

let openedCMaps: ReturnType<typeof openArchive> | undefined;
const cMaps = () => {
  openedCMaps ??= openArchive(readFileSync(cMapsPath));
  return openedCMaps;
};

/** The lines of each page. */
async function readPages(pdf: PDFDocumentProxy, leftOut: LeftOutCounter): Promise<Line[][]> {
  const pages: Line[][] = [];
  let examined = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pageOf(pdf, number);
    if (!page) {
      leftOut.add("unreadable-page");
      pages.push([]);
      continue;
    }
    const { items } = await page.getTextContent();
    const texts = items.flatMap((item) => ("str" in item ? [item as TextItem] : []));
    const lines = linesOf(texts, number, (count) => leftOut.add("unreadable-character", count));
    addFields(lines, (await page.getAnnotations()) as Annotation[], number, leftOut);
    if (lines.length === 0) {
      const kind = examined++ < MAX_EXAMINED ? await kindOfEmpty(page) : "page-without-text";
      if (kind) leftOut.add(kind);
    }
    page.cleanup();
    pages.push(lines);
  }
  leftOut.add("attachment", Object.keys((await pdf.getAttachments()) ?? {}).length);
  return pages;
}

/** A page; undefined if it is damaged. Throws if the first one is: the file is not a PDF then. */
async function pageOf(pdf: PDFDocumentProxy, number: number): Promise<PDFPageProxy | undefined> {
  try {
    return await pdf.getPage(number);
  } catch (error) {
    if (pdf.numPages > 1) return undefined;
    throw error;
  }
}

/** What a page without text shows; undefined if it is empty. */
async function kindOfEmpty(page: PDFPageProxy): Promise<LeftOutKind | undefined> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray } = await page.getOperatorList();
  const has = (...operators: number[]) => fnArray.some((operator) => operators.includes(operator));
  if (has(OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject))
    return "scanned-page";
  return has(OPS.constructPath, OPS.showText, OPS.shadingFill) ? "page-without-text" : undefined;
}
