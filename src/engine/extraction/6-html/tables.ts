// Reads data tables as a full grid, and detects tables that are only a layout.

import { childrenOf, type DomElement, isElement, plainText } from "../shared/dom.ts";

/** One position of the grid. */
interface Cell {
  /** Null for the rest of a span and for a missing cell. */
  cell: DomElement | null;
  align: "left" | "right" | "center" | "";
}

/** A data table. */
export interface Table {
  caption: DomElement | null;
  /** The first row is the heading; its cells are null if the page has none. All rows have the same length. */
  rows: Cell[][];
}

/** Wider tables are cut: a page may declare millions of columns. */
const MAX_COLUMNS = 200;

/** A table without headings and with a longer text in one cell is a layout. */
const MAX_CELL_TEXT = 600;

/** Reads a table; null if it is a layout. */
export function readTable(table: DomElement): Table | null {
  const rows = rowsOf(table);
  const cells = rows.map(cellsOf);
  if (isLayout(table, cells)) return null;
  const grid = fillGrid(cells);
  const hasHeadingRow = cells.length > 0 && isHeadingRow(rows[0]!, cells[0]!, cells);
  const width = grid.reduce((max, row) => Math.max(max, row.length), 1);
  const emptyCell: Cell = { cell: null, align: "" };
  for (const row of grid) while (row.length < width) row.push(emptyCell);
  if (!hasHeadingRow) grid.unshift(Array.from({ length: width }, () => emptyCell));
  const caption = childrenOf(table).find((child) => isElement(child) && child.localName === "caption");
  return { caption: (caption as DomElement | undefined) ?? null, rows: grid };
}

function rowsOf(table: DomElement): DomElement[] {
  const rows: DomElement[] = [];
  const heads: DomElement[] = [];
  const feet: DomElement[] = [];
  for (const part of childrenOf(table)) {
    if (!isElement(part)) continue;
    if (part.localName === "tr") rows.push(part);
    else if (/^t(?:head|body|foot)$/.test(part.localName)) {
      const into = part.localName === "thead" ? heads : part.localName === "tfoot" ? feet : rows;
      for (const row of childrenOf(part)) if (isElement(row) && row.localName === "tr") into.push(row);
    }
  }
  return [...heads, ...rows, ...feet];
}

function cellsOf(row: DomElement): DomElement[] {
  return childrenOf(row).filter(
    (child): child is DomElement =>
      isElement(child) && (child.localName === "td" || child.localName === "th"),
  );
}

function isLayout(table: DomElement, rows: DomElement[][]): boolean {
  const role = table.getAttribute("role");
  if (role === "presentation" || role === "none") return true;
  if (rows.every((row) => row.length < 2)) return true;
  const cells = rows.flat();
  const isDeclared =
    role === "grid" ||
    role === "table" ||
    table.querySelector("th, caption, thead") !== null ||
    table.hasAttribute("summary");
  if (isDeclared) return false;
  if (table.querySelector("table, h1, h2, pre") !== null) return true;
  if (cells.some((cell) => plainText(cell).length > MAX_CELL_TEXT)) return true;
  const filled = rows.filter((row) => row.filter((cell) => plainText(cell) !== "").length >= 2);
  return filled.length < 2;
}

/** Whether the first row is in thead, consists of th, or is the only bold one. */
function isHeadingRow(row: DomElement, cells: DomElement[], rows: DomElement[][]): boolean {
  if (row.parentNode?.localName === "thead" || cells.every((cell) => cell.localName === "th")) return true;
  const isBold = (cell: DomElement) => {
    const text = plainText(cell);
    return text === "" || [...cell.querySelectorAll("b, strong")].map(plainText).join(" ") === text;
  };
  const hasTwoTexts = cells.filter((cell) => plainText(cell) !== "").length >= 2;
  return hasTwoTexts && rows.length > 1 && cells.every(isBold) && !rows[1]!.every(isBold);
}

function fillGrid(rows: DomElement[][]): Cell[][] {
  const grid: Cell[][] = rows.map(() => []);
  for (const [y, row] of rows.entries()) {
    let x = 0;
    for (const cell of row) {
      while (grid[y]![x]) x++;
      if (x >= MAX_COLUMNS) break;
      const across = Math.min(spanOf(cell, "colspan"), MAX_COLUMNS - x);
      const down = Math.min(spanOf(cell, "rowspan"), rows.length - y);
      for (let dy = 0; dy < down; dy++)
        for (let dx = 0; dx < across; dx++)
          grid[y + dy]![x + dx] = { cell: dx === 0 && dy === 0 ? cell : null, align: alignOf(cell) };
      x += across;
    }
    for (let i = 0; i < grid[y]!.length; i++) grid[y]![i] ??= { cell: null, align: "" };
  }
  return grid;
}

function spanOf(cell: DomElement, name: string): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? "1", 10);
  return Number.isInteger(span) && span > 0 ? span : 1;
}

function alignOf(cell: DomElement): Cell["align"] {
  const style = /text-align:\s*(left|right|center)/i.exec(cell.getAttribute("style") ?? "")?.[1];
  const align = (style ?? cell.getAttribute("align") ?? "").toLowerCase();
  return align === "left" || align === "right" || align === "center" ? align : "";
}
