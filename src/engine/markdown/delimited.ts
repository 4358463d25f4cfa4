// Reads pasted lines of values between delimiters (CSV, TSV) as a table. Linear in the length of the text.

/** The cells of lines with the same number of values; without headers if the first line names no columns. */
export interface Delimited {
  headers: string[];
  rows: string[][];
}

const DELIMITERS = ["\t", ";", ","];
/** Fewer values may as well be a sentence. */
const MIN_COLUMNS = 3;
/** A header row and one other. */
const MIN_LINES = 2;
const MAX_HEADER_UNITS = 40;

/** The table that all lines of a text form; undefined if they form none. */
export function delimitedIn(text: string): Delimited | undefined {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  if (lines.length < MIN_LINES) return undefined;
  for (const delimiter of DELIMITERS) {
    if (!lines.every((line) => line.includes(delimiter))) continue;
    const rows = lines.map((line) => valuesOf(line, delimiter));
    const columns = rows[0]!.length;
    if (columns < MIN_COLUMNS || rows.some(({ length }) => length !== columns) || isProse(lines, delimiter))
      continue;
    return namesColumns(rows) ? { headers: rows[0]!, rows: rows.slice(1) } : { headers: [], rows };
  }
  return undefined;
}

/** A comma in a number, as in `1,200,300`. */
const IN_NUMBER = /(?<=\d),(?=\d{3}(?!\d))/g;

/**
 * Whether the delimiter is punctuation: half of those in the lines, without commas in numbers, have a space behind
 * them.
 */
function isProse(lines: readonly string[], delimiter: string): boolean {
  if (delimiter === "\t") return false;
  const pieces = lines.flatMap((line) => line.replace(IN_NUMBER, "").split(delimiter).slice(1));
  return pieces.filter((piece) => piece.startsWith(" ")).length * 2 >= pieces.length;
}

/** Whether the first row consists of short different names without digits, and another one has digits. */
function namesColumns([first = [], ...others]: readonly string[][]): boolean {
  const isName = (cell: string) => /^\D*\p{L}\D*$/u.test(cell) && cell.length <= MAX_HEADER_UNITS;
  return (
    first.every(isName) && new Set(first).size === first.length && others.some((row) => /\d/.test(row.join()))
  );
}

/** The values of a line; one in double quotes may contain the delimiter, and two quotes in it are one (RFC 4180). */
function valuesOf(line: string, delimiter: string): string[] {
  const values: string[] = [];
  let value = "";
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const unit = line[i]!;
    if (unit === '"' && isQuoted && line[i + 1] === '"') value += line[++i];
    else if (unit === '"' && (isQuoted || value === "")) isQuoted = !isQuoted;
    else if (unit === delimiter && !isQuoted) {
      values.push(value.trim());
      value = "";
    } else value += unit;
  }
  return [...values, value.trim()];
}
