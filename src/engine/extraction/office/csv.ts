// Reads tables of comma-separated values (RFC 4180), and those with semicolons, tabs or bars.

import { decodeText } from "../shared/charset.ts";
import type { FileContents } from "./contents.ts";
import { pageOf, tableOf } from "./html.ts";

const DELIMITERS = [",", ";", "\t", "|"] as const;
/** The delimiter is found in this many characters at the start. */
const SNIFFED_UNITS = 10_000;

/** Reads a table as one Markdown table; the first row is its head. */
export async function readCsv(bytes: Uint8Array): Promise<FileContents> {
  const text = decodeText(bytes, "").replace(/^\ufeff/, "");
  const { delimiter, start } = delimiterOf(text);
  const rows = rowsOf(text.slice(start), delimiter).filter((row) => row.some((cell) => cell.trim() !== ""));
  return { title: "", html: pageOf(tableOf(rows)), metadata: {}, leftOut: [] };
}

/** The delimiter that divides most rows into equally many cells. Excel's first line `sep=;` names it. */
function delimiterOf(text: string): { delimiter: string; start: number } {
  const named = /^sep=(.)\r?\n/i.exec(text);
  if (named) return { delimiter: named[1]!, start: named[0].length };
  const head = text.slice(0, SNIFFED_UNITS);
  const scored = DELIMITERS.map((delimiter) => {
    const rows = rowsOf(head, delimiter);
    const width = rows[0]?.length ?? 1;
    const same = rows.filter((row) => row.length === width).length;
    return { delimiter, score: width === 1 ? 0 : (same / rows.length) * Math.min(width, 10) };
  });
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  return { delimiter: best.score === 0 ? "," : best.delimiter, start: 0 };
}

/** The cells of each row. Quotes may contain delimiters, line breaks, and quotes written twice. */
function rowsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const endOfPlain = (from: number) => {
    let end = from;
    while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end++;
    return end;
  };
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      const parts: string[] = [];
      let from = at + 1;
      for (;;) {
        const quote = text.indexOf('"', from);
        const end = quote < 0 ? text.length : quote;
        parts.push(text.slice(from, end));
        at = end + 1;
        if (text[at] !== '"') break;
        parts.push('"');
        from = at + 1;
      }
      const end = endOfPlain(at);
      cell = parts.join("") + text.slice(at, end);
      at = end;
    } else {
      const end = endOfPlain(at);
      cell = text.slice(at, end);
      at = end;
    }
    row.push(cell);
    if (text[at] === delimiter) {
      at++;
      if (at < text.length) continue;
      row.push("");
    }
    if (text[at] === "\r") at++;
    if (text[at] === "\n") at++;
    rows.push(row);
    row = [];
  }
  return rows;
}
