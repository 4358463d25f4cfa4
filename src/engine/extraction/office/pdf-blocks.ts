// The lines of a PDF as HTML: they become paragraphs, list items, tables and headings by their position and size.

import { escapeHtml } from "../shared/text.ts";
import type { Line } from "./pdf-lines.ts";
import { findGrids, type Grid } from "./pdf-tables.ts";

/** A line this much larger than the body is a heading, if it is short. */
const HEADING_RATIO = 1.12;
const MAX_HEADING_CHARACTERS = 160;
/** With fewer headings than this, the pages are the headings. */
const MIN_HEADINGS = 2;
const MAX_LEVELS = 4;
/** A gap this much larger than the usual one starts a paragraph. */
const GAP_RATIO = 1.35;
/**
 * The title of the HTML page if the file has none: without one, the first heading would be taken for it and removed.
 */
const NO_TITLE = "PDF file without a title";
const BULLET = /^[•‣▪◦●○■□–—*·-]\s+/;

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
  /** The HTML of its lines and what is between them; the last one is that of the last line. */
  parts: string[];
  last: Line;
}

/** The page of HTML with this title, "" for none, and these lines of each page. */
export function pdfHtml(title: string, pages: readonly Line[][]): string {
  const grids = new Map<Line, Grid>();
  for (const page of pages)
    for (const grid of findGrids(page)) for (const line of grid.lines) grids.set(line, grid);
  const lines = pages.flat();
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
      // Items of a list are often further apart than the lines of a paragraph.
      const isText = line.size === body && next !== undefined && !BULLET.test(next.text);
      return distance > 0 && isText ? [[Math.round(distance), 1] as const] : [];
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
    const grid = grids.get(line);
    if (grid) {
      if (grid.first === line) blocks.push({ tag: "table", parts: [tableOf(grid)], last: line });
      open = undefined;
      continue;
    }
    const tag =
      hasHeadings && isHeading(line) ? `h${levels.get(line.size)}` : BULLET.test(line.text) ? "li" : "p";
    if (open && continues(open, { line, tag, gap })) append(open, line);
    else {
      const text = tag === "li" ? line.html.replace(BULLET, "") : line.html;
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
  if (tag === "table") return parts.join("");
  const element = `<${tag}>${parts.join("")}</${tag}>`;
  if (tag !== "li") return element;
  const start = isItem(blocks[index - 1]) ? "" : "<ul>";
  const end = isItem(blocks[index + 1]) ? "" : "</ul>";
  return start + element + end;
}

function tableOf({ rows }: Grid): string {
  const [head, ...body] = rows.map((row, index) => {
    const tag = index === 0 ? "th" : "td";
    return `<tr>${row.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join("")}</tr>`;
  });
  return `<table><thead>${head}</thead><tbody>${body.join("")}</tbody></table>`;
}

/** Whether a line belongs to the block before it. */
function continues(
  { tag, parts, last }: Block,
  { line, ...next }: { line: Line; tag: string; gap: number },
): boolean {
  // A new item starts a block of its own; the further lines of an item are ordinary lines.
  if (next.tag === "li" || (next.tag !== tag && tag !== "li")) return false;
  // Rows of a table that is not a clear grid stay lines.
  if (line.cells.length > 2 || last.cells.length > 2) return false;
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
  block.parts.push(line.html);
  block.last = line;
}
