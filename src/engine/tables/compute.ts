// What follows from the tables near a question: the row with the most or the least, rows within a limit, sums, differences,
// and the cell that it asks for.

import { excludesSome, type Operation, operationOf, withoutAsides } from "../language/comparisons.ts";
import { differenceIn, growthIn } from "../language/differences.ts";
import { areOpposite } from "../language/match.ts";
import { placeIn } from "../language/ordinals.ts";
import { stem, stemsOf } from "../language/terms.ts";
import { countOf } from "./counts.ts";
import { differenceOf } from "./differences.ts";
import { extremeOf, growthOf, rowsInPlace, rowsWithin } from "./extremes.ts";
import { cellAsked } from "./lookup.ts";
import { firstOf } from "./nearest.ts";
import { productFrom } from "./statements.ts";
import { productOf, sumOf } from "./sums.ts";
import type { Asked, Result, Row, Table } from "./table.ts";

/** A table farther from the question is not looked at, unless the question names its rows and columns. */
const NEAREST = 2;

/** What results follow from: tables, and statements outside of them, the nearest first. */
export interface Sources {
  tables: readonly Table[];
  statements: readonly Row[];
}

/** The result that a question asks for; undefined if it is not sure. */
export function compute({ tables: all, statements }: Sources, part: Asked): Result | undefined {
  const asked = { ...part, text: withoutAsides(part.text) };
  if (excludesSome(asked.text)) return undefined;
  const tables = all.filter((table) => !saysOpposite(table, asked));
  const result =
    resultFrom(tables, asked) ?? onlyOne(statements.flatMap((one) => productFrom(one, asked) ?? []));
  return result && isOfTime(asked.text, result.rows) ? result : undefined;
}

/** Whether a header says the opposite of a word of the question: `Closed on` for `which is open on Monday`. */
function saysOpposite({ headers }: Table, { terms }: Asked): boolean {
  const words = [...stemsOf(headers.join("\n"))];
  return terms.some(({ stem: own }) => !words.includes(own) && words.some((word) => areOpposite(word, own)));
}

function resultFrom(tables: readonly Table[], asked: Asked): Result | undefined {
  const difference = differenceIn(asked.text);
  if (difference) return differenceOf(tables, { asked, difference });
  const place = placeIn(asked.text);
  const growth = growthIn(asked.text);
  const operation = operationOf(asked.text);
  const near = tables.slice(0, NEAREST);
  if (growth || operation)
    return firstOf(
      near,
      asked,
      (table) => (growth && growthOf(table, growth)) ?? (operation && resultOf(table, asked, operation)),
    );
  const product = firstOf(
    near,
    asked,
    (table) => (place && rowsInPlace(table, place)) || (productOf(table, asked) ?? countOf(table, asked)),
  );
  if (product) return product;
  return onlyOne(tables.flatMap((table) => cellAsked(table, asked) ?? []));
}

/** The first of equal results; undefined if two sources state it differently. */
const onlyOne = ([first, ...others]: readonly Result[]) =>
  others.every(({ statement }) => statement === first!.statement) ? first : undefined;

/** Whether the months, seasons and days of the week that a question names are said of these rows. */
function isOfTime(text: string, rows: readonly Row[]): boolean {
  return [...text.matchAll(SEASON)].every(({ 0: word }) => {
    const isSaid = (day: string) => rows.some(({ wordsInContext }) => wordsInContext.stems.has(stem(day)));
    return isSaid(word) || (MIDWEEK.test(word) && isSaid("Monday") && ["Thursday", "Friday"].some(isSaid));
  });
}

const SEASON =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|january|february|april|june|july|august|september|october|november|december|spring|summer|autumn|winter)\b|(?<=\bin )May\b/gi;
const MIDWEEK = /^(?:tues|wednes|thurs)days?$/i;

function resultOf(table: Table, asked: Asked, operation: Operation) {
  if (operation.kind === "sum") return sumOf(table, asked, operation);
  return operation.kind === "extreme"
    ? extremeOf(table, asked, operation)
    : rowsWithin(table, asked, operation);
}
