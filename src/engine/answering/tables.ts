// The tables and statements among the passages of a question, and what follows from them. It computes nothing itself; it knows which tables
// are near the question and whether all their pieces were gathered.

import { continuesTable } from "../markdown/introduction.ts";
import { compute } from "../tables/compute.ts";
import { isSummary, type Result, type Row, type Table, totalOf } from "../tables/table.ts";
import type { IndexedPassage } from "./features.ts";
import type { Evidence } from "./passages.ts";
import type { Ranking } from "./ranking.ts";

/** A result and the rows that it follows from. */
export interface Computed extends Result {
  rows: IndexedPassage[];
}

interface RankedTable extends Table {
  probability: number;
}

const MIN_PROBABILITY = 0.01;
const NEAREST = 5;

/** Results by the index of the part; only for parts that ask for something to compute and have a table that fits. */
export function computeFromTables(
  rankings: readonly Ranking[],
  evidence: readonly Evidence[],
): Map<number, Computed> {
  const computed = new Map<number, Computed>();
  for (const ranking of rankings) {
    const { comparison } = ranking.part;
    const sources = { tables: tablesOf(ranking, evidence), statements: statementsOf(ranking) };
    const result = (comparison && compute(sources, comparison)) ?? compute(sources, ranking.part);
    if (!result) continue;
    const passages = new Map<Row, IndexedPassage>(ranking.ranked.map(({ passage }) => [passage, passage]));
    const rows = result.rows.map((row) => passages.get(row)!);
    computed.set(ranking.index, { ...result, rows });
  }
  return computed;
}

/** Of the statements outside of tables, the most probable ones. */
const statementsOf = ({ ranked }: Ranking) =>
  ranked
    .filter(({ passage }) => passage.kind === "sentence" || passage.kind === "item")
    .filter(({ probability }, index) => index < NEAREST && probability >= MIN_PROBABILITY)
    .map(({ passage }) => passage);

/** Whether a row is in the same table as the one before it: next to it, and the first header of one is one of the other. */
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
