// The forms of results from a table: the row with the most, the rows within a limit or with a mark, a sum, a
// difference. Each is undefined where it is not sure.

import {
  type Amount,
  amountOf,
  areExact,
  type Column,
  canBeAdded,
  canBeLimit,
  columnOf,
  differenceLike,
  isOfPrices,
  isOfQuantities,
  isUnsure,
  ordinalOf,
  totalLike,
} from "../../text/amounts.ts";
import { shareOf, wordSet } from "../../text/match.ts";
import { termsOf } from "../../text/terms.ts";
import { type Value, valuesOf } from "../../text/values.ts";
import { asksPrice, directionIn, type Limit, type Operation, rowsAsked, unitAsked } from "./asked.ts";
import {
  type Asked,
  amountsBelow,
  bestOf,
  cellOf,
  hitsIn,
  isAllSaid,
  keyOf,
  type Row,
  rowsCompared,
  rowsMarked,
  rowsNamed,
  type Table,
} from "./table.ts";

/** A result and the rows that it follows from. */
export interface Result {
  statement: string;
  rows: readonly Row[];
}

/** More rows are no answer. */
const MAX_ROWS = 8;

/** The result of an operation; undefined if the table does not have it for sure. */
export function resultFrom(table: Table, asked: Asked, operation: Operation): Result | undefined {
  if (operation.kind === "sum") return sumOf(table, asked, operation.ofAll);
  if (operation.kind === "difference") return differenceOf(table, asked, operation);
  if (operation.kind === "marked") return rowsMarkedAs(table, asked, !operation.isDenied);
  return operation.kind === "extreme"
    ? extremeOf(table, asked, operation)
    : rowsWithin(table, asked, operation.limit);
}

/** The column that a comparison means: named by the question, or by what its adjective compares. */
function columnCompared(
  table: Table,
  asked: Asked,
  { compared, value }: { compared: Limit["compared"]; value?: Value },
) {
  const candidates = table.headers.flatMap((header, i) => {
    const column = amountsBelow(table, header);
    const direction = column && directionIn(compared, column);
    if (!column || !direction || (value && !canBeLimit(value, column))) return [];
    const isPrice = asksPrice(asked.text) && isOfPrices(column);
    const named = hitsIn(asked.terms, header);
    const isMeant =
      isPrice || direction.isMeant || (value?.unit !== undefined && value.unit.sort === column.sort);
    // The noun of `the highest charge` names its column.
    const isOfNoun = compared.noun !== "" && hitsIn(termsOf(compared.noun), header) > 0;
    const score =
      named + (direction.isNamed ? 1.4 : isMeant ? 0.9 : 0) + (isOfNoun ? 1 : 0) - (i === 0 ? 0.5 : 0);
    return named > 0 || isMeant ? [{ ...column, score }] : [];
  });
  return bestOf(candidates, ({ score }) => score);
}

const amountIn = ({ rows }: Table, { amounts }: Column, row: Row): Amount | undefined =>
  amounts[rows.indexOf(row)];

/** The rows of these whose amount is within a limit; undefined if no column has such amounts. */
function within(table: Table, asked: Asked, limit: Limit) {
  const column = columnCompared(table, asked, limit);
  if (!column) return undefined;
  const { isMost } = directionIn(limit.compared, column)!;
  const bound = ordinalOf(limit.value);
  const isIn = (row: Row) => {
    const amount = amountIn(table, column, row)?.amount;
    if (amount === undefined || (limit.upTo && amount > ordinalOf(limit.upTo))) return false;
    return amount === bound ? limit.isIncluded : isMost === amount > bound;
  };
  return { column, isIn };
}

const usedBy = (limit: Limit | undefined): Value[] => (limit ? [limit.value, limit.upTo ?? []].flat() : []);

function extremeOf(
  table: Table,
  asked: Asked,
  { compared, limit }: Operation & { kind: "extreme" },
): Result | undefined {
  const limited = limit && within(table, asked, limit);
  const isOther = (header: string) => header !== limited?.column.header;
  const beside = { ...table, headers: table.headers.filter(isOther) };
  const column =
    columnCompared(beside, asked, { compared }) ?? (limited && columnCompared(table, asked, { compared }));
  const used = usedBy(limit);
  const rows = rowsCompared(table, asked, used);
  if (!column || rows.length < 2 || !table.isComplete || (limit && !limited)) return undefined;
  const known = rows.filter((row) => amountIn(table, column, row) && (limited?.isIn(row) ?? true));
  const amounts = known.map((row) => amountIn(table, column, row)!);
  const { isMost } = directionIn(compared, column)!;
  if (known.length < (limit ? 1 : 2) || isUnsure(amounts, isMost)) return undefined;
  if (!isAllSaid(table, asked, { rows, used })) return undefined;
  const wanted = (isMost ? Math.max : Math.min)(...amounts.map(({ amount }) => amount));
  const found = known.filter((_, i) => amounts[i]!.amount === wanted);
  if (found.length > 2) return undefined;
  const statement = `The ${isMost ? "highest" : "lowest"} of ${known.length} rows by ${column.header}:`;
  return { statement, rows: found };
}

function rowsWithin(table: Table, asked: Asked, limit: Limit): Result | undefined {
  const limited = within(table, asked, limit);
  const used = usedBy(limit);
  const rows = rowsCompared(table, asked, used);
  if (!limited || rows.length < 2 || !table.isComplete) return undefined;
  const amounts = rows.flatMap((row) => amountIn(table, limited.column, row) ?? []);
  const found = rows.filter(limited.isIn);
  if (!isOfRows(table, asked, rows)) return undefined;
  if (found.length === 0 || found.length > MAX_ROWS || !isAllSaid(table, asked, { rows, used }))
    return undefined;
  if (isUnsure(amounts, true) || isUnsure(amounts, false)) return undefined;
  return {
    statement: `${found.length} of ${rows.length} rows by ${limited.column.header}:`,
    rows: found,
  };
}

/** The rows with yes, or no, in the column that the question names. */
function rowsMarkedAs(table: Table, asked: Asked, isYes: boolean): Result | undefined {
  const named = table.headers.slice(1).flatMap((header) => {
    const terms = termsOf(header);
    const isNamed = terms.length > 0 && terms.every((term) => hitsIn([term], asked.text) > 0);
    const marked = isNamed ? rowsMarked(table, header, isYes) : undefined;
    return marked ? [{ header, marked }] : [];
  });
  const [column] = named;
  if (!column || named.length > 1 || !table.isComplete) return undefined;
  const others = asked.terms.filter((term) => hitsIn([term], column.header) === 0);
  const rows = rowsCompared(table, { ...asked, terms: others }, []);
  const found = column.marked.filter((row) => rows.includes(row));
  if (found.length === 0 || found.length > MAX_ROWS || !isOfRows(table, asked, rows)) return undefined;
  if (!isAllSaid(table, asked, { rows })) return undefined;
  return { statement: `${found.length} of ${rows.length} rows by ${column.header}:`, rows: found };
}

/** `Which documents do I need for boats over 50 kg` asks for no boats. */
const isOfRows = ({ headers }: Table, asked: Asked, rows: readonly Row[]) =>
  termsOf(rowsAsked(asked.text)).every(
    (term) =>
      hitsIn([term], headers.join("\n")) > 0 || rows.some((row) => shareOf(term, row.wordsInContext) > 0),
  );

/** The column whose amounts the question adds: the prices, those of the unit that it asks for, or one that it names. */
function columnAdded(table: Table, asked: Asked): Column | undefined {
  const unit = unitAsked(asked.text);
  const isPrice = asksPrice(asked.text);
  const candidates = table.headers.slice(1).flatMap((header) => {
    const column = amountsBelow(table, header, true);
    if (!column || !isOfQuantities(column)) return [];
    const named = hitsIn(asked.terms, header);
    const isMeant = isPrice ? isOfPrices(column) : unit !== undefined && unit.sort === column.sort;
    return isMeant || (named > 0 && !isPrice) ? [{ ...column, score: named + (isMeant ? 1 : 0) }] : [];
  });
  return bestOf(candidates, ({ score }) => score);
}

const AFTER_COUNTED = /[,;.?!]|\b(?:and|or|plus|for|in|to|from|on|at|per|with)\b/i;

/** The sum of the rows that the question names, as often as it says, or of all rows. */
function sumOf(table: Table, asked: Asked, ofAll: boolean): Result | undefined {
  const column = columnAdded(table, asked);
  if (!column) return undefined;
  const named = rowsNamed(table, asked.text);
  const rows = named.length > 0 ? named : ofAll ? table.rows : [];
  if (rows.length === 0) return undefined;
  if (named.length === 0) {
    const { total } = table;
    const isOfTable = isAllSaid(table, asked, { rows: table.rows.slice(0, 1), isStrict: true });
    if (!isOfTable || (!total && (asksPrice(asked.text) || !table.isComplete))) return undefined;
    if (total && cellOf(total, column.header) !== undefined)
      return { statement: `Total of ${column.header}:`, rows: [total] };
  }
  const counted = valuesOf(asked.text).flatMap((value) => {
    const behind = asked.text.slice(value.end).split(AFTER_COUNTED)[0]!;
    const row = rows.find((one) => hitsIn(termsOf(behind).slice(0, 2), keyOf(one)) > 0);
    // The number of `Orca 2` is part of a name.
    const written = termsOf(asked.text.slice(value.start, value.end));
    const isOfName = rows.some((one) => hitsIn(written, keyOf(one)) > 0);
    return row && value.sort === "number" && !isOfName ? [{ value, row }] : [];
  });
  const counts = rows.map((one) => counted.find(({ row }) => row === one)?.value.amount ?? 1);
  const amounts = rows.flatMap((row) => amountIn(table, column, row) ?? []);
  const cells = rows.map((row) => cellOf(row, column.header));
  const isSure =
    amounts.length === rows.length &&
    rows.length <= MAX_ROWS &&
    (rows.length > 1 ? columnOf(column.header, cells) !== undefined : counts[0]! > 1) &&
    areExact(amounts) &&
    amounts.every(({ amount, unit }) => !Number.isNaN(amount) && !unit?.offset) &&
    isAllSaid(table, asked, { rows, used: counted.map(({ value }) => value) });
  if (!isSure) return undefined;
  const sum = amounts.reduce((total, { amount }, i) => total + amount * counts[i]!, 0);
  const multiples = rows.flatMap((row, i) => (counts[i] === 1 ? [] : [`${counts[i]} × ${keyOf(row)}`]));
  const what = multiples.length > 0 ? ` with ${multiples.join(" and ")}` : "";
  return {
    statement: `Total of ${column.header}${what}: ${totalLike(amounts, sum)}, from these rows:`,
    rows,
  };
}

interface Operand {
  row: Row;
  header: string;
  amount: Amount;
}

/** The difference of two columns in one row, or of two rows in one column. */
function differenceOf(
  table: Table,
  asked: Asked,
  { sides, compared }: Operation & { kind: "difference" },
): Result | undefined {
  const [a, b] = sides.map((side) => wordSet(side)) as [
    ReturnType<typeof wordSet>,
    ReturnType<typeof wordSet>,
  ];
  const namedBy = (own: typeof a, other: typeof a) =>
    table.headers.slice(1).filter((header) => {
      const terms = termsOf(header);
      const isIn = (words: typeof a) => terms.every((term) => shareOf(term, words) >= 0.8);
      return terms.length > 0 && isIn(own) && !isIn(other);
    });
  const [first, second] = [namedBy(a, b), namedBy(b, a)];
  const unit = unitAsked(asked.text);
  const isAsked = ({ sort }: Amount) =>
    !unit || unit.sort === sort || (unit.sort === "money" && sort === "number");
  const operandIn = (row: Row, header: string): Operand[] => {
    const amount = amountOf(cellOf(row, header) ?? "", header);
    const isSure = amount && !Number.isNaN(amount.amount) && isAsked(amount);
    return isSure && (canBeAdded(amount.sort) || /^(?:percent|temperature)$/.test(amount.sort))
      ? [{ row, header, amount }]
      : [];
  };
  if (first.length === 1 && second.length === 1) {
    const pairs = rowsCompared(table, asked, []).map((row) =>
      [first[0]!, second[0]!].flatMap((header) => operandIn(row, header)),
    );
    const [pair, ...others] = pairs.filter(({ length }) => length === 2);
    return pair && others.length === 0 ? differing(table, asked, pair) : undefined;
  }
  const ofSecond = rowsNamed(table, sides[1]);
  const ofFirst = rowsNamed(table, sides[0]).filter((row) => !ofSecond.includes(row));
  if (ofFirst.length !== 1 || ofSecond.length !== 1) return undefined;
  const candidates = table.headers.slice(1).flatMap((header) => {
    const column = amountsBelow(table, header, true);
    if (!column) return [];
    const direction = compared && directionIn(compared, column);
    const isPrice = asksPrice(asked.text) && isOfPrices(column);
    const isMeant = isPrice || direction?.isMeant || unit?.sort === column.sort;
    const score = hitsIn(asked.terms, header) + (direction?.isNamed ? 1.4 : isMeant ? 0.9 : 0);
    return score > 0 ? [{ header, score }] : [];
  });
  const header = bestOf(candidates, ({ score }) => score)?.header;
  const operands =
    header === undefined ? [] : [ofFirst[0]!, ofSecond[0]!].flatMap((row) => operandIn(row, header));
  return operands.length === 2 ? differing(table, asked, operands) : undefined;
}

function differing(table: Table, asked: Asked, operands: readonly Operand[]): Result | undefined {
  const [first, second] = operands as [Operand, Operand];
  const [a, b] = [first.amount, second.amount];
  const rows = [...new Set([first.row, second.row])];
  const isSame = a.sort === b.sort && (a.sort !== "money" || a.unit === b.unit) && a.per === b.per;
  if (!isSame || a.amount === b.amount || !areExact([a, b]) || !isAllSaid(table, asked, { rows }))
    return undefined;
  const [larger, smaller] = a.amount > b.amount ? [a, b] : [b, a];
  const of = first.header === second.header ? first.header : `${first.header} and ${second.header}`;
  const by = differenceLike(larger, smaller);
  const from = rows.length > 1 ? "these rows" : "this row";
  return {
    statement: `Difference of ${of}: ${larger.shown} − ${smaller.shown} = ${by}, from ${from}:`,
    rows,
  };
}
