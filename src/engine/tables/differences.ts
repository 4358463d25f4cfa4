// Differences of two cells: of two columns in one row, of two rows in one column, or of one thing in two tables, such as the
// price lists of two years. Where it is not sure which cells are meant, it computes nothing.

import {
  type Amount,
  amountOf,
  areExact,
  type Column,
  canBeAdded,
  differenceLike,
  isOfPrices,
} from "../language/cells.ts";
import { asksPrice, directionIn, isComparing } from "../language/comparisons.ts";
import { type Difference, isOfChange } from "../language/differences.ts";
import { shareOf, wordSet } from "../language/match.ts";
import { isLightWord, stem, stemsOf, termsOf } from "../language/terms.ts";
import { amountsBelow, onlyCounted } from "./columns.ts";
import { firstOf } from "./nearest.ts";
import { rowInRange } from "./ranges.ts";
import { isAllKnown, rowsNamed } from "./rows.ts";
import { type Asked, cellOf, keyOf, mentions, type Result, type Row, type Table } from "./table.ts";

/** A cell with an amount. */
interface Operand {
  row: Row;
  header: string;
  amount: Amount;
}

interface Task {
  asked: Asked;
  difference: Difference;
}

/** The difference that is asked for, from the first table that has both amounts, or else from two of them. */
export const differenceOf = (tables: readonly Table[], task: Task): Result | undefined =>
  firstOf(tables, task.asked, (table) => betweenColumns(table, task) ?? betweenRows(table, task)) ??
  betweenTables(tables, task);

const columnsOf = (table: Table, { asked }: Difference): Column[] =>
  table.headers.flatMap((header, i) => {
    const column = i > 0 ? amountsBelow(table, header, true) : undefined;
    return column && (!asked || canState(column, asked.unit.sort)) ? [column] : [];
  });

/** Whether a column can state amounts of a sort: it does, or its numbers have no unit. */
const canState = ({ sort }: Column, wanted: string) => sort === wanted || sort === "number";

/** Whether one side of the question names a header: its words are in the question, and one of them only on this side. */
function namedBy(header: string, text: string, [side, other]: readonly string[]): boolean {
  const [whole, own, others] = [wordSet(text), wordSet(side!), wordSet(other!)];
  const terms = termsOf(header);
  return (
    terms.length > 0 &&
    terms.every((term) => shareOf(term, whole) >= 0.8) &&
    terms.some((term) => shareOf(term, own) >= 0.8 && shareOf(term, others) < 0.8)
  );
}

function betweenColumns(table: Table, { asked, difference }: Task): Result | undefined {
  const [a, b] = difference.sides;
  const headers = table.headers.slice(1);
  const [first, ...moreFirst] = headers.filter((header) => namedBy(header, asked.search, [a, b]));
  const [second, ...moreSecond] = headers.filter((header) => namedBy(header, asked.search, [b, a]));
  if (!first || !second || moreFirst.length + moreSecond.length > 0) return undefined;
  const operandsOf = (row: Row) => [first, second].flatMap((header) => operandIn(row, header, difference));
  const inRange = rowInRange(table, asked);
  const known = `${first} ${second}`;
  const naming = asked.terms.filter((term) => shareOf(term, wordSet(known)) < 0.8);
  const unit = stem(difference.asked?.word ?? "");
  const scored = table.rows.flatMap((row) => {
    const operands = operandsOf(row);
    const words = wordSet(keyOf(row));
    const named = naming.reduce((sum, term) => sum + shareOf(term, words), 0);
    // `How many nights` asks for what is stated in nights.
    const isInUnit = operands.every(({ amount }) => stemsOf(amount.text).has(unit));
    return operands.length === 2 ? [{ row, score: named + (isInUnit ? 1 : 0) }] : [];
  });
  const most = Math.max(0.8, ...scored.map(({ score }) => score));
  const best = inRange ? [inRange.row] : scored.filter(({ score }) => score === most).map(({ row }) => row);
  if (best.length !== 1 || !isAllKnown(asked, best, inRange?.value.start)) return undefined;
  return differing(operandsOf(best[0]!), `${first} and ${second}`);
}

function betweenRows(table: Table, { asked, difference }: Task): Result | undefined {
  const [a, b] = difference.sides.map((side) => rowsNamed(table, { text: side, terms: termsOf(side) }));
  const [second, ...more] = b?.rows ?? [];
  const others = (a?.rows ?? []).filter((row) => row !== second);
  const [first] = others;
  if (!first || !second || others.length > 1 || more.length > 0) return undefined;
  const { compared, asked: unit } = difference;
  // `The difference between A and B` does not name the column `Goal difference`.
  const naming = asked.terms.filter(({ word }) => !isOfChange(word));
  const named = columnsOf(table, difference).filter((column) => {
    const isCompared = compared?.adjective && directionIn(compared, column)?.isMeant;
    const isPrice = asksPrice(asked.text) && isOfPrices(column);
    return isCompared || isPrice || unit?.unit.sort === column.sort || mentions(naming, column.header);
  });
  const counted = onlyCounted(table, asked);
  const inUnit = named.filter((column) => column.unit !== undefined && column.unit === unit?.unit);
  const found = inUnit.length > 0 ? inUnit : named.length === 0 && counted ? [counted] : named;
  // Of the temperatures in January and in July, those that the question names.
  const wordsIn = ({ header }: Column) => wordSet(header);
  const hits = found.map((one) => asked.terms.filter((term) => shareOf(term, wordsIn(one)) >= 0.8).length);
  const nearest = found.filter((_, i) => hits[i] === Math.max(...hits));
  // Of a length and a depth, a longer thing has more of the length.
  const inHeader = nearest.filter((one) => compared?.adjective && directionIn(compared, one)?.isNamed);
  const fitting = inHeader.length > 0 ? inHeader : nearest;
  const isSure = isMeant(first, difference.sides[0], table) && isMeant(second, difference.sides[1], table);
  if (fitting.length !== 1 || !isSure || !isAllKnown(asked, [first, second])) return undefined;
  const { header } = fitting[0]!;
  return differing(
    [first, second].flatMap((row) => operandIn(row, header, difference)),
    header,
  );
}

/** Whether one side of the question means a row: it has all words of its name, or none that is not said of it. */
function isMeant(row: Row, side: string, { headers }: Table): boolean {
  const words = wordSet(side);
  if (termsOf(keyOf(row)).every((term) => shareOf(term, words) >= 0.8)) return true;
  const known = wordSet(headers.join("\n"));
  return termsOf(side)
    .filter(({ word }) => !isLightWord(word) && !isComparing(word) && !asksPrice(word))
    .every((term) => shareOf(term, row.wordsInContext) > 0 || shareOf(term, known) > 0);
}

function betweenTables(tables: readonly Table[], { asked, difference }: Task): Result | undefined {
  const cells = tables.flatMap((table) => {
    const named = rowsNamed(table, asked)?.rows ?? [];
    const columns = columnsOf(table, difference);
    const [row] = named;
    return row && named.length === 1
      ? columns.flatMap(({ header }) => operandIn(row, header, difference))
      : [];
  });
  const [first, second] = difference.sides.map((side, i) => {
    const own = termsOf(side).filter((term) => shareOf(term, wordSet(difference.sides[1 - i]!)) < 0.8);
    const names = own.filter(({ isExact }) => isExact);
    const found = cells.filter(({ header }) => mentions(names, header));
    return found.length === 1 ? found[0] : undefined;
  });
  if (!first || !second || stemsOf(keyOf(first.row)).symmetricDifference(stemsOf(keyOf(second.row))).size > 0)
    return undefined;
  return isAllKnown(asked, [first.row, second.row])
    ? differing([first, second], `${first.header} and ${second.header}`)
    : undefined;
}

/** The amount in a cell, if it is asked for: nights for `how many nights`. */
function operandIn(row: Row, header: string, { asked }: Difference): Operand[] {
  const amount = amountOf(cellOf(row, header) ?? "", header);
  if (!amount || Number.isNaN(amount.amount)) return [];
  const { sort } = amount;
  if (!canBeAdded(sort) && sort !== "percent" && sort !== "temperature") return [];
  const isAsked = !asked || asked.unit.sort === sort || (asked.unit.sort === "money" && sort === "number");
  return isAsked ? [{ row, header, amount }] : [];
}

function differing(operands: readonly Operand[], of: string): Result | undefined {
  const [a, b] = operands;
  if (!a || !b || a.amount.sort !== b.amount.sort || a.amount.per !== b.amount.per) return undefined;
  const [larger, smaller] = a.amount.amount >= b.amount.amount ? [a.amount, b.amount] : [b.amount, a.amount];
  if (!areExact([a.amount, b.amount])) return undefined;
  // What is free has no currency.
  const isOneUnit = larger.unit === smaller.unit || smaller.amount === 0;
  if (!isOneUnit && (larger.sort === "money" || larger.sort === "temperature")) return undefined;
  const by = differenceLike(larger, smaller);
  const rows = [...new Set([a.row, b.row])];
  const from = rows.length > 1 ? "these rows" : "this row";
  return {
    isWhole: true,
    statement: `Difference of ${of}: ${larger.shown} − ${smaller.shown} = ${by}, from ${from}:`,
    rows,
  };
}
