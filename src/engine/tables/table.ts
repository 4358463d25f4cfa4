// A table as results are computed from it: rows with named cells, and what a question asks of them. It knows no probabilities
// and no documents.

import { shareOf, type WordSet, wordSet } from "../language/match.ts";
import { stemsOf, type Term } from "../language/terms.ts";

interface Cell {
  header: string;
  value: string;
}

export interface Row {
  /** Empty cells are left out. */
  cells?: readonly Cell[];
  /** The whole row without markup. */
  plain: string;
  /** The words of the row, of what introduces the table, and of the headings and the title above it. */
  wordsInContext: WordSet;
}

export interface Table {
  rows: readonly Row[];
  /** A row such as `Total`, which is none of the rows. */
  total?: Row;
  headers: readonly string[];
  /** Whether all of its pieces are known. */
  isComplete: boolean;
}

/** A question, or a part of one. */
export interface Asked {
  text: string;
  /** Also what was said before it. */
  search: string;
  terms: readonly (Term & { weight: number })[];
}

/** A result and the rows that it follows from. */
export interface Result {
  /** Whether it is the whole answer. About a cell, other passages may say more. */
  isWhole: boolean;
  statement: string;
  rows: readonly Row[];
}

/** Whether the first cell of a row says that it is none of the things that the table lists. */
export const isSummary = (row: Row) => [SUM, PART, AVERAGE].some((pattern) => pattern.test(keyOf(row)));
/** The row with the sum of all others; undefined if none says so, or several do. */
export function totalOf(rows: readonly Row[]): Row | undefined {
  const [total, ...others] = rows.filter((row) => SUM.test(keyOf(row)));
  return others.length > 0 ? undefined : total;
}
/** Whether a word of a question asks for a total. */
export const asksTotal = (word: string) =>
  /^(?:totals?|sum|overall|all|(?:al)?together|combined)$/i.test(word);
// `All-day ticket` and `All inclusive` are things.
const SUM =
  /^(?:(?:grand )?totals?|sum|overall|all(?= together| of|$|(?: the)? (?!others)\p{L}{2,}s$))\b(?!-)/iu;
const PART = /^sub-?\s?totals?\b/i;
const AVERAGE = /^(?:average|mean|median)\b(?!-)/i;

export const keyOf = ({ cells = [] }: Row) => cells[0]?.value ?? "";
export const cellOf = ({ cells = [] }: Row, column: string) =>
  cells.find(({ header }) => header === column)?.value;

const CODE = /^(?:nos?|nr|numbers?|codes?|id|#|ref(?:erence)?|key)\b\.?/i;
/** The headers of what names the rows: the first one, behind a code also the second one. */
export const namingHeaders = ({ headers }: Table) => headers.slice(0, CODE.test(headers[0] ?? "") ? 2 : 1);

/** Whether words name a column other than that of the rows. `Courses` may be lessons, but not beside a column `Course`. */
export function namesOtherColumn(table: Table, terms: readonly Term[]): boolean {
  const naming = namingHeaders(table);
  const own = stemsOf(naming.join("\n"));
  const others = table.headers.filter((header) => !naming.includes(header));
  return !terms.some(({ stem }) => own.has(stem)) && others.some((header) => mentions(terms, header));
}

const YES = /^(?:yes|y|true|included|✓|✔|x)$/i;
export const saysYes = (value: string) => YES.test(value);
/** The words of a row's cells; of a cell that says yes, those of its header. */
export const wordsOf = ({ cells = [] }: Row): WordSet => ({
  stems: stemsOf(cells.map(({ header, value }) => (YES.test(value) ? header : value)).join("\n")),
  joined: "",
});

/** The headers whose columns say yes or something else, so that their words tell rows apart. */
export const headersWithYes = ({ rows }: Table) =>
  new Set(
    rows.flatMap(({ cells = [] }) =>
      cells.filter(({ value }) => YES.test(value)).map(({ header }) => header),
    ),
  );

/** Whether a text contains one of these words, or one that means the same. */
export const mentions = (terms: readonly Term[], text: string) => {
  const words = wordSet(text);
  return terms.some((term) => shareOf(term, words) > 0);
};

/** Whether a text contains a value as it is written; a single letter with its case, and not as the first word. */
export function isWrittenIn(value: string, text: string): boolean {
  const quoted = value.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  if (quoted === "" || /^I$/i.test(quoted)) return false;
  const isShort = value.trim().length < 2;
  return new RegExp(
    `${isShort ? "(?<=\\S\\s+\\S*)" : ""}(?<![\\p{L}\\p{N}])${quoted}(?![\\p{L}\\p{N}*+])`,
    isShort ? "u" : "iu",
  ).test(text);
}
