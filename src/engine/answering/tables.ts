// Answers that follow from several rows of a table: the cheapest, those above a value, sums and counts. Where it is not sure
// which rows or which column is meant, or not all rows are known, it computes nothing. It knows no probabilities except which
// tables are near the question.

import {
  canBeAdded,
  canBeLimit,
  type Column,
  columnOf,
  isOfPrices,
  ordinalOf,
  totalLike,
} from "../language/cells.ts";
import {
  asksPrice,
  conditionOf,
  directionIn,
  isComparing,
  listedIn,
  type Operation,
  operationOf,
  rowsAsked,
} from "../language/comparisons.ts";
import { shareOf } from "../language/match.ts";
import { isLightWord, stemsOf, type Term, termsOf } from "../language/terms.ts";
import { valuesOf } from "../language/values.ts";
import { continuesTable } from "../markdown/introduction.ts";
import { type IndexedPassage, wordSet } from "./features.ts";
import type { Evidence } from "./passages.ts";
import type { QuestionPart } from "./question.ts";
import type { Ranking } from "./ranking.ts";

/** A result and the rows that it follows from, in the order of the table. */
export interface Computed {
  statement: string;
  rows: IndexedPassage[];
}

interface Table {
  rows: IndexedPassage[];
  /** A row such as `Total`, which is none of the rows. */
  total?: IndexedPassage;
  headers: string[];
  /** Whether all of its pieces were gathered. */
  isComplete: boolean;
  probability: number;
}

const MAX_ROWS = 8;
const MIN_PROBABILITY = 0.01;

/** Results by the index of the part; only for parts that ask for something to compute and have a table that fits. */
export function computeFromTables(
  rankings: readonly Ranking[],
  evidence: readonly Evidence[],
): Map<number, Computed> {
  const computed = new Map<number, Computed>();
  for (const ranking of rankings) {
    const operation = operationOf(ranking.part.text);
    if (!operation) continue;
    for (const table of tablesOf(ranking, evidence).slice(0, 2)) {
      const column = columnAsked(table, ranking.part, operation);
      if (!column) continue;
      const result = compute(table, column, { part: ranking.part, operation });
      if (result) computed.set(ranking.index, result);
      break;
    }
  }
  return computed;
}

const IS_TOTAL = /^(?:(?:grand |sub-?)?total|sum|average|mean|overall|all)\b/i;
const keyOf = ({ cells = [] }: IndexedPassage) => cells[0]?.value ?? "";
const cellOf = ({ cells = [] }: IndexedPassage, column: string) =>
  cells.find(({ header }) => header === column)?.value;

/** The tables among the passages, the most probable first. */
function tablesOf({ ranked }: Ranking, evidence: readonly Evidence[]): Table[] {
  const indexes = new Map(evidence.map(({ id }, index) => [id, index]));
  const startOf = (chunk: number): number => {
    const { text, previousId } = evidence[chunk]!;
    const previous = continuesTable(text) ? indexes.get(previousId ?? "") : undefined;
    return previous === undefined ? chunk : startOf(previous);
  };
  const rows = ranked.filter(({ passage }) => passage.kind === "row");
  const tables = [...Map.groupBy(rows, ({ passage }) => startOf(passage.chunk))].map(([start, group]) => {
    const passages = group
      .map(({ passage }) => passage)
      .sort((a, b) => a.chunk - b.chunk || a.position - b.position);
    const chunks = new Set(passages.map(({ chunk }) => evidence[chunk]!));
    const ids = new Set([...chunks].map(({ id }) => id));
    const total = passages.find((row) => IS_TOTAL.test(keyOf(row)));
    return {
      rows: passages.filter((row) => !IS_TOTAL.test(keyOf(row))),
      ...(total && { total }),
      headers: [...new Set(passages.flatMap(({ cells = [] }) => cells.map(({ header }) => header)))],
      isComplete:
        !continuesTable(evidence[start]!.text) &&
        [...chunks].every(({ continuedBy }) => continuedBy === undefined || ids.has(continuedBy)),
      probability: Math.max(...group.map(({ probability }) => probability)),
    };
  });
  return tables
    .filter(({ rows: { length }, probability }) => length >= 2 && probability >= MIN_PROBABILITY)
    .sort((a, b) => b.probability - a.probability);
}

/** The column that the question is about; undefined if none fits, or two fit as well. */
function columnAsked(table: Table, { text, terms }: QuestionPart, operation: Operation): Column | undefined {
  const names = (word: string, header: string) =>
    termsOf(word).some((term) => shareOf(term, wordSet(header)) > 0);
  const scored = table.headers.flatMap((header, index) => {
    const cells = table.rows.map((row) => cellOf(row, header));
    const column = columnOf(header, cells, operation.kind === "sum");
    if (!column) return [];
    const named = terms.filter((term) => shareOf(term, wordSet(header)) > 0).length;
    let isMeant = asksPrice(text) && isOfPrices(column);
    let fits = named > 0 || isMeant;
    if (operation.kind === "sum") fits &&= canBeAdded(column.sort) && (isMeant || !asksPrice(text));
    else {
      const direction = directionIn(operation.compared, column);
      isMeant ||= direction?.isMeant ?? false;
      fits = direction !== undefined && (fits || isMeant);
    }
    if (operation.kind === "threshold") {
      const { limit, about, asked } = operation;
      fits = (fits || limit.unit !== undefined) && canBeLimit(limit, column);
      fits &&= limit.noun === "" || isLightWord(limit.noun) || names(limit.noun, header);
      // `Groups of more than 10` says nothing about the rows, and `which discount` asks for no row.
      fits &&= about === "" || names(about, header);
      fits &&= !table.headers.slice(1).some((other) => names(asked, other));
    }
    return fits ? [{ column, score: named + (isMeant ? 0.9 : 0) - (index === 0 ? 0.5 : 0) }] : [];
  });
  const best = Math.max(...scored.map(({ score }) => score));
  const [first, ...others] = scored
    .filter(({ score }) => score === best)
    .map(({ column }) => column)
    .sort((a, b) => a.header.length - b.header.length);
  // Of `Weight` and `Crew weight`, the shorter one is meant.
  const isPartOf = ({ header }: Column) => stemsOf(header).isSupersetOf(stemsOf(first!.header));
  return others.every(isPartOf) ? first : undefined;
}

/** What is computed, and for which part. */
interface Task {
  part: QuestionPart;
  operation: Operation;
}

function compute(table: Table, column: Column, { part, operation }: Task): Computed | undefined {
  if (operation.kind === "sum") return sumOf(table, column, { part, ofAll: operation.ofAll });
  const amountIn = (row: IndexedPassage) => column.amounts[table.rows.indexOf(row)]?.amount;
  const rows = rowsMeant(table, { part, operation })?.filter((row) => amountIn(row) !== undefined) ?? [];
  if (rows.length < 2 || !table.isComplete) return undefined;
  const { isMost } = directionIn(operation.compared, column)!;
  const of = `of ${rows.length} rows by ${column.header}:`;
  if (operation.kind === "extreme") {
    const amounts = rows.map((row) => amountIn(row)!);
    const wanted = isMost ? Math.max(...amounts) : Math.min(...amounts);
    const found = rows.filter((row) => amountIn(row) === wanted);
    if (found.length > 2) return undefined;
    return { statement: `The ${isMost ? "highest" : "lowest"} ${of}`, rows: found };
  }
  const limit = ordinalOf(operation.limit);
  const found = rows.filter((row) => {
    const amount = amountIn(row)!;
    return amount === limit ? operation.isIncluded : isMost === amount > limit;
  });
  if (found.length === 0 || found.length > MAX_ROWS) return undefined;
  return { statement: `${found.length} ${of}`, rows: found };
}

const IS_YES = /^(?:yes|y|true|included|✓|✔|x)$/i;
/** The words of a row's cells; of a cell that says yes, those of its header. */
const wordsOf = ({ cells = [] }: IndexedPassage) => ({
  stems: stemsOf(cells.map(({ header, value }) => (IS_YES.test(value) ? header : value)).join("\n")),
  joined: "",
});

/** All rows, or those with the cells that the question names; undefined if fewer than two or unknown ones are meant. */
function rowsMeant({ rows, headers }: Table, { part, operation }: Task): IndexedPassage[] | undefined {
  const withYes = rows.flatMap(({ cells = [] }) => cells.filter(({ value }) => IS_YES.test(value)));
  const known = stemsOf(headers.filter((one) => !withYes.some(({ header }) => header === one)).join("\n"));
  const limit = operation.kind === "threshold" ? operation.limit : undefined;
  const stated = stemsOf(limit ? part.text.slice(limit.start, limit.end) : "");
  const naming = part.terms.filter(
    ({ stem: own, word }) => !known.has(own) && !stated.has(own) && !/^\d/.test(word) && !isComparing(word),
  );
  const words = new Map(rows.map((row) => [row, wordsOf(row)]));
  const has = (row: IndexedPassage, term: Term) => shareOf(term, words.get(row)!) >= 0.8;
  const isMet = (term: Term) =>
    known.has(term.stem) ||
    (naming.some(({ stem: own }) => own === term.stem) && rows.some((row) => has(row, term))) ||
    rows.every((row) => shareOf(term, row.wordsInContext) > 0);
  if (!conditionOf(part.text, limit).every(isMet)) return undefined;
  // Only rows about what is asked for can be told apart by a limit.
  const asked = limit ? rowsAsked(part.text) : [];
  if (asked.length > 0 && !asked.some(isMet)) return undefined;
  const hits = rows.map((row) => naming.filter((term) => has(row, term)).length);
  const most = Math.max(0, ...hits);
  const meant = rows.filter((_, i) => hits[i] === most);
  return meant.length >= 2 ? meant : undefined;
}

/** The sum of the rows that the question names, as often as it says, or of all rows. */
function sumOf(
  { rows, headers, total, isComplete }: Table,
  { header, amounts }: Column,
  { part, ofAll }: { part: QuestionPart; ofAll: boolean },
): Computed | undefined {
  const named = rowsNamed(rows, headers, part.terms);
  if (named === undefined) return undefined;
  if (named.length === 0) {
    const isOnlyAbout = part.terms.every(
      (term) =>
        isLightWord(term.word) || IS_TOTAL.test(term.word) || shareOf(term, rows[0]!.wordsInContext) > 0,
    );
    const isAsked = (column: string) => part.terms.some((term) => shareOf(term, wordSet(column)) > 0);
    if (!ofAll || !isOnlyAbout || !isAsked(header)) return undefined;
    if (total && cellOf(total, header) !== undefined)
      return { statement: `Total of ${header}:`, rows: [total] };
    // The prices of a list may be alternatives: `how much does it cost in total` does not ask for all rows.
    if (!isComplete || (asksPrice(part.text) && !isAsked(headers[0]!))) return undefined;
  }
  const selected = named.length > 0 ? named : rows;
  const counts = countsOf(part.text, selected);
  const added = selected.flatMap((row) => amounts[rows.indexOf(row)] ?? []);
  if (
    !counts ||
    added.length < selected.length ||
    selected.length > MAX_ROWS ||
    added.some(({ unit }) => unit && unit.offset !== 0)
  )
    return undefined;
  if (named.length > 0 && (leavesOut(part, named, headers) || (named.length < 2 && counts[0] === 1)))
    return undefined;
  const cells = selected.map((row) => cellOf(row, header));
  if (cells.length > 1 && !columnOf(header, cells)) return undefined;
  const sum = added.reduce((so, { amount }, i) => so + amount * counts[i]!, 0);
  const times = selected.flatMap((row, i) => (counts[i] === 1 ? [] : [`${counts[i]} × ${keyOf(row)}`]));
  return {
    statement: `Total of ${header}${times.length === 0 ? "" : ` with ${times.join(" and ")}`}: ${totalLike(added, sum)}, from these rows:`,
    rows: selected,
  };
}

/** The rows that the question names by their first cell, or else by another one; undefined if it is not sure which. */
function rowsNamed(rows: readonly IndexedPassage[], headers: readonly string[], terms: readonly Term[]) {
  const known = stemsOf(headers.join("\n"));
  const naming = terms.filter((term) => !known.has(term.stem) && !/^\d/.test(term.word));
  const asked = new Set(terms.map((term) => term.stem));
  const isWord = (word: string) => !/^\d+$/.test(word);
  const shares = rows.map((row) => {
    const key = stemsOf(keyOf(row));
    const keyHits = key.intersection(asked);
    const hits = naming.filter((term) => shareOf(term, wordsOf(row)) >= 0.8).length;
    // The number of `Orca 2` alone does not name it.
    const isNamed = [...keyHits].some(isWord) || ![...key].some(isWord);
    return { row, hits, keyHits, isKeyed: isNamed && keyHits.size >= Math.max(1, key.size / 2) };
  });
  const keyed = shares.filter(({ isKeyed }) => isKeyed);
  if (keyed.length === 0) return shares.filter(({ hits }) => hits > 0).map(({ row }) => row);
  // Of two rows for one thing, such as a price per day and one per week, the one that the question is closer to.
  const closest = keyed.filter(
    (one) =>
      !keyed.some(
        (other) =>
          one.keyHits.isSubsetOf(other.keyHits) &&
          (one.keyHits.size < other.keyHits.size || one.hits < other.hits),
      ),
  );
  const isSure = new Set(closest.map(({ keyHits }) => [...keyHits].sort().join(" "))).size === closest.length;
  return isSure ? closest.map(({ row }) => row) : undefined;
}

/** How often each row is meant: `3 helmets and 2 gloves`; undefined if a value of the question belongs to none. */
function countsOf(text: string, rows: readonly IndexedPassage[]): number[] | undefined {
  const counts = rows.map(() => 1);
  for (const { sort, amount, start, end } of valuesOf(text)) {
    const [next = ""] = text.slice(end).split(/[,;?]|\b(?:and|or|plus|for|in|to|from|on|at|per)\b/i);
    const [first, second] = termsOf(next);
    const isIn = (row: IndexedPassage, term = first) => !!term && shareOf(term, wordSet(keyOf(row))) >= 0.8;
    const hits = rows.map((row) => (isIn(row) ? 2 : 0) + (isIn(row, second) ? 1 : 0));
    const most = Math.max(...hits);
    const isOnce = hits.filter((one) => one === most).length === 1;
    const isKnown = (term: Term) =>
      isLightWord(term.word) || rows.some((row) => shareOf(term, row.wordsInContext) > 0);
    if (sort === "number" && most > 0 && isOnce) counts[hits.indexOf(most)] = amount;
    // The number of `Orca 2` is part of a name.
    else if (!termsOf(text.slice(start, end)).every(isKnown)) return undefined;
  }
  return counts;
}

/** Whether the question lists something that is in none of the rows. */
function leavesOut(
  { text, terms }: QuestionPart,
  rows: readonly IndexedPassage[],
  headers: readonly string[],
): boolean {
  const known = stemsOf(`${headers.join("\n")}\n${rows.map(({ plain }) => plain).join("\n")}`);
  return listedIn(text).some(
    (word) => !known.has(word) && terms.some((term) => term.stem === word && term.weight >= 1),
  );
}
