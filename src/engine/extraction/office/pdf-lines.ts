// Puts the pieces of text of a PDF page together as lines, by their positions: words, raised and lowered text, cells.

import { escapeHtml } from "../shared/text.ts";
import { normalized } from "../../../kernel/text.ts";

/** A piece of text of pdf.js, with its transformation matrix. Lengths in points. */
export interface TextItem {
  str: string;
  dir: string;
  /** a, b, c, d, x, y */
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
}

/** A part of a line, apart from its neighbours. */
export interface Cell {
  text: string;
  x: number;
  right: number;
}

/** One line of a page. Sizes and positions in points; `y` grows upwards. */
export interface Line {
  text: string;
  /** The text as HTML, with raised and lowered parts. */
  html: string;
  size: number;
  x: number;
  y: number;
  page: number;
  /** One unless there are wide gaps. */
  cells: Cell[];
}

/** Wider gaps are spaces, as shares of the size of the text. */
const SPACE = 0.15;
const CELL_GAP = 1.5;
/** A baseline this much higher or lower, and a smaller size: raised or lowered text. */
const MIN_SHIFT = 0.12;
const MAX_SHIFT = 0.7;
const SMALLER = 0.87;

/** Latin ligatures and Arabic presentation forms are drawn forms of letters. */
const PRESENTATION_FORMS = /[\ufb00-\ufb06\ufb1d-\ufb4f\ufb50-\ufdcf\ufdf0-\ufdfc\ufe70-\ufefc]+/g;
/** Bullets of the font Symbol and Wingdings. */
const SYMBOL_BULLETS = /[\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc\uf076]/g;
const WITHOUT_MEANING = /[\0-\x08\x0b-\x1f\x7f\ufffd\ue000-\uf8ff]/g;

interface Piece {
  text: string;
  size: number;
  isRightToLeft: boolean;
  /** Position along the direction of the text, and across it. */
  start: number;
  end: number;
  baseline: number;
  angle: number;
  endsLine: boolean;
}

/**
 * The lines of a page in the order of the file. Calls `onUnreadable` with numbers of characters without a meaning.
 */
export function linesOf(
  items: readonly TextItem[],
  page: number,
  onUnreadable: (count: number) => void,
): Line[] {
  const lines: Line[] = [];
  let pieces: Piece[] = [];
  const end = () => {
    const line = lineOf(pieces, page);
    if (line) lines.push(line);
    pieces = [];
  };
  for (const item of items) {
    const piece = pieceOf(item, onUnreadable);
    const last = pieces.findLast(({ size }) => size > 0);
    if (last && piece.size > 0 && !isSameLine(last, piece)) end();
    if (piece.text !== "") pieces.push(piece);
    if (!piece.endsLine) continue;
    // A raised text may end a line for pdf.js; the next piece decides.
    if (piece.text === "" && pieces.length > 0) pieces.at(-1)!.endsLine = true;
  }
  end();
  return lines;
}

function pieceOf(
  { str, dir, transform, width, height, hasEOL }: TextItem,
  onUnreadable: (count: number) => void,
): Piece {
  const [a = 1, b = 0, , , x = 0, y = 0] = transform;
  const angle = Math.atan2(b, a);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const start = x * cos + y * sin;
  const known = str
    .replace(SYMBOL_BULLETS, "•")
    .replace(PRESENTATION_FORMS, (form) => normalized(form, "NFKC"));
  let unreadable = 0;
  const text = known.replace(WITHOUT_MEANING, () => {
    unreadable++;
    return "";
  });
  if (unreadable > 0) onUnreadable(unreadable);
  return {
    text,
    size: str.trim() === "" ? 0 : height,
    isRightToLeft: dir === "rtl",
    start,
    end: start + width,
    baseline: -x * sin + y * cos,
    angle,
    endsLine: hasEOL,
  };
}

/** Whether a piece continues the line of the last one. */
function isSameLine(last: Piece, next: Piece): boolean {
  if (Math.abs(last.angle - next.angle) > 0.01) return false;
  const size = Math.max(last.size, next.size);
  const shift = Math.abs(last.baseline - next.baseline);
  if (shift > MAX_SHIFT * size) return false;
  if (!last.endsLine) return true;
  // The end of a line, unless the next piece is raised or lowered, or follows such a one, without a gap.
  return shift > MIN_SHIFT * size && Math.abs(next.start - last.end) < size;
}

function lineOf(given: readonly Piece[], page: number): Line | undefined {
  const shown = given.filter(({ size }) => size > 0);
  const [first] = shown;
  if (!first) return undefined;
  const longest = shown.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  const size = Math.max(longest.size, ...shown.filter((one) => one.text.length > 2).map((one) => one.size));
  const pieces = inReadingOrder(given);
  const baseline = longest.baseline;
  const cells: { text: string; x: number; right: number }[] = [];
  const html: string[] = [];
  let text = "";
  let last: Piece | undefined;
  let cell = "";
  let [cellStart, cellEnd] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const endCell = () => {
    const trimmed = cell.replace(/\s+/g, " ").trim();
    if (trimmed !== "") cells.push({ text: trimmed, x: cellStart, right: cellEnd });
    cell = "";
    [cellStart, cellEnd] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  };
  for (const piece of pieces) {
    if (piece.size === 0) {
      text += " ";
      cell += " ";
      html.push(" ");
      continue;
    }
    if (last) {
      const gap = gapBetween(last, piece);
      if (gap > SPACE * size || gap < -size) {
        text += " ";
        cell += " ";
        html.push(" ");
      }
      if (gap > CELL_GAP * size) endCell();
    }
    const shift = piece.baseline - baseline;
    const isShifted = piece.size < SMALLER * size && Math.abs(shift) > MIN_SHIFT * size;
    const tag = isShifted ? (shift > 0 ? "sup" : "sub") : "";
    const escaped = escapeHtml(piece.text);
    html.push(tag === "" ? escaped : `<${tag}>${escaped.trim()}</${tag}>`);
    text += piece.text;
    cell += piece.text;
    cellStart = Math.min(cellStart, piece.start);
    cellEnd = Math.max(cellEnd, piece.end);
    last = piece;
  }
  endCell();
  const collapsed = text.replace(/\s+/g, " ").trim();
  if (collapsed === "") return undefined;
  return {
    text: collapsed,
    html: html.join("").replace(/\s+/g, " ").trim(),
    size: Math.round(longest.size * 2) / 2,
    x: Math.min(...shown.map(({ start }) => start)),
    y: baseline,
    page,
    cells,
  };
}

/** Pieces of a line from right to left are drawn in either direction: those that go to the right are turned round. */
function inReadingOrder(pieces: readonly Piece[]): Piece[] {
  const shown = pieces.filter(({ size }) => size > 0);
  const length = (some: readonly Piece[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  const isRightToLeft = 2 * length(shown.filter((one) => one.isRightToLeft)) > length(shown);
  if (!isRightToLeft || shown.length < 2) return [...pieces];
  const toTheRight = shown.filter(
    (piece, index) => index > 0 && piece.start > shown[index - 1]!.start,
  ).length;
  return toTheRight > (shown.length - 1) / 2 ? [...pieces].reverse() : [...pieces];
}

/** Points between the end of one piece and the start of the next; negative if the next one goes back. */
function gapBetween(last: Piece, next: Piece): number {
  const [right, left] = [next.start - last.end, last.start - next.end];
  return last.isRightToLeft || next.isRightToLeft ? Math.max(right, left) : right;
}
