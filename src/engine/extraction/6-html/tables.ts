// Tables: which ones are data and which only place things on the page, and data tables as a full grid. It writes nothing.

import { childrenOf, type DomElement, isElement, plainText } from "../shared/dom.ts";

interface Cell {
  /** Null where a span or a missing cell leaves a hole. */
  cell: DomElement | null;
  align: "left" | "right" | "center" | "";
}

export interface Table {
  caption: DomElement | null;
  /** The first row is the heading; it is made of holes where the page has none. All rows are equally long. */
  rows: Cell[][];
}

/** Wider tables are cut: a page may ask for millions of columns. */
const MAX_COLUMNS = 200;

/** Text in a single cell beyond which a table without headings is a layout. */
const LONG_CELL = 600;

/** Null for a table that only places things on the page. */
export function readTable(table: DomElement): Table | null {
  const rows = rowsOf(table);
  const cells = rows.map(cellsOf);
  if (isLayout(table, cells)) return null;
  const grid = fillGrid(cells);
  const headed = cells.length > 0 && isHeadingRow(rows[0]!, cells[0]!, cells);
  const width = Math.max(...grid.map((row) => row.length), 1);
  const hole: Cell = { cell: null, align: "" };
  for (const row of grid) while (row.length < width) row.push(hole);
  if (!headed) grid.unshift(Array.from({ length: width }, () => hole));
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
  const widest = Math.max(0, ...rows.map((row) => row.length));
  if (widest < 2) return true;
  const cells = rows.flat();
  const signed =
    role === "grid" ||
    role === "table" ||
    table.querySelector("th, caption, thead") !== null ||
    table.hasAttribute("summary");
  if (signed) return false;
  if (table.querySelector("table, h1, h2, pre") !== null) return true;
  if (cells.some((cell) => plainText(cell).length > LONG_CELL)) return true;
  const told = rows.filter((row) => row.filter((cell) => plainText(cell) !== "").length >= 2);
  return told.length < 2;
}

/** Cells in thead or <th>, or a first row that is bold throughout above rows that are not. */
function isHeadingRow(row: DomElement, cells: DomElement[], rows: DomElement[][]): boolean {
  if (row.parentNode?.localName === "thead" || cells.every((cell) => cell.localName === "th")) return true;
  const isBold = (cell: DomElement) => {
    const text = plainText(cell);
    return text === "" || [...cell.querySelectorAll("b, strong")].map(plainText).join(" ") === text;
  };
  const named = cells.filter((cell) => plainText(cell) !== "").length >= 2;
  return named && rows.length > 1 && cells.every(isBold) && !rows[1]!.every(isBold);
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
