// Splits a leaf block into statements that can be quoted alone: the sentences of prose and of long list items, short
// list items, table rows with their headers, whole code blocks. Labels, badges and the entries of a table of contents
// state nothing.

import { beginsMessage, entriesOf, isQuestion, labelOf } from "../markdown/entries.ts";
import { flattenInline, plainText } from "../markdown/inline.ts";
import type { Leaf } from "../markdown/leaves.ts";
import { readableFlat, withoutCitations } from "../markdown/shown.ts";
import { sentencesOf } from "./sentences.ts";

/** The two forms of a text. */
export interface Forms {
  /** As an answer shows it. */
  shown: string;
  /** As it is compared: no markup. */
  plain: string;
}

interface Cell {
  header: string;
  value: string;
}

export interface Statement extends Forms {
  kind: "sentence" | "item" | "row" | "code";
  /** The number of an item of a numbered list. */
  step?: number;
  /** Of a task: whether it is done. */
  task?: "[ ]" | "[x]";
  /** In how many other items an item is. */
  depth?: number;
  /** Whether a sentence is in a line of a chat, a log or a form. */
  isLine?: boolean;
  /** The position of a sentence in a long item or in such a line: 1 for the second one; undefined for the first. */
  part?: number;
  /**
   * What a statement cannot be understood without, as an answer shows it: the first sentence of its item, its line's
   * label, or the question before it.
   */
  head?: string;
  cells?: Cell[];
  /** Of a code block, as its fence names it; may be empty. */
  language?: string;
}

/** An item of more words is quoted sentence by sentence. */
const MAX_WHOLE_ITEM_WORDS = 45;
/**
 * A longer first sentence of an item is not repeated before its other sentences, nor a longer item before those in it.
 */
export const MAX_HEAD_WORDS = 15;

/** The statements of a block, in order. */
export function statementsOf(leaf: Leaf): Statement[] {
  switch (leaf.kind) {
    case "prose":
      return proseStatements(leaf.text.replace(ALERT, ""));
    case "item":
      return CONTENTS_ENTRY.test(leaf.text) ? [] : itemStatements(leaf);
    case "field":
      return [{ kind: "item", ...formsOf(leaf.text) }];
    case "row":
      return [rowStatement(leaf.headers, leaf.cells)];
    case "code":
      return [
        {
          kind: "code",
          shown: withoutCitations(dedent(leaf.text)),
          plain: leaf.text.trim(),
          language: leaf.language.split(/\s/, 1).join(),
        },
      ];
  }
}

/** Whether a heading states something itself, as `Release 3.1 (2 October 2024)` and `5.2.1` do. */
export const headingStates = (heading: string) => /\d{4}|\d\.\d|\d\s?\p{Sc}|\p{Sc}\s?\d/u.test(heading);

/** The mark of a GitHub alert, such as `[!NOTE]`. */
const ALERT = /^\s*\[![a-z]+\]\s*/i;
/** The line before the quotation in a reply. */
const ATTRIBUTION = /^On\b.{6,120}\bwrote:$/;

function proseStatements(text: string): Statement[] {
  const entries = entriesOf(text);
  const isLine = entries.length > 1 || beginsMessage(text);
  return entries.flatMap((entry) => {
    const sentences = sentencesIn(entry).filter(({ plain }) => !ATTRIBUTION.test(plain));
    const shown = sentences.map((one) => one.shown);
    const label = isLine ? labelOf(entry, shown[0] ?? "") : "";
    return sentences.map((forms, part): Statement => {
      const head = headOf(shown, part, label);
      return {
        kind: "sentence",
        ...forms,
        ...(isLine && { isLine, ...(part > 0 && { part }) }),
        ...(head !== "" && { head }),
      };
    });
  });
}

/** So many sentences behind a question that begins a paragraph answer it; behind another one, the next. */
const REACH_OF_FIRST = 3;

/** What a sentence is not understood without: the label of its line and the question that it answers; may be empty. */
function headOf(sentences: readonly string[], at: number, label: string): string {
  if (at === 0) return "";
  const asked = sentences.slice(0, at).findLastIndex(isQuestion);
  const isReached = asked >= 0 && at - asked <= (asked === 0 ? REACH_OF_FIRST : 1);
  if (!isReached) return label;
  const question = sentences[asked]!;
  return asked === 0 || label === "" ? question : `${label} ${question}`;
}

/** A link to a heading of the same document and nothing else. */
const CONTENTS_ENTRY = /^\s*\[(?:[^[\]\\]|\\.|\[[^[\]]*\])*\]\(#[^()\s]*\)\s*$/;

/** The forms of inline Markdown. */
export const formsOf = (markdown: string): Forms => formsOfFlat(flattenInline(markdown));
const formsOfFlat = (flattened: string): Forms => {
  const shown = readableFlat(flattened);
  return { shown, plain: plainText(shown) };
};

/** Inline markup is read in the whole text, because emphasis may enclose several sentences. */
const sentencesIn = (text: string): Forms[] => sentencesOf(flattenInline(text)).map(formsOfFlat);

function itemStatements({ text, task, ...place }: Extract<Leaf, { kind: "item" }>): Statement[] {
  const isWhole = wordsOf(text) <= MAX_WHOLE_ITEM_WORDS;
  const [first, ...others] = isWhole ? [formsOf(text)] : sentencesIn(text);
  if (!first) return [];
  const sentences = [task ? { ...first, shown: `${task} ${first.shown}` } : first, ...others];
  const head = sentences[0]?.shown ?? "";
  return sentences.map((forms, part) => ({
    ...place,
    ...forms,
    ...(task && { task }),
    ...(part > 0 && { part, ...(wordsOf(head) <= MAX_HEAD_WORDS && { head }) }),
  }));
}

const wordsOf = (text: string) => text.split(/\s+/).length;

/** A row as text: `Part: X; Price: 4 euros`. Empty cells are left out. */
function rowStatement(headers: readonly string[], row: readonly string[]): Statement {
  const cells = row
    .map((value, column) => ({ header: formsOf(headers[column] ?? ""), value: formsOf(value) }))
    .filter(({ value }) => value.shown !== "");
  const line = (form: keyof Forms) =>
    cells
      .map(({ header, value }) => (header.shown === "" ? value[form] : `${header[form]}: ${value[form]}`))
      .join("; ");
  return {
    kind: "row",
    shown: line("shown"),
    plain: line("plain"),
    cells: cells.map(({ header, value }) => ({ header: header.plain, value: value.plain })),
  };
}

/** Code without the indentation that all of its lines have, and without blank lines around it. */
function dedent(code: string): string {
  const lines = code.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const common = indents.length > 0 ? Math.min(...indents) : 0;
  return lines
    .map((line) => line.slice(common).trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
}
