// The row with the most or the least of something, the rows above or below a limit, and the row that changed most.

import { areExact, type Column, differenceLike, isUnsure, ordinalOf } from "../language/cells.ts";
import { directionIn, type Limit, type Operation } from "../language/comparisons.ts";
import { type Growth, isOfChange } from "../language/differences.ts";
import { stemsOf } from "../language/terms.ts";
import { amountsBelow, columnAsked, columnBeside } from "./columns.ts";
import { rowsCompared } from "./rows.ts";
import type { Asked, Result, Row, Table } from "./table.ts";

/** More rows are no answer. */
export const MAX_ROWS = 8;

const amountIn = ({ rows }: Table, { amounts }: Column, row: Row) => amounts[rows.indexOf(row)]?.amount;

/** The row with the most or the least, also of those within a limit; undefined if it is not sure. */
export function extremeOf(
  table: Table,
  asked: Asked,
  operation: Operation & { kind: "extreme" },
): Result | undefined {
  const { within } = operation;
  const limiting = within && columnAsked(table, asked, { kind: "threshold", asked: "", ...within });
  // `The longest with less than 700 m of ascent` compares something else, `the cheapest over 50 euros` the same.
  const column = limiting
    ? columnBeside(limiting, table, { asked, operation })
    : columnAsked(table, asked, operation);
  let rows = rowsCompared(table, asked, operation);
  if (!column || !rows || !table.isComplete) return undefined;
  if (within) {
    if (!limiting) return undefined;
    rows = rows.filter((row) => isWithin(amountIn(table, limiting, row), limiting, within));
  }
  const known = rows.filter((row) => amountIn(table, column, row) !== undefined);
  if (known.length < (within ? 1 : 2)) return undefined;
  const { isMost } = directionIn(operation.compared, column)!;
  const amounts = known.map((row) => amountIn(table, column, row)!);
  if (
    isUnsure(
      known.flatMap((row) => column.amounts[table.rows.indexOf(row)] ?? []),
      isMost,
    )
  )
    return undefined;
  const wanted = isMost ? Math.max(...amounts) : Math.min(...amounts);
  const found = known.filter((_, i) => amounts[i] === wanted);
  if (found.length > 2) return undefined;
  return {
    isWhole: true,
    statement: `The ${isMost ? "highest" : "lowest"} of ${known.length} rows by ${column.header}:`,
    rows: found,
  };
}

/** The rows above or below a limit; undefined if it is not sure. */
export function rowsWithin(
  table: Table,
  asked: Asked,
  operation: Operation & { kind: "threshold" },
): Result | undefined {
  const column = columnAsked(table, asked, operation);
  if (!column || !table.isComplete) return undefined;
  const rows = (rowsCompared(table, asked, operation) ?? []).filter(
    (row) => amountIn(table, column, row) !== undefined,
  );
  if (rows.length < 2) return undefined;
  const amounts = rows.flatMap((row) => column.amounts[table.rows.indexOf(row)] ?? []);
  if (isUnsure(amounts, true) || isUnsure(amounts, false)) return undefined;
  const found = rows.filter((row) => isWithin(amountIn(table, column, row), column, operation));
  if (found.length === 0 || found.length > MAX_ROWS) return undefined;
  return {
    isWhole: true,
    statement: `${found.length} of ${rows.length} rows by ${column.header}:`,
    rows: found,
  };
}

function isWithin(
  amount: number | undefined,
  column: Column,
  { limit, upTo, compared, isIncluded }: Limit,
): boolean {
  const bound = ordinalOf(limit);
  if (amount === undefined || (upTo && amount > ordinalOf(upTo))) return false;
  return amount === bound ? isIncluded : directionIn(compared, column)!.isMost === amount > bound;
}

/** Without `from … to …`, columns with these headers are compared in their order. */
const IS_TIME = /\b(?:(?:19|20)\d\d|before|after|old|new|previous|current|last|this)\b/i;

const PLACES = /^(?:final |overall )?(?:place|rank|position|placing|pos\.?|#)$/i;

/** The rows that came first, or in another place; undefined if the table knows no places. */
export function rowsInPlace(table: Table, place: number): Result | undefined {
  const header = table.headers.find((one) => PLACES.test(one));
  const column = header === undefined ? undefined : amountsBelow(table, header);
  if (column?.sort !== "number" || !table.isComplete) return undefined;
  const rows = table.rows.filter((row) => amountIn(table, column, row) === place);
  if (rows.length === 0 || rows.length > MAX_ROWS) return undefined;
  return { isWhole: true, statement: `${column.header} ${place} of ${table.rows.length} rows:`, rows };
}

/** The row that changed most between two columns; undefined if it is not sure which columns are meant. */
export function growthOf(table: Table, growth: Growth): Result | undefined {
  // A column of what it asks for states the change itself.
  if (table.headers.some((header) => isOfChange(header))) return undefined;
  const columns = table.headers.flatMap((header, i) => (i > 0 ? (amountsBelow(table, header) ?? []) : []));
  const named = growth.sides?.map((side) => {
    const words = stemsOf(side);
    const found = columns.filter(
      ({ header }) => stemsOf(header).size > 0 && stemsOf(header).intersection(words).size > 0,
    );
    return found.length === 1 ? found[0] : undefined;
  });
  const ofTimes = columns.filter(({ header }) => IS_TIME.test(header));
  const [from, to] = named ?? (ofTimes.length === 2 ? ofTimes : []);
  if (!from || !to || from === to || from.sort !== to.sort || from.unit !== to.unit || !table.isComplete)
    return undefined;
  const changes = table.rows.flatMap((row, i) => {
    const [before, after] = [from.amounts[i], to.amounts[i]];
    if (!before || !after || !areExact([before, after])) return [];
    const by = after.amount - before.amount;
    return [{ row, before, after, by: growth.direction === 0 ? Math.abs(by) : growth.direction * by }];
  });
  // Who grew least did grow.
  const moved = growth.direction === 0 ? changes : changes.filter(({ by }) => by > 0);
  if (changes.length < 2 || moved.length === 0) return undefined;
  const wanted = (growth.isMost ? Math.max : Math.min)(...moved.map(({ by }) => by));
  const found = moved.filter(({ by }) => by === wanted);
  const [first] = found;
  if (!first || found.length > 1) return undefined;
  const { before, after, row } = first;
  const [larger, smaller] = after.amount >= before.amount ? [after, before] : [before, after];
  const what = growth.direction === 0 ? "change" : growth.direction > 0 ? "increase" : "decrease";
  return {
    isWhole: true,
    statement:
      `The ${growth.isMost ? "largest" : "smallest"} ${what} of ${changes.length} rows from ${from.header} to ${to.header}: ` +
      `${larger.shown} − ${smaller.shown} = ${differenceLike(larger, smaller)}, in this row:`,
    rows: [row],
  };
}
