// Reads the text of a PDF file as HTML: lines become paragraphs, list items and headings by their position and size.
// Scanned pages have no text. It is imported on demand, because the PDF library takes a moment to load.

import { getDocumentProxy } from "unpdf";
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { ExtractionError } from "../errors.ts";
import type { FileContents } from "./contents.ts";
import { escapeHtml } from "../shared/text.ts";

/** One line of a page. Sizes and positions in points; `y` grows upwards. */
interface Line {
  text: string;
  size: number;
  x: number;
  y: number;
  page: number;
}

const MAX_PAGES = 5_000;
/** A line this much larger than the body is a heading, if it is short. */
const HEADING_RATIO = 1.12;
const MAX_HEADING_CHARACTERS = 160;
/** With fewer headings than this, the pages are the headings. */
const MIN_HEADINGS = 2;
const MAX_LEVELS = 4;
/** A gap this much larger than the usual one starts a paragraph. */
const GAP_RATIO = 1.35;
/** A line that occurs at the top or bottom of this share of the pages is a running head or foot. */
const REPEATED_SHARE = 0.5;
const MIN_PAGES_TO_REPEAT = 4;
/** Titles and authors that programs write when nobody entered one. */
const GENERATED =
  /^(untitled|\(?(?:anonymous|unspecified)\)?|microsoft word - .*|.*\.(docx?|tex|dvi|indd|pdf|odt))$/i;
/**
 * The title of the HTML page if the file has none: without one, the first heading would be taken for it and removed.
 */
const NO_TITLE = "PDF file without a title";
const BULLET = /^[•‣▪◦●○■□–—*·-]\s+/;

/** Reads a PDF. Throws ExtractionError if it is damaged, protected by a password, too large, or contains no text. */
export async function readPdf(bytes: Uint8Array): Promise<FileContents> {
  const pdf = await open(bytes);
  try {
    if (pdf.numPages > MAX_PAGES) {
      throw new ExtractionError("TOO_LARGE", `the file has more than ${MAX_PAGES} pages`);
    }
    const pages = await readPages(pdf);
    const lines = withoutRunningHeads(pages);
    if (lines.every(({ text }) => text === "")) {
      throw new ExtractionError("NOT_TEXT", "the file contains no text: its pages may be scanned images");
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
      html: htmlOf(title, lines),
      metadata: { pages: pdf.numPages, ...(author !== "" && { byline: author }) },
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  try {
    return await getDocumentProxy(bytes, { useSystemFonts: false, verbosity: 0 });
  } catch (error) {
    const isProtected = (error as Error).name === "PasswordException";
    const message = isProtected
      ? "the file is protected by a password"
      : `the file is not a PDF that can be read: ${(error as Error).message}`;
    throw new ExtractionError("NOT_TEXT", message, { cause: error });
  }
}

/** The lines of each page. */
async function readPages(pdf: PDFDocumentProxy): Promise<Line[][]> {
  const pages: Line[][] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const lines = linesOf(
      items.flatMap((item) => ("str" in item ? [item] : [])),
      number,
    );
    page.cleanup();
    pages.push(lines);
  }
  return pages;
}

/** An item of pdf.js: text with its transformation matrix. */
interface TextItem {
  str: string;
  /** x and y are the last two of six numbers. */
  transform: number[];
  height: number;
  hasEOL: boolean;
}

function linesOf(items: readonly TextItem[], page: number): Line[] {
  const lines: Line[] = [];
  let parts: TextItem[] = [];
  const end = () => {
    const text = parts
      .map(({ str }) => str)
      .join("")
      .replace(/\s+/g, " ")
      .trim();
    const [first] = parts;
    if (first && text !== "") {
      const longest = parts.reduce((a, b) => (b.str.length > a.str.length ? b : a));
      const [, , , , x = 0, y = 0] = first.transform;
      lines.push({ text, size: Math.round(longest.height * 2) / 2, x, y, page });
    }
    parts = [];
  };
  for (const item of items) {
    if (item.str !== "") parts.push(item);
    if (item.hasEOL) end();
  }
  end();
  return lines;
}

/** Leaves out lines that are repeated at the top or bottom of most pages, and page numbers. */
function withoutRunningHeads(pages: readonly Line[][]): Line[] {
  if (pages.length < MIN_PAGES_TO_REPEAT) return pages.flat();
  const keyOf = ({ text }: Line) => text.replace(/\d+/g, "#");
  const edges = new Set<Line>();
  for (const lines of pages) {
    const byHeight = lines.toSorted((a, b) => b.y - a.y);
    for (const line of [...byHeight.slice(0, 2), ...byHeight.slice(-2)]) edges.add(line);
  }
  const counts = new Map<string, number>();
  for (const line of edges) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1);
  const maxRepeated = pages.length * REPEATED_SHARE;
  return pages.flat().filter((line) => !edges.has(line) || counts.get(keyOf(line))! < maxRepeated);
}

/** The value with the largest weight. */
function mode(values: readonly (readonly [value: number, weight: number])[]): number {
  const weights = new Map<number, number>();
  for (const [value, weight] of values) weights.set(value, (weights.get(value) ?? 0) + weight);
  return [...weights].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0];
}

/**
 * Lines that belong together. Its text is joined at the end: as one text that grows, it would be copied with each line.
 */
interface Block {
  tag: string;
  /** The texts of its lines and what is between them; the last one is that of the last line. */
  parts: string[];
  last: Line;
}

function htmlOf(title: string, lines: readonly Line[]): string {
  const body = mode(lines.map(({ size, text }) => [size, text.length]));
  const isHeading = ({ size, text }: Line) =>
    size > body * HEADING_RATIO && text.length <= MAX_HEADING_CHARACTERS && /\p{L}/u.test(text);
  const headings = lines.filter(isHeading);
  const sizes = [...new Set(headings.map(({ size }) => size))].sort((a, b) => b - a);
  const hasHeadings = headings.length >= MIN_HEADINGS;
  const levels = new Map(sizes.map((size, index) => [size, Math.min(index + 1, MAX_LEVELS)]));
  const gap = mode(
    lines.flatMap((line, index) => {
      const next = lines[index + 1];
      const distance = next && next.page === line.page && next.y < line.y ? line.y - next.y : 0;
      return distance > 0 && line.size === body ? [[Math.round(distance), 1] as const] : [];
    }),
  );
  const blocks: Block[] = [];
  let page = 0;
  let open: Block | undefined;
  for (const line of lines) {
    if (!hasHeadings && line.page !== page) {
      blocks.push({ tag: "h2", parts: [`Page ${line.page}`], last: line });
      open = undefined;
    }
    page = line.page;
    const tag =
      hasHeadings && isHeading(line) ? `h${levels.get(line.size)}` : BULLET.test(line.text) ? "li" : "p";
    if (open && continues(open, { line, tag, gap })) append(open, line);
    else {
      const text = tag === "li" ? line.text.replace(BULLET, "") : line.text;
      open = { tag, parts: [text], last: line };
      blocks.push(open);
    }
  }
  const head = `<head><title>${escapeHtml(title || NO_TITLE)}</title></head>`;
  return `<html>${head}<body>${blocks.map(htmlOfBlock).join("\n")}</body></html>`;
}

/** Neighbouring items are one list. */
function htmlOfBlock({ tag, parts }: Block, index: number, blocks: readonly Block[]): string {
  const isItem = (block: Block | undefined) => block?.tag === "li";
  const element = `<${tag}>${escapeHtml(parts.join(""))}</${tag}>`;
  if (tag !== "li") return element;
  const start = isItem(blocks[index - 1]) ? "" : "<ul>";
  const end = isItem(blocks[index + 1]) ? "" : "</ul>";
  return start + element + end;
}

/** Whether a line belongs to the block before it. */
function continues(
  { tag, parts, last }: Block,
  { line, ...next }: { line: Line; tag: string; gap: number },
): boolean {
  // A new item starts a block of its own; the further lines of an item are ordinary lines.
  if (next.tag === "li" || (next.tag !== tag && tag !== "li")) return false;
  if (line.page !== last.page) {
    return tag === "p" && !/[.!?:…”"]$/.test(parts.at(-1)!) && /^\p{Ll}/u.test(line.text);
  }
  const distance = last.y - line.y;
  if (distance <= 0) return Math.abs(distance) < 1;
  if (tag.startsWith("h")) return line.size === last.size && distance < line.size * 1.5;
  return distance <= next.gap * GAP_RATIO;
}

/** Adds a line to a block; a word that was hyphenated at the end of the line before becomes whole. */
function append(block: Block, line: Line): void {
  const before = block.parts.at(-1)!;
  if (/\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(line.text))
    block.parts[block.parts.length - 1] = before.slice(0, -1);
  else block.parts.push(" ");
  block.parts.push(line.text);
  block.last = line;
}
