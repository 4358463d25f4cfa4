// Which rows of a table a question means: those it names, those with values that it names, or all. Where it is not sure, it
// names none.

import { conditionOf, isComparing, type Operation, rowsAsked } from "../language/comparisons.ts";
import { shareOf } from "../language/match.ts";
import { isLightWord, stem, stemsOf, type Term, termsOf } from "../language/terms.ts";
import { type Value, valuesOf } from "../language/values.ts";
import {
  type Asked,
  cellOf,
  headersWithYes,
  isWrittenIn,
  keyOf,
  mentions,
  type Row,
  type Table,
  wordsOf,
} from "./table.ts";

/** The rows that are compared: all, or those with the cells that the question names; undefined if fewer than two or unknown ones are meant. */
export function rowsCompared(
  table: Table,
  asked: Asked,
  operation: Exclude<Operation, { kind: "sum" }>,
): readonly Row[] | undefined {
  const { rows, headers } = table;
  const withYes = headersWithYes(table);
  const known = stemsOf(headers.filter((header) => !withYes.has(header)).join("\n"));
  const within = operation.kind === "extreme" ? operation.within : operation;
  const limit = within?.limit;
  const stated = stemsOf(limit ? asked.text.slice(limit.start, limit.end) : "");
  const naming = asked.terms.filter(
    ({ stem: own, word }) => !known.has(own) && !stated.has(own) && !/^\d/.test(word) && !isComparing(word),
  );
  const words = new Map(rows.map((row) => [row, wordsOf(row)]));
  const has = (row: Row, term: Term) => shareOf(term, words.get(row)!) >= 0.8;
  const isOfAll = (term: Term) => rows.every((row) => shareOf(term, row.wordsInContext) > 0);
  const isMet = (term: Term) =>
    known.has(term.stem) ||
    (naming.some(({ stem: own }) => own === term.stem) && rows.some((row) => has(row, term))) ||
    isOfAll(term);
  if (!conditionOf(asked.text, limit).every(isMet)) return undefined;
  // Only rows about what is asked for can be told apart by a limit.
  const named = operation.kind === "threshold" ? rowsAsked(asked.text) : [];
  if (named.length > 0 && !named.some(isMet)) return undefined;
  const withMost = (terms: readonly Term[]) => {
    const hits = rows.map((row) => terms.filter((term) => has(row, term)).length);
    const most = Math.max(0, ...hits);
    return rows.filter((_, i) => hits[i] === most);
  };
  // A word that is said of all rows tells none of them apart, though one may repeat it.
  const meant = [naming, naming.filter((term) => !isOfAll(term))].map(withMost);
  return meant.find(({ length }) => length >= 2);
}

/** What names rows. */
interface Naming {
  text: string;
  terms: readonly Term[];
}

/** Rows that the question names. */
export interface Named {
  rows: readonly Row[];
  /** Whether they are all rows of one name: `all six periods`. */
  isGroup: boolean;
}

/** The rows that the question names by their first cell, or else by other ones; undefined if it is not sure which. */
export function rowsNamed({ rows, headers }: Table, { text, terms }: Naming): Named | undefined {
  const known = stemsOf(headers.join("\n"));
  const naming = terms.filter((term) => !known.has(term.stem) && !/^\d/.test(term.word));
  // `E-bike` is one word and two.
  const asked = stemsOf(text).union(new Set(terms.map((term) => term.stem)));
  const isWord = (word: string) => !/^\d+$/.test(word);
  const shares = rows.map((row) => {
    // `Family (2 adults)` does not name the adults.
    const key = stemsOf(keyOf(row).replace(/(?<=\S )\([^()]*\)/g, ""));
    const isShort = key.size === 0 && isWrittenIn(keyOf(row), text);
    const keyHits = isShort ? new Set([keyOf(row)]) : key.intersection(asked);
    const hits = naming.filter((term) => shareOf(term, wordsOf(row)) >= 0.8).length;
    // The number of `Orca 2` alone does not name it.
    const isNamed = isShort || [...keyHits].some(isWord) || ![...key].some(isWord);
    return { row, hits, keyHits, isKeyed: isNamed && keyHits.size >= Math.max(1, key.size / 2) };
  });
  const keyed = shares.filter(({ isKeyed }) => isKeyed);
  if (keyed.length === 0) {
    const selected = rowsWithValues({ rows, headers }, { text, terms });
    if (selected) return { rows: selected, isGroup: true };
    const found = shares.filter(({ hits }) => hits > 0).map(({ row }) => row);
    // A name that is said nowhere may name something else.
    const isSaid = (term: Term) => rows.some((row) => shareOf(term, row.wordsInContext) > 0);
    return terms.every((term) => !term.isExact || isSaid(term)) ? { rows: found, isGroup: false } : undefined;
  }
  // Of two rows for one thing, such as a price per day and one per week, the one that the question is closer to.
  const closest = keyed.filter(
    (one) =>
      !keyed.some(
        (other) =>
          one.keyHits.isSubsetOf(other.keyHits) &&
          (one.keyHits.size < other.keyHits.size || one.hits < other.hits),
      ),
  );
  const names = new Set(closest.map(({ keyHits }) => [...keyHits].sort().join(" ")));
  const found = closest.map(({ row }) => row);
  if (names.size === found.length) return { rows: found, isGroup: false };
  return names.size === 1 && asksAll(text, closest[0]!.keyHits, found.length)
    ? { rows: found, isGroup: true }
    : undefined;
}

/** Whether a question asks for all things of a name: `all periods`, or `the six periods` if there are six. */
function asksAll(text: string, name: ReadonlySet<string>, count: number): boolean {
  const isCounted = valuesOf(text).some(({ noun, amount }) => name.has(stem(noun)) && amount === count);
  const others = valuesOf(text).some(({ noun }) => name.has(stem(noun)));
  const all = /\b(?:all|both|every)(?: of)?(?: (?:the|our|my|your|these|those))?((?: [\p{L}-]+){1,2})/iu.exec(
    text,
  );
  return isCounted || (!others && all !== null && termsOf(all[1]!).some((term) => name.has(term.stem)));
}

/** The rows with the values that the question names in full, in each column where it names one; undefined if it names none. */
export function rowsWithValues(
  { rows, headers }: Pick<Table, "rows" | "headers">,
  { text, terms }: Naming,
): readonly Row[] | undefined {
  const asked = new Set(terms.map((term) => term.stem));
  let selected: readonly Row[] | undefined;
  for (const header of headers.slice(1)) {
    const partsOf = (row: Row) => (cellOf(row, header) ?? "").split(/\s*[,;]\s+/);
    const values = [...new Set(rows.flatMap(partsOf))];
    // A bare number is named with its header: `shelf 2`.
    const written = values.filter((value) =>
      isWrittenIn(/^[\d.,\s]+$/.test(value) ? `${header} ${value}` : value, text),
    );
    const inWords = (value: string) => {
      // The letter of `Freezer A` is no word.
      if (/(?<![\p{L}\p{N}])\p{L}(?![\p{L}\p{N}])/u.test(value)) return false;
      const words = [...stemsOf(value)];
      return words.some((word) => !/\d/.test(word)) && words.every((word) => asked.has(word));
    };
    const named = new Set(written.length > 0 ? written : values.filter(inWords));
    if (named.size > 0)
      selected = (selected ?? rows).filter((row) => partsOf(row).some((part) => named.has(part)));
  }
  return selected && selected.length < rows.length ? selected : undefined;
}

/** Whether a value of a text is said of one of these rows; the number of `one year` need not be. */
export const isKnown = (text: string, value: Value, rows: readonly Row[]) =>
  termsOf(text.slice(value.start, value.end)).every(
    (term) =>
      (isOne(value) && isLightWord(term.word)) ||
      rows.some((row) => shareOf(term, row.wordsInContext) > 0 && !isByChance(term, row, { text, value })),
  );
const isOne = ({ amount, unit }: Value) => amount === (unit?.factor ?? 1);

/** Whether a bare number is only in cells that the text does not name: 10 people are no minimum age of 10. */
function isByChance(
  term: Term,
  { cells = [] }: Row,
  { text, value }: { text: string; value: Value },
): boolean {
  const found = cells.filter((cell) => stemsOf(cell.value).has(term.stem));
  // The 3 of `3.20 €` is no number 3.
  const number = new RegExp(`(?<![\\d.,])${RegExp.escape(term.word)}(?![.,]?\\d)`);
  const isMeant = (cell: (typeof cells)[number]) =>
    number.test(cell.value) && (cell === cells[0] || mentions(termsOf(cell.header), text));
  return !value.unit && /^\d+$/.test(term.word) && found.length > 0 && !found.some(isMeant);
}

/** Whether all values of the question are said of the rows, or are the one that begins at `start`. */
export const isAllKnown = ({ search }: Asked, rows: readonly Row[], start = -1) =>
  valuesOf(search).every((value) => value.start === start || isKnown(search, value, rows));
