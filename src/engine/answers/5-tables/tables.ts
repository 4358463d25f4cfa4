// Step 5: what follows from the tables among the passages of a question. Sure, or silent.

import { continuesTable } from "../../markdown/introduction.ts";
import { shareOf } from "../../text/match.ts";
import type { Term } from "../../text/terms.ts";
import { type Operation, operationOf } from "./asked.ts";
import { type Result, resultFrom } from "./forms.ts";
import { type Asked, isSummary, keyOf, type Row, type Table, totalOf } from "./table.ts";
import type { IndexedPassage } from "../3-rank/features.ts";
import type { Evidence } from "../2-passages/passages.ts";
import type { Ranking } from "../3-rank/rank.ts";

/** A result and the rows that it follows from. */
export interface Computed extends Result {
  rows: IndexedPassage[];
}

interface RankedTable extends Table {
  probability: number;
}

const MIN_PROBABILITY = 0.01;
/** Farther tables are used only for a difference, of which the question names rows and columns. */
const NEAREST = 2;

/** Results by the index of the part; only for parts that ask for something to compute and have a table that fits. */
export function computeFromTables(
  rankings: readonly Ranking[],
  evidence: readonly Evidence[],
): Map<number, Computed> {
  const computed = new Map<number, Computed>();
  for (const ranking of rankings) {
    const { comparison } = ranking.part;
    const tables = tablesOf(ranking, evidence);
    const result = (comparison && compute(tables, comparison)) ?? compute(tables, ranking.part);
    if (!result) continue;
    const passages = new Map<Row, IndexedPassage>(ranking.ranked.map(({ passage }) => [passage, passage]));
    const rows = result.rows.map((row) => passages.get(row)!);
    computed.set(ranking.index, { ...result, rows });
  }
  return computed;
}

function compute(tables: readonly Table[], part: Asked): Result | undefined {
  const asked = { ...part, text: part.text.replace(/ ?\([^()\d]*\)/g, "") };
  const operation = operationOf(asked.text);
  if (!operation) return undefined;
  return firstOf(operation.kind === "difference" ? tables : tables.slice(0, NEAREST), asked, operation);
}

/**
 * The result of the nearest table that has one. Where tables of the same things have others, such as the prices in
 * summer and in winter, that of the table that the question names; undefined if it names none.
 */
function firstOf(tables: readonly Table[], asked: Asked, operation: Operation): Result | undefined {
  const found = tables.flatMap((table) => {
    const result = resultFrom(table, asked, operation);
    return result ? [{ table, result }] : [];
  });
  const [nearest] = found;
  const alike = found.filter(({ table }) =>
    table.rows.some((row) => nearest!.table.rows.some((other) => keyOf(row) === keyOf(other))),
  );
  const isIn = ({ rows }: Table, term: Term) =>
    rows.some(({ wordsInContext }) => shareOf(term, wordsInContext) > 0);
  const isSure = (one: (typeof found)[number]) =>
    alike.every(
      ({ table, result }) =>
        (result.statement === one.result.statement &&
          result.rows.every((row, i) => row.plain === one.result.rows[i]?.plain)) ||
        asked.terms.some(
          (term) => !/^\d{1,3}$/.test(term.word) && isIn(one.table, term) && !isIn(table, term),
        ),
    );
  return alike.find(isSure)?.result;
}

/**
 * Whether a row is in the same table as the one before it: next to it, and the first header of one is one of the other.
 */
function continuesRow(row: IndexedPassage, before: IndexedPassage | undefined): boolean {
  if (before?.chunk !== row.chunk || before.position + 1 !== row.position) return false;
  const [own, others] = [row, before].map(({ cells = [] }) => cells.map(({ header }) => header));
  return own!.includes(others![0]!) || others!.includes(own![0]!);
}

/** The tables among the passages, the most probable first. */
function tablesOf({ ranked }: Ranking, evidence: readonly Evidence[]): RankedTable[] {
  const indexes = new Map(evidence.map(({ id }, index) => [id, index]));
  const startOf = (chunk: number): number => {
    const { text, previousId } = evidence[chunk]!;
    const previous = continuesTable(text) ? indexes.get(previousId ?? "") : undefined;
    return previous === undefined ? chunk : startOf(previous);
  };
  const rows = ranked
    .filter(({ passage }) => passage.kind === "row")
    .sort((a, b) => a.passage.chunk - b.passage.chunk || a.passage.position - b.passage.position);
  let first = 0;
  const groups = Map.groupBy(rows, ({ passage }, i) => {
    const before = rows[i - 1]?.passage;
    if (!continuesRow(passage, before)) first = i;
    // Of two tables in one chunk, the second one is a group of its own.
    return rows[first - 1]?.passage.chunk === passage.chunk ? `row ${first}` : startOf(passage.chunk);
  });
  const tables = [...groups.values()].map((group) => {
    const passages = group.map(({ passage }) => passage);
    const start = startOf(passages[0]!.chunk);
    const chunks = new Set(passages.map(({ chunk }) => evidence[chunk]!));
    const ids = new Set([...chunks].map(({ id }) => id));
    const total = totalOf(passages);
    return {
      rows: passages.filter((row) => !isSummary(row)),
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
