// Reads the text of a PDF file as HTML: lines become paragraphs, list items and headings by their position and size. Scanned
// pages have no text. It is imported on demand, because the PDF library takes a moment to load.

import { getDocumentProxy } from "unpdf";
import { ExtractionError } from "../errors.ts";
import { escapeHtml } from "../shared/text.ts";

export interface OfficeText {
  /** "" if the file has none; undefined if the first heading is the title. */
  title: string | undefined;
  /** A whole page of HTML. */
  html: string;
  metadata: { byline?: string; pages?: number };
}

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
/** The title of the HTML page if the file has none: without one, the first heading would be taken for it and removed. */
const NO_TITLE = "PDF file without a title";
const BULLET = /^[•‣▪◦●○■□–—*·-]\s+/;

/** Reads a PDF. Throws ExtractionError if it is damaged, protected by a password, or contains no text. */
export async function readPdf(bytes: Uint8Array): Promise<OfficeText> {
  const pdf = await open(bytes);
  try {
    if (pdf.numPages > MAX_PAGES) {
      throw new ExtractionError("TOO_LARGE", `the file has more than ${MAX_PAGES} pages`);
    }
    const lines: Line[] = [];
    for (let page = 1; page <= pdf.numPages; page++) {
      const { items } = await (await pdf.getPage(page)).getTextContent();
      lines.push(
        ...linesOf(
          items.flatMap((item) => ("str" in item ? [item] : [])),
          page,
        ),
      );
    }
    const kept = withoutRunningHeads(lines, pdf.numPages);
    if (kept.every(({ text }) => text === "")) {
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
      html: htmlOf(title, kept),
      metadata: { pages: pdf.numPages, ...(author !== "" && { byline: author }) },
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array) {
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
function withoutRunningHeads(lines: readonly Line[], pages: number): Line[] {
  if (pages < MIN_PAGES_TO_REPEAT) return [...lines];
  const keyOf = ({ text }: Line) => text.replace(/\d+/g, "#");
  const edges = new Set<Line>();
  for (let page = 1; page <= pages; page++) {
    const onPage = lines.filter((line) => line.page === page).sort((a, b) => b.y - a.y);
    for (const line of [...onPage.slice(0, 2), ...onPage.slice(-2)]) edges.add(line);
  }
  const counts = new Map<string, number>();
  for (const line of edges) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1);
  return lines.filter((line) => !edges.has(line) || counts.get(keyOf(line))! < pages * REPEATED_SHARE);
}

/** The value with the largest weight. */
function mode(values: readonly (readonly [value: number, weight: number])[]): number {
  const weights = new Map<number, number>();
  for (const [value, weight] of values) weights.set(value, (weights.get(value) ?? 0) + weight);
  return [...weights].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0];
}

function htmlOf(title: string, lines: readonly Line[]): string {
  const body = mode(lines.map(({ size, text }) => [size, text.length]));
  const isHeading = ({ size, text }: Line) =>
    size > body * HEADING_RATIO && text.length <= MAX_HEADING_CHARACTERS && /\p{L}/u.test(text);
  const sizes = [...new Set(lines.filter(isHeading).map(({ size }) => size))].sort((a, b) => b - a);
  const hasHeadings = lines.filter(isHeading).length >= MIN_HEADINGS;
  const levelOf = (line: Line) => Math.min(sizes.indexOf(line.size), MAX_LEVELS - 1) + 1;
  const gap = mode(
    lines.flatMap((line, index) => {
      const next = lines[index + 1];
      const distance = next && next.page === line.page && next.y < line.y ? line.y - next.y : 0;
      return distance > 0 && line.size === body ? [[Math.round(distance), 1] as const] : [];
    }),
  );
  const blocks: string[] = [];
  let open: { tag: string; text: string; last: Line } | undefined;
  const close = () => {
    if (open) blocks.push(`<${open.tag}>${escapeHtml(open.text)}</${open.tag}>`);
    open = undefined;
  };
  let page = 0;
  for (const line of lines) {
    if (!hasHeadings && line.page !== page) {
      close();
      blocks.push(`<h2>Page ${line.page}</h2>`);
    }
    page = line.page;
    const tag = hasHeadings && isHeading(line) ? `h${levelOf(line)}` : BULLET.test(line.text) ? "li" : "p";
    const text = tag === "li" ? line.text.replace(BULLET, "") : line.text;
    if (open && continues(open, { line, tag, gap })) {
      open.text = joined(open.text, text);
      open.last = line;
    } else {
      close();
      open = { tag, text, last: line };
    }
  }
  close();
  const content = blocks.join("\n").replace(/(?:<li>.*<\/li>\n?)+/g, "<ul>$&</ul>");
  return `<html><head><title>${escapeHtml(title || NO_TITLE)}</title></head><body>${content}</body></html>`;
}

/** Whether a line belongs to the block before it. */
function continues(
  { tag, text, last }: { tag: string; text: string; last: Line },
  next: { line: Line; tag: string; gap: number },
): boolean {
  const { line, gap } = next;
  // A new item starts a block of its own; the further lines of an item are ordinary lines.
  if (next.tag === "li" || (next.tag !== tag && tag !== "li")) return false;
  if (line.page !== last.page) return tag === "p" && !/[.!?:…”"]$/.test(text) && /^\p{Ll}/u.test(line.text);
  const distance = last.y - line.y;
  if (distance <= 0) return Math.abs(distance) < 1;
  if (tag.startsWith("h")) return line.size === last.size && distance < line.size * 1.5;
  return distance <= gap * GAP_RATIO;
}

/** Joins two lines; a word that was hyphenated at the end of the line becomes whole. */
function joined(before: string, line: string): string {
  if (/\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(line)) return before.slice(0, -1) + line;
  return `${before} ${line}`;
}
