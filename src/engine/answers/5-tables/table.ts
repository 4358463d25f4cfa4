// A table among the passages: rows with named cells, columns with amounts, and which of both a question means. Where
// two fit as well, none is meant.

import { type Column, columnOf } from "../../text/amounts.ts";
import { shareOf, type WordSet, wordSet } from "../../text/match.ts";
import { isLightWord, stemsOf, type Term, termsOf } from "../../text/terms.ts";
import { type Value, valuesOf } from "../../text/values.ts";
import { asksPrice, conditionsOf, isComparing, unitAsked } from "./asked.ts";

export interface Row {
  /** Empty cells are left out. */
  cells?: readonly { header: string; value: string }[];
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

export const keyOf = ({ cells = [] }: Row) => cells[0]?.value ?? "";
export const cellOf = ({ cells = [] }: Row, column: string) =>
  cells.find(({ header }) => header === column)?.value;

// `All-day ticket` and `All inclusive` are things.
const SUM = /^(?:(?:grand )?totals?|sum|overall|all(?=$| together))\b(?!-)/i;
const SUMMARY = /^(?:sub-?\s?totals?|average|mean|median)\b(?!-)/i;
/** Whether the first cell of a row says that it is none of the things that the table lists. */
export const isSummary = (row: Row) => SUM.test(keyOf(row)) || SUMMARY.test(keyOf(row));
/** The row with the sum of all others; undefined if none says so, or several do. */
export function totalOf(rows: readonly Row[]): Row | undefined {
  const [total, ...others] = rows.filter((row) => SUM.test(keyOf(row)));
  return others.length > 0 ? undefined : total;
}

/** The amounts below a header, in the order of the rows; undefined if they cannot be compared. */
export const amountsBelow = ({ rows }: Table, header: string, isMixed = false): Column | undefined =>
  columnOf(
    header,
    rows.map((row) => cellOf(row, header)),
    isMixed,
  );

/**
 * The header for which `scoreOf` is the highest; of `Weight` and `Crew weight`, the shorter one; undefined if none or
 * two fit.
 */
export function bestOf<One extends { header: string }>(
  candidates: readonly One[],
  scoreOf: (one: One) => number,
): One | undefined {
  const best = Math.max(...candidates.map(scoreOf));
  const [first, ...others] = candidates
    .filter((one) => scoreOf(one) === best)
    .sort((a, b) => a.header.length - b.header.length);
  const isPartOf = ({ header }: One) => stemsOf(header).isSupersetOf(stemsOf(first!.header));
  return others.every(isPartOf) ? first : undefined;
}

/** How many words of the question a text contains. */
export const hitsIn = (terms: readonly Term[], text: string): number => {
  const words = wordSet(text);
  return terms.filter((term) => shareOf(term, words) > 0).length;
};

const YES = /^(?:yes|y|true|included|supported|✓|✔|✅|☑|●|x)$/iu;
const NO = /^(?:no|n|false|none|not included|not supported|✗|✘|❌|☐|○|-|–|—)$/iu;
/** The words of a row's cells; of a cell that says yes, those of its header. */
const wordsOf = ({ cells = [] }: Row): WordSet =>
  wordSet(cells.map(({ header, value }) => (YES.test(value) ? header : value)).join("\n"));

/**
 * The rows below a header that say yes, or no; undefined if others say something else. An empty cell means no if no
 * cell says it.
 */
export function rowsMarked({ rows }: Table, header: string, isYes: boolean): readonly Row[] | undefined {
  const cells = rows.map((row) => cellOf(row, header) ?? "");
  const saysNo = cells.some((cell) => NO.test(cell));
  const marks = cells.map((cell) =>
    YES.test(cell) ? true : NO.test(cell) || (cell === "" && !saysNo) ? false : undefined,
  );
  if (marks.includes(undefined) || !marks.includes(true) || !marks.includes(false)) return undefined;
  return rows.filter((_, i) => marks[i] === isYes);
}

/** The stems in a text of values that were used otherwise. */
const stemsIn = (text: string, values: readonly Value[]) =>
  new Set(values.flatMap(({ start, end, noun }) => [...stemsOf(`${text.slice(start, end)} ${noun}`)]));

/**
 * The rows with most words of the question that tell rows apart: all if there are none. Words of `used` values do not
 * count.
 */
export function rowsCompared(
  { rows, headers }: Table,
  { text, terms }: Asked,
  used: readonly Value[],
): readonly Row[] {
  const known = wordSet(headers.join("\n"));
  const ofUsed = stemsIn(text, used);
  const words = rows.map(wordsOf);
  const naming = terms.filter(
    (term) =>
      !isComparing(term.word) && !ofUsed.has(term.stem) && (shareOf(term, known) === 0 || isYes(term, rows)),
  );
  const hits = words.map((own) => naming.filter((term) => shareOf(term, own) >= 0.8).length);
  return rows.filter((_, i) => hits[i] === Math.max(...hits));
}

/** Whether a word names a column that says yes or no. */
const isYes = (term: Term, rows: readonly Row[]) =>
  rows.some(({ cells = [] }) =>
    cells.some(({ header, value }) => YES.test(value) && hitsIn([term], header) > 0),
  );

const CODE = /^(?:nos?|nr|numbers?|codes?|id|#|ref(?:erence)?|key)\b\.?/i;

/**
 * The rows that a text names by at least half of the words of their first cell, after a code of their second one. Of
 * `Orca` and `Orca 2`, the one of which it has more words; rows that it names by the same words are told apart by their
 * other cells.
 */
export function rowsNamed({ rows, headers }: Table, text: string): readonly Row[] {
  const asked = wordSet(text);
  const terms = termsOf(text);
  const naming = headers.slice(0, CODE.test(headers[0] ?? "") ? 2 : 1);
  const named = rows.flatMap((row) =>
    naming.flatMap((header) => {
      const key = termsOf((cellOf(row, header) ?? "").replace(/(?<=\S )\([^()]*\)/g, ""));
      const words = new Set(key.filter((term) => shareOf(term, asked) >= 0.8).map(({ stem }) => stem));
      // The number of `Orca 2` alone does not name it.
      const isNamed = words.size * 2 >= key.length && [...words].some((word) => !/^\d+$/.test(word));
      return isNamed ? [{ row, words, hits: hitsIn(terms, row.plain) }] : [];
    }),
  );
  const closest = named.filter(
    (one) =>
      !named.some(
        (other) =>
          one.words.isSubsetOf(other.words) && (one.words.size < other.words.size || one.hits < other.hits),
      ),
  );
  const isOnly = ({ row, words }: (typeof named)[number]) =>
    closest.every((other) => other.row === row || words.symmetricDifference(other.words).size > 0);
  return closest.every(isOnly) ? [...new Set(closest.map(({ row }) => row))] : [];
}

/**
 * Whether the words and values of the question are said of the table or of one of these rows, or belong to `used`
 * values. Two words, such as verbs, may be missing unless they are a condition; none if `isStrict`.
 */
export function isAllSaid(
  { headers }: Table,
  { text, terms }: Asked,
  {
    rows,
    used = [],
    isStrict = false,
  }: { rows: readonly Row[]; used?: readonly Value[]; isStrict?: boolean },
): boolean {
  const known = wordSet(headers.join("\n"));
  const isPrice = asksPrice(text);
  const ofUsed = stemsIn(text, used);
  const unit = unitAsked(text);
  const isSaid = (term: Term) =>
    isLightWord(term.word) ||
    isComparing(term.word) ||
    OPERATION.test(term.word) ||
    (isPrice && asksPrice(term.word)) ||
    (unit !== undefined && stemsOf(unit.name).has(term.stem)) ||
    ofUsed.has(term.stem) ||
    shareOf(term, known) > 0 ||
    rows.some((row) => shareOf(term, row.wordsInContext) > 0);
  const isKnown = (value: Value) =>
    used.some(({ start }) => start === value.start) ||
    termsOf(text.slice(value.start, value.end)).every(
      ({ stem }) => rows.some(({ wordsInContext }) => wordsInContext.stems.has(stem)) || isUnit(stem, value),
    );
  const missing = terms.filter((term) => term.weight >= 1 && !isSaid(term));
  const conditions = conditionsOf(text);
  const isFree =
    missing.length <= (isStrict ? 0 : 2) &&
    !missing.some(({ stem, isExact }) => isExact || conditions.has(stem));
  return isFree && valuesOf(text).every(isKnown);
}

/** `One` of `one year`. */
const isUnit = (stem: string, { amount, unit }: Value) => amount === (unit?.factor ?? 1) && !/\d/.test(stem);
/** Words that ask for a computation and need not be said of anything. */
const OPERATION =
  /^(?:totals?|sum|overall|all|(?:al)?together|combined|both|most|least|fewest|more|less|fewer|difference|between|cost|list)$/i;
