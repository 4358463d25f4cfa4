// Which column of a table a question is about. Where none fits, or two fit as well, it names none.

import { type Column, canBeLimit, columnOf, isOfPrices, isOfQuantities } from "../language/cells.ts";
import {
  asksPrice,
  type Compared,
  directionIn,
  isOfAny,
  isOfSize,
  type Operation,
  unitAsked,
} from "../language/comparisons.ts";
import { shareOf, wordSet } from "../language/match.ts";
import { isLightWord, stemsOf, termsOf } from "../language/terms.ts";
import { type Asked, cellOf, mentions, namesOtherColumn, type Table } from "./table.ts";

/** The amounts below a header, in the order of the rows; undefined if they cannot be compared. */
export const amountsBelow = ({ rows }: Table, header: string, isMixed = false) =>
  columnOf(
    header,
    rows.map((row) => cellOf(row, header)),
    isMixed,
  );

interface Fitting {
  column: Column;
  /** How well it fits. */
  score: number;
}

/** The column that the question is about; undefined if none fits, or two fit as well. */
export const columnAsked = (table: Table, asked: Asked, operation: Operation): Column | undefined =>
  bestOf(fittingColumns(table, asked, operation)) ??
  (operation.kind === "sum" ? onlyCounted(table, asked) : undefined);

/** The same without one column, which is only meant if no other fits. */
export function columnBeside(
  { header }: Column,
  table: Table,
  { asked, operation }: { asked: Asked; operation: Operation },
): Column | undefined {
  const headers = table.headers.filter((other) => other !== header);
  const others = fittingColumns({ ...table, headers }, asked, operation);
  return others.length > 0 ? bestOf(others) : columnAsked(table, asked, operation);
}

function fittingColumns(table: Table, asked: Asked, operation: Operation): Fitting[] {
  return table.headers.flatMap((header, index): Fitting[] => {
    const column = amountsBelow(table, header, operation.kind === "sum");
    if (!column) return [];
    const words = wordSet(header);
    const named = asked.terms.filter((term) => shareOf(term, words) > 0).length;
    const meant = howMeant({ table, column, asked, named }, operation);
    return meant === undefined ? [] : [{ column, score: named + meant - (index === 0 ? 0.5 : 0) }];
  });
}

/** The only column of numbers without a unit, which `how many` can ask for: of `Product` and `Stock`, the stock. */
export function onlyCounted(table: Table, { text }: Asked): Column | undefined {
  const columns = table.headers.slice(1).flatMap((header) => amountsBelow(table, header, true) ?? []);
  const [only] = columns;
  const isCount =
    columns.length === 1 && only!.sort === "number" && !isOfPrices(only!) && isOfQuantities(only!);
  return isCount && /\bhow many\b/i.test(text) ? only : undefined;
}

interface Candidate {
  table: Table;
  column: Column;
  asked: Asked;
  /** How many words of the question its header contains. */
  named: number;
}

/** The values of a column are what is compared; its header says so. */
const MEANT = 0.9;
const MEANT_BY_NAME = 1.4;

/** How surely the question means this column, besides naming it; undefined if it does not fit. */
function howMeant({ table, column, asked, named }: Candidate, operation: Operation): number | undefined {
  const { header } = column;
  const isPrice = asksPrice(asked.text) && isOfPrices(column);
  if (operation.kind === "sum") {
    const unit = unitAsked(asked.text)?.unit;
    const isInUnit = unit !== undefined && column.amounts.some((amount) => amount?.unit === unit);
    const fits = isOfQuantities(column) && (isPrice || ((named > 0 || isInUnit) && !asksPrice(asked.text)));
    return fits ? (isPrice || isInUnit ? MEANT : 0) : undefined;
  }
  const direction = directionIn(operation.compared, column);
  if (!direction) return undefined;
  const isMeant = isPrice || direction.isMeant;
  const meant = direction.isNamed ? MEANT_BY_NAME : isMeant ? MEANT : 0;
  // `What does the largest room cost` compares no prices.
  const isOfThing = operation.kind === "extreme" && isOfSize(operation.compared);
  if (isOfThing && isOfPrices(column) && !asksPrice(operation.compared.noun)) return undefined;
  if (operation.kind === "extreme")
    return (named > 0 || isMeant) && isOfNoun(table, column, operation.compared) ? meant : undefined;
  const { limit, about } = operation;
  const isNamed = limit.noun === "" || isLightWord(limit.noun) || mentions(termsOf(limit.noun), header);
  // `Groups of more than 10` says nothing about the rows, and `which discount` asks for no row.
  const isOfRows =
    (about === "" || mentions(termsOf(about), header)) && !namesOtherColumn(table, termsOf(operation.asked));
  const fits = named > 0 || isMeant || limit.unit !== undefined;
  return fits && canBeLimit(limit, column) && isNamed && isOfRows ? meant : undefined;
}

const SAYS_NOTHING = /^(?:values?|figures?|numbers?|amounts?|results?|levels?|totals?|sums?|ones?)$/i;

/** Whether `the highest charge` can mean a column: it names it, or it names no column but the rows, as `the highest tower` does. */
function isOfNoun({ headers, rows }: Table, column: Column, compared: Compared): boolean {
  const noun = termsOf(compared.noun);
  if (!isOfAny(compared) || noun.length === 0 || SAYS_NOTHING.test(compared.noun)) return true;
  const named = headers.filter((header) => mentions(noun, header));
  if (named.length > (named.includes(headers[0]!) ? 1 : 0)) return named.includes(column.header);
  const isOfRows = rows.every(({ wordsInContext }) => noun.some((term) => shareOf(term, wordsInContext) > 0));
  return isOfRows || (asksPrice(compared.noun) && isOfPrices(column));
}

function bestOf(fitting: readonly Fitting[]): Column | undefined {
  const best = Math.max(...fitting.map(({ score }) => score));
  const [first, ...others] = fitting
    .filter(({ score }) => score === best)
    .map(({ column }) => column)
    .sort((a, b) => a.header.length - b.header.length);
  // Of `Weight` and `Crew weight`, the shorter one is meant.
  const isPartOf = ({ header }: Column) => stemsOf(header).isSupersetOf(stemsOf(first!.header));
  return others.every(isPartOf) ? first : undefined;
}
