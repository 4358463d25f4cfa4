// Which of the tables near a question a result is taken from, where several have one.

import { shareOf } from "../language/match.ts";
import type { Term } from "../language/terms.ts";
import { type Asked, keyOf, type Result, type Table } from "./table.ts";

interface Found {
  table: Table;
  result: Result;
}

/**
 * The result of the nearest table that has one. Where like tables state others as well, such as the prices in summer and in
 * winter, that of the one that the question names; undefined if it names none.
 */
export function firstOf(
  tables: readonly Table[],
  { terms }: Asked,
  find: (table: Table) => Result | undefined,
): Result | undefined {
  const [first, ...others] = tables.flatMap((table): Found[] => {
    const result = find(table);
    return result ? [{ table, result }] : [];
  });
  if (!first) return undefined;
  const alike = [first, ...others.filter(({ table }) => areAlike(first.table, table))];
  const isNamed = (one: Table, other: Table) =>
    terms.some((term) => !/^\d{1,3}$/.test(term.word) && isIn(one, term) && !isIn(other, term));
  const isSure = (one: Found) =>
    alike.every(
      (other) => other === one || isSame(one.result, other.result) || isNamed(one.table, other.table),
    );
  return alike.find(isSure)?.result;
}

const isIn = ({ rows }: Table, term: Term) =>
  rows.some(({ wordsInContext }) => shareOf(term, wordsInContext) > 0);

/** Whether two tables list the same things. */
const areAlike = (a: Table, b: Table) =>
  a.headers[0] === b.headers[0] || b.rows.some((row) => a.rows.some((other) => keyOf(row) === keyOf(other)));

const isSame = (a: Result, b: Result) =>
  a.statement === b.statement && a.rows.every((row, i) => row.plain === b.rows[i]?.plain);
