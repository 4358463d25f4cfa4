// Finds clear grids among the lines of a PDF page: rows of short cells at equal heights, in columns with gaps between.

import type { Cell, Line } from "./pdf-lines.ts";

export interface Grid {
  /** The lines that the table takes the place of. */
  lines: Set<Line>;
  /** One text for each column, "" where the row has none. */
  rows: string[][];
  /** The first line in the order of the file. */
  first: Line;
}

const MIN_ROWS = 3;
const MAX_COLUMNS = 30;
/** In characters: longer cells are columns of prose. */
const MAX_CELL = 60;
const MAX_MEAN_CELL = 24;
/** Minimum share of cells with text. */
const MIN_FILLED = 0.7;
/** Rows this far apart, in sizes of the text, do not belong together. */
const MAX_ROW_GAP = 3.5;
/** Heights that differ less, in sizes of the text, are equal. */
const SAME_HEIGHT = 0.3;

interface Row {
  y: number;
  size: number;
  lines: Line[];
  cells: Cell[];
}

/** The grids of one page. */
export function findGrids(lines: readonly Line[]): Grid[] {
  const order = new Map(lines.map((line, index) => [line, index]));
  const grids: Grid[] = [];
  let run: Row[] = [];
  const end = () => {
    const grid = gridOf(run, order);
    if (grid) grids.push(grid);
    run = [];
  };
  for (const row of rowsOf(lines)) {
    const last = run.at(-1);
    if (row.cells.length < 2 || row.cells.some(({ text }) => text.length > MAX_CELL)) end();
    else {
      if (last && last.y - row.y > MAX_ROW_GAP * row.size) end();
      run.push(row);
    }
  }
  end();
  return grids;
}

/** Lines of equal height, from top to bottom. */
function rowsOf(lines: readonly Line[]): Row[] {
  const rows: Row[] = [];
  for (const line of lines.toSorted((a, b) => b.y - a.y)) {
    const last = rows.at(-1);
    if (last && last.y - line.y < SAME_HEIGHT * line.size) {
      last.lines.push(line);
      last.cells.push(...line.cells);
    } else rows.push({ y: line.y, size: line.size, lines: [line], cells: [...line.cells] });
  }
  for (const { cells } of rows) cells.sort((a, b) => a.x - b.x);
  return rows;
}

function gridOf(rows: readonly Row[], order: ReadonlyMap<Line, number>): Grid | undefined {
  if (rows.length < MIN_ROWS) return undefined;
  const cells = rows.flatMap((row) => row.cells);
  const mean = cells.reduce((sum, { text }) => sum + text.length, 0) / cells.length;
  const columns = columnsOf(cells);
  if (mean > MAX_MEAN_CELL || columns.length < 2 || columns.length > MAX_COLUMNS) return undefined;
  if (cells.length < MIN_FILLED * columns.length * rows.length) return undefined;
  const texts = rows.map((row) => {
    const texts = columns.map(({ x, right }) =>
      row.cells.filter((cell) => cell.x >= x && cell.right <= right).map(({ text }) => text),
    );
    return texts.map((some) => some.join(" "));
  });
  const lines = new Set(rows.flatMap((row) => row.lines));
  const first = [...lines].reduce((a, b) => (order.get(b)! < order.get(a)! ? b : a));
  return { lines, rows: texts, first };
}

/** The parts of the width in which there are cells, from left to right. */
function columnsOf(cells: readonly Cell[]): { x: number; right: number }[] {
  const columns: { x: number; right: number }[] = [];
  for (const { x, right } of cells.toSorted((a, b) => a.x - b.x)) {
    const last = columns.at(-1);
    if (last && x <= last.right) last.right = Math.max(last.right, right);
    else columns.push({ x, right });
  }
  return columns;
}
