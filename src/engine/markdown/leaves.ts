// Reads a short Markdown text as a list of leaf blocks with their content: prose, list items, table rows and code.
// Inline markup is not changed. It uses the same parser as blocks.ts.

import type { Token } from "markdown-it";
import { delimitedIn } from "./delimited.ts";
import { frontMatterLines } from "./front-matter.ts";
import { lineStarts } from "./lines.ts";
import { BlockState, EVERY_REFERENCE, markdown, normalizeSource, parseBlocks } from "./parser.ts";

/** A leaf block. `text` of prose, items, headers and cells is inline Markdown; `text` of code is literal. */
export type Leaf =
  | { kind: "prose"; text: string }
  /**
   * `step` is the number of an item in an ordered list, `task` the box of one in a list of tasks, and `depth` in how
   * many other items it is, if in any.
   */
  | { kind: "item"; text: string; step?: number; task?: "[x]" | "[ ]"; depth?: number }
  | { kind: "row"; headers: string[]; cells: string[] }
  | { kind: "code"; text: string; language: string }
  /** A line `key: value` of front matter. */
  | { kind: "field"; text: string };

/**
 * The leaf blocks of a text in order. `tableHead` is the header row if the text continues a table, or "" if that table
 * has no known header. Link definitions and thematic breaks are left out.
 */
export function leavesOf(text: string, tableHead?: string): Leaf[] {
  if (tableHead !== undefined) {
    if (!hasBars(text)) return proseLeaves(`${tableHead}\n${text}`);
    return bodyLeaves(`${tableStart(tableHead, text)}\n${text.trimStart()}`);
  }
  const starts = lineStarts(text);
  const fields = frontMatterLines(text, starts);
  if (fields === 0) return bodyLeaves(text);
  const front = text.slice(starts[1], starts[fields - 1]);
  return [...fieldLeaves(front), ...bodyLeaves(text.slice(starts[fields]))];
}

/** Whether a text may begin with a row of a Markdown table. */
export const hasBars = (text: string) => text.trimStart().startsWith("|");

/** The kind of block that a text starts with; `table` only for a table with its header. */
export function kindAtStart(text: string): "list" | "table" | "code" | "other" {
  const [first] = tokensOf(firstLines(text));
  switch (first?.type) {
    case "bullet_list_open":
    case "ordered_list_open":
      return "list";
    case "table_open":
      return "table";
    case "fence":
    case "code_block":
      return "code";
    default:
      return "other";
  }
}

/** The header row of the table that a text starts with; undefined if it starts with something else. */
export function tableHeadOf(text: string): string | undefined {
  const start = firstLines(text.trimStart());
  return kindAtStart(start) === "table" ? start.slice(0, start.indexOf("\n")) : undefined;
}

/** Longer lines are cut before they are parsed. */
const MAX_LINE_UNITS = 4_000;

/** Two lines determine the kind of a block: the second line of a table is its delimiter row. */
function firstLines(text: string): string {
  const [first = "", second = ""] = text.slice(0, 2 * MAX_LINE_UNITS).split(/\r\n?|\n/, 2);
  return `${first.slice(0, MAX_LINE_UNITS)}\n${second}`;
}

/** A header row and a delimiter row with as many columns as the header or the first row has. */
function tableStart(head: string, text: string): string {
  const row = text
    .trimStart()
    .split(/\r\n?|\n/, 1)
    .join();
  const missing = Math.max(0, columnsOf(row) - columnsOf(head));
  const header = `|${head
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")}${"|".repeat(missing)}|`;
  return `${header}\n|${"-|".repeat(columnsOf(header))}`;
}

const columnsOf = (row: string) =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/).length;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const state = new BlockState(normalizeSource(text), markdown, { references: EVERY_REFERENCE }, tokens);
  parseBlocks(state, () => {});
  return tokens;
}

/** A list item whose text has been read in part. */
interface OpenItem {
  paragraphs: string[];
  step: number | undefined;
}

/** A table row that is being read; `line` is the source of a row without cell separators. */
interface OpenRow {
  cells: string[];
  line: string | undefined;
}

function bodyLeaves(text: string): Leaf[] {
  const source = normalizeSource(text);
  const lines = source.split("\n");
  const leaves: Leaf[] = [];
  const items: OpenItem[] = [];
  let headers: string[] = [];
  let isHeader = false;
  let row: OpenRow | undefined;
  let note: string[] = [];
  /** Ends the text of the innermost item, because another block follows. */
  const endItemText = () => {
    const item = items.at(-1);
    if (!item || item.paragraphs.length === 0) return;
    const content = item.paragraphs.join("\n");
    const task = TASK.exec(content);
    const depth = items.length - 1;
    leaves.push({
      kind: "item",
      text: content.slice(task?.[0].length ?? 0),
      ...(item.step !== undefined && { step: item.step }),
      ...(task && { task: task[1] === " " ? "[ ]" : "[x]" }),
      ...(depth > 0 && { depth }),
    });
    item.paragraphs = [];
    item.step = undefined;
  };
  const endNote = () => {
    if (note.length > 0) leaves.push({ kind: "prose", text: note.join("\n") });
    note = [];
  };
  const endRow = ({ cells, line }: OpenRow) => {
    if (isHeader) headers = cells;
    else if (line !== undefined) note.push(line.trim());
    else {
      endNote();
      leaves.push({ kind: "row", headers, cells });
    }
  };

  for (const token of tokensOf(source)) {
    const { type, info, map } = token;
    const content = type === "html_block" ? token.content.replace(SUMMARY, withoutLabel) : token.content;
    switch (type) {
      case "inline":
      case "html_block":
        if (row) row.cells.push(content);
        else if (items.length > 0) items.at(-1)?.paragraphs.push(content);
        else leaves.push(...proseLeaves(content));
        break;
      case "list_item_open":
        items.push({ paragraphs: [], step: info === "" ? undefined : Number(info) });
        break;
      case "list_item_close":
        endItemText();
        items.pop();
        break;
      case "thead_open":
      case "thead_close":
        isHeader = type === "thead_open";
        break;
      case "tr_open": {
        // markdown-it reads all lines up to the next blank one as rows; a line without `|` is a paragraph here.
        const line = lines[map?.[0] ?? -1];
        row = { cells: [], line: line?.includes("|") ? undefined : line };
        break;
      }
      case "tr_close":
        if (row) endRow(row);
        row = undefined;
        break;
      case "tbody_close":
        endNote();
        break;
      case "fence":
      case "code_block":
        endItemText();
        leaves.push({ kind: "code", text: content, language: info.trim() });
        break;
      case "bullet_list_open":
      case "ordered_list_open":
      case "table_open":
      case "blockquote_open":
        endItemText();
        break;
    }
  }
  return leaves;
}

/** A paragraph, or the rows of the table that its lines form. */
function proseLeaves(text: string): Leaf[] {
  const table = delimitedIn(text);
  if (!table) return [{ kind: "prose", text }];
  return table.rows.map((cells) => ({ kind: "row", headers: table.headers, cells }));
}

/** A part that can be unfolded begins with a label, unless that asks or states something. */
const SUMMARY = /<summary>[^<]*<\/summary>/gi;
const withoutLabel = (summary: string) => (/[?\d]/.test(summary) ? summary : "");
const TASK = /^\[([ xX])\]\s+/;

const FIELD = /^[\w-]+:\s+.+$/;

/** Fields in order; other lines, such as lists of tags, are read as Markdown. */
function fieldLeaves(front: string): Leaf[] {
  const leaves: Leaf[] = [];
  let others: string[] = [];
  const flush = () => {
    leaves.push(...bodyLeaves(others.join("\n")));
    others = [];
  };
  for (const line of front.split(/\r\n?|\n/)) {
    if (FIELD.test(line)) {
      flush();
      leaves.push({ kind: "field", text: line });
    } else {
      others.push(line);
    }
  }
  flush();
  return leaves;
}
