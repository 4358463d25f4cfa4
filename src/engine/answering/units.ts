// Evidence cut into units that can be quoted alone: sentences, list items with their lead-in, table rows with their header,
// code blocks whole. It knows Markdown's lines; what is asked it does not know.

import { cutUnits } from "../../kernel/text.ts";
import { sentenceEnd } from "../chunking/ends.ts";
import { isInstruction } from "./instructions.ts";
import { inert, plain, readable, withoutCitations } from "./plain.ts";

/** A chunk as evidence. */
export interface Evidence {
  id: string;
  documentId: string;
  title: string;
  /** Headings from the outermost down. */
  path: readonly string[];
  text: string;
  score: number;
  /** What stands right before a list, a table or a code block: the end of the paragraph that introduces it. */
  lead?: string;
  /** The section's own chunk, which holds its heading. */
  sectionId?: string;
  /** The header row, where the chunk is a later piece of a long table. */
  tableHead?: string;
}

export type UnitKind = "sentence" | "item" | "row" | "code" | "heading";

export interface Unit {
  kind: UnitKind;
  /** Index of its chunk in the evidence. */
  chunk: number;
  /** Position among the units of its chunk. */
  position: number;
  /** As an answer shows it. */
  shown: string;
  /** As it is compared: no markup. */
  plain: string;
  /** What introduces it: the sentence before a code block, the lead-in of a list; plain, may be empty. */
  lead: string;
  /** The number of an item of a numbered list. */
  step?: number;
  /** A row's cells under their headers. */
  cells?: { header: string; value: string }[];
}

const FENCE = /^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}|~{3,})/;
const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
const RULE = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|=+)$/;
const QUOTE = /^\s{0,3}>\s?/;
const FRONT_MATTER_LINE = /^([\w-]+):\s+(.+)$/;
/** An item of more words is quoted sentence by sentence. */
const WHOLE_ITEM_WORDS = 45;
/** Of a unit of prose so much is shown and compared: nobody reads a longer one as an answer. */
const UNIT_UNITS = 1_200;
/** Beyond this a chunk is not read further; no chunk of ours is longer by much. */
const MOST_UNITS = 400;

/** Units of one chunk in order; those that speak to the machine that reads them are left out. */
export function unitsOf(evidence: Evidence, chunk: number): Unit[] {
  const units: Unit[] = [];
  let lead = plain(evidence.lead ?? "");
  const add = (
    kind: UnitKind,
    shown: string,
    compared: string,
    leadIn: string,
    more: Pick<Unit, "cells" | "step"> = {},
  ) => {
    if (compared === "" || units.length >= MOST_UNITS || isInstruction(`${leadIn} ${compared}`)) return;
    units.push({
      kind,
      chunk,
      position: units.length,
      shown: kind === "code" ? shown : shortened(shown),
      plain: cutUnits(compared, UNIT_UNITS),
      lead: cutUnits(leadIn, UNIT_UNITS),
      ...more,
    });
  };
  const addProse = (lines: string[]) => {
    for (const sentence of sentencesOf(lines.join("\n"))) {
      const compared = plain(sentence);
      add("sentence", readable(sentence), compared, "");
      lead = compared;
    }
  };
  const addItem = (text: string, step: Pick<Unit, "step">) => {
    if (text.split(/\s+/).length <= WHOLE_ITEM_WORDS) add("item", readable(text), plain(text), lead, step);
    else for (const sentence of sentencesOf(text)) add("item", readable(sentence), plain(sentence), lead);
  };

  const heading = evidence.path.at(-1);
  // A heading such as `Release 3.1 (2 October 2024)` or `5.2.1` states something itself.
  if (
    heading !== undefined &&
    /\d{4}|\d\.\d|\d\s?\p{Sc}|\p{Sc}\s?\d/u.test(heading) &&
    evidence.sectionId !== undefined
  ) {
    add("heading", readable(heading), plain(heading), "");
  }
  const lines = evidence.text.split(/\r\n?|\n/).map((line) => line.replace(QUOTE, ""));
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]!;
    const fence = FENCE.exec(line)?.[1];
    if (fence) {
      const end = closing(lines, i + 1, fence);
      const code = lines.slice(i + 1, end);
      const language = /[\w+#-]*\s*$/.exec(line)![0].trim();
      add("code", withoutCitations(dedent(code)), code.join("\n").trim(), `${lead} ${language}`.trim());
      i = end + 1;
    } else if (line.trim() === "" || RULE.test(line)) {
      i++;
    } else if (isTable(lines, i, evidence.tableHead)) {
      i = readTable(lines, i, evidence.tableHead, (shown, compared, cells) =>
        add("row", shown, compared, lead, { cells }),
      );
    } else if (ITEM.test(line)) {
      const [, , first = ""] = ITEM.exec(line)!;
      const item = [first];
      for (i++; i < lines.length && continuesItem(lines[i]!, lines[i - 1]!); i++) item.push(lines[i]!.trim());
      const number = /^\s*(\d+)[.)]/.exec(line)?.[1];
      addItem(item.join("\n").trim(), number === undefined ? {} : { step: Number(number) });
    } else if (/^(?: {4}|\t)/.test(line)) {
      let end = i;
      while (end < lines.length && (lines[end]!.trim() === "" || /^(?: {4}|\t)/.test(lines[end]!))) end++;
      const code = lines.slice(i, end);
      add("code", withoutCitations(dedent(code)), code.join("\n").trim(), lead);
      i = end;
    } else if (FRONT_MATTER_LINE.test(line) && lines[0]!.startsWith("---")) {
      add("item", readable(line), plain(line), "");
      i++;
    } else {
      let end = i + 1;
      while (end < lines.length && isProse(lines[end]!) && !isTable(lines, end, undefined)) end++;
      addProse(lines.slice(i, end));
      i = end;
    }
  }
  return units;
}

const shortened = (shown: string) =>
  shown.length > UNIT_UNITS ? `${inert(cutUnits(shown, UNIT_UNITS))} …` : shown;

const isProse = (line: string) =>
  line.trim() !== "" && !FENCE.test(line) && !ITEM.test(line) && !RULE.test(line);
/** A line of its own that belongs to the item above: indented, or lazily continued. */
const continuesItem = (line: string, before: string) =>
  isProse(line) && (before.trim() !== "" || /^\s{2,}/.test(line));

function closing(lines: string[], from: number, fence: string): number {
  let end = from;
  while (end < lines.length && !new RegExp(`^\\s*${fence[0]}{${fence.length},}\\s*$`).test(lines[end]!))
    end++;
  return end;
}

function dedent(lines: string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^\s*/.exec(line)![0].length);
  const least = indents.length > 0 ? Math.min(...indents) : 0;
  return lines
    .map((line) => line.slice(least).trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
}

const isDelimiter = (line: string) => line.includes("-") && line.includes("|") && /^[\s|:-]+$/.test(line);

function isTable(lines: string[], at: number, head: string | undefined): boolean {
  if (!lines[at]!.includes("|")) return false;
  if (head !== undefined && at === 0) return true;
  return at + 1 < lines.length && isDelimiter(lines[at + 1]!);
}

type TakeRow = (shown: string, compared: string, cells: { header: string; value: string }[]) => void;

function readTable(lines: string[], at: number, head: string | undefined, take: TakeRow): number {
  const continued = at === 0 && head !== undefined && !(at + 1 < lines.length && isDelimiter(lines[at + 1]!));
  const headers = cellsOf(continued ? head : lines[at]!);
  let i = continued ? at : at + 2;
  for (; i < lines.length && lines[i]!.includes("|"); i++) {
    const cells = cellsOf(lines[i]!).map((value, column) => ({ header: headers[column] ?? "", value }));
    const filled = cells.filter(({ value }) => value !== "");
    take(
      rowLine(filled, readable),
      rowLine(filled, plain),
      filled.map(({ header, value }) => ({ header: plain(header), value: plain(value) })),
    );
  }
  return i;
}

/** A row for reading: `Part: X; Price: 4 euros`. */
function rowLine(cells: { header: string; value: string }[], form: (text: string) => string): string {
  return cells
    .map(({ header, value }) => (header ? `${form(header)}: ${form(value)}` : form(value)))
    .join("; ");
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());
}

const ABBREVIATION =
  /(?:^|[\s("'])(?:(?:\p{L}\.)+|(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|Rev|Gen|Col|Capt|Lt|Sgt|Hon|vs|cf|e\.g|i\.e|approx|ca|no|nos|fig|figs|vol|pp|ch|sec|art|ed|eds|al|etc|incl|excl|max|min|dept|est|ext|inc|ltd|co|corp|bros|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|z\.B|bzw|usw|Nr|Abs|Hr|Fr))\.$/iu;
/** These end a sentence as often as not. */
const MAY_END = /(?:^|\s)(?:etc|inc|ltd|co|corp|no|max|min|al|\p{L}\.(?:\p{L}\.)+)\.?$/iu;

/** The word that an entry of a glossary explains, and a bare yes or no, go with what follows. */
const BEGINS_ENTRY =
  /^(?:(\*\*|__)[^*_]{1,80}\1[.:]?|(?:\*\*|__)?(?:yes|no|not? really)[.,!:](?:\*\*|__)?)$/i;

/** Sentences of a stretch of prose; a full stop after an abbreviation, or inside code, ends none. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let open = "";
  for (let at = 0; at < text.length; ) {
    const end = sentenceEnd(text, at, text.length);
    open += text.slice(at, end);
    at = end;
    const trimmed = open.trim();
    const isTerm = BEGINS_ENTRY.test(trimmed);
    const insideCode = (trimmed.match(/`/g)?.length ?? 0) % 2 === 1;
    const isShortened =
      ABBREVIATION.test(trimmed) &&
      !(MAY_END.test(trimmed) && /^\p{Lu}/u.test(text.slice(at)) && trimmed.split(/\s+/).length > 3);
    if (at < text.length && (insideCode || isShortened || isTerm)) continue;
    if (trimmed !== "") sentences.push(trimmed);
    open = "";
  }
  if (open.trim() !== "") sentences.push(open.trim());
  return sentences;
}
