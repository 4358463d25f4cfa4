// How values of two statements are related. It knows no statements.

import { stemsOf } from "./terms.ts";
import type { Value } from "./values.ts";

/** Whether the values of both statements contain years, besides those compared, and none is the same: what was may differ. */
export function areOfOtherYears(
  a: readonly Value[],
  b: readonly Value[],
  [x, y]: readonly Value[] = [],
): boolean {
  const yearsOf = (values: readonly Value[], compared: Value | undefined) =>
    new Set(
      values
        .filter((value) => value !== compared && (value.sort === "year" || value.sort === "date"))
        .map(({ key }) => key.split(" ").at(-1)!)
        .filter((year) => year !== ""),
    );
  const [ofA, ofB] = [yearsOf(a, x), yearsOf(b, y)];
  return ofA.size > 0 && ofB.size > 0 && ofA.isDisjointFrom(ofB);
}

/** Values of one attribute are rarely further apart: `ten minutes` is no other answer than `180 days`. */
const MAX_RATIO = 20;
/** Whether two amounts are too different to be of one attribute. */
export const areFarApart = ({ sort, amount: x }: Value, { amount: y }: Value) =>
  sort !== "number" && x > 0 && y > 0 && Math.max(x, y) / Math.min(x, y) > MAX_RATIO;

/** How close two amounts are, 0 to 1; 0.5 if they are none. */
export function closenessOf({ amount: x }: Value, { amount: y }: Value): number {
  return x > 0 && y > 0 ? Math.min(x, y) / Math.max(x, y) : 0.5;
}

/** Some words before and behind a name, as in `Jan Novak, the porter`. */
const BEFORE = /(?:[\p{L}’-]+,? ){0,4}$/u;
const BEHIND = /^(?:,? [\p{L}’-]+){0,4}/u;
const NEAR_UNITS = 80;

/** Whether a text has a name or role beside another one: `porter` is no other answer than `Jan Novak, the porter`. */
export function isNamedBeside(
  { sort, key }: Value,
  text: string,
  { sort: other, start, end }: Value,
): boolean {
  if (sort !== "name" || other !== "name") return false;
  const before = BEFORE.exec(text.slice(Math.max(0, start - NEAR_UNITS), start))?.[0];
  const behind = BEHIND.exec(text.slice(end))?.[0];
  return stemsOf(`${before} ${behind}`).has(key.split(" ").at(-1)!);
}
