// Ranges in cells, as `70–78`, `2,001 to 3,000` or `over 100 kg`, and whether a value of a question lies in one.

import { amountOf } from "./cells.ts";
import { shareOf, wordSet } from "./match.ts";
import { termsOf } from "./terms.ts";
import type { Unit } from "./units.ts";
import type { Value } from "./values.ts";

export interface Range {
  /** Both are included, as far as `isOpen` does not say otherwise. */
  min: number;
  max: number;
  isOpen: boolean;
  /** As Value.sort. */
  sort: string;
  unit: Unit | undefined;
}

const BETWEEN =
  /^(?:from |between )?(.*\d.*?)\s*(?:–|—|-|\bto\b|\band\b|\buntil\b|\.\.+|…)\s*(\D{0,3}\d.*)$/i;
const BELOW =
  /^(?:(up to|at most|max\.?|maximum|until|not more than|≤|<=)|(?:under|below|less than|fewer than|younger than|<))\s*(\D{0,3}\d.*)$/i;
const ABOVE =
  /^(?:(from|at least|min\.?|minimum|not less than|≥|>=)|(?:over|above|more than|older than|>))\s*(\D{0,3}\d.*)$/i;
const BEHIND =
  /^(.*\d.*?)\s*(?:(\+|(?:and|or) (?:more|over|above|older|up|longer|larger)|upwards|plus)|(?:and|or) (?:less|under|below|younger|fewer|shorter|smaller))$/i;

/** A longer cell states more than a range. */
const MAX_UNITS = 60;

/** The range that a cell states; undefined if it states none. */
export function rangeOf(cell: string, header: string): Range | undefined {
  const text = cell.trim();
  if (!/\d/.test(text) || text.length > MAX_UNITS) return undefined;
  const between = BETWEEN.exec(text);
  if (between) {
    const last = amountOf(between[2]!, header);
    // Of `2–3 kg`, both are in kg.
    const word = last?.unit?.name ?? "";
    const first = [`${between[1]} ${word}`, between[1]!]
      .map((one) => amountOf(one, header))
      .find((one) => one?.sort === last?.sort);
    if (!first || !last || !(Math.abs(first.amount - last.amount) > 0)) return undefined;
    // `29 to 14 days` is a range, `12-3` is something else.
    if (first.amount > last.amount && !last.unit) return undefined;
    const [min, max] = [Math.min(first.amount, last.amount), Math.max(first.amount, last.amount)];
    return { min, max, isOpen: false, sort: last.sort, unit: last.unit };
  }
  // `Up to 30 days before` may mean at least 30 days.
  if (/\b(?:before|in advance|prior|ago)\b/i.test(text)) return undefined;
  const below = BELOW.exec(text);
  const above = below ? null : ABOVE.exec(text);
  const behind = below || above ? null : BEHIND.exec(text);
  const bound = below?.[2] ?? above?.[2] ?? behind?.[1];
  const amount = bound === undefined ? undefined : amountOf(bound, header);
  if (!amount || Number.isNaN(amount.amount)) return undefined;
  const { sort, unit } = amount;
  const isAbove = above !== null || behind?.[2] !== undefined;
  const isOpen = (below !== null && below[1] === undefined) || (above !== null && above[1] === undefined);
  return {
    min: isAbove ? amount.amount : -Infinity,
    max: isAbove ? Infinity : amount.amount,
    isOpen,
    sort,
    unit,
  };
}

const PEOPLE =
  /\b(?:people|persons?|users?|guests?|members?|visitors?|participants?|employees?|staff|pupils?|students?|players?|seats?|head ?count)\b/i;
const PRICE = /\b(?:price|cost|fee|value|amount|sum|income|rent|worth)\b/i;

/** Whether a value lies in a range below a header; a bare number only if the header says that it counts the same. */
export function isInRange({ sort, amount, unit, noun }: Value, range: Range, header: string): boolean {
  const isAge = /\bages?\b/i.test(header) && unit?.name === "year";
  const isSame = unit
    ? range.sort === sort && (sort !== "money" || range.unit === undefined || range.unit === unit)
    : range.sort === sort;
  const isBare = range.sort === "number" && ((sort === "money" && PRICE.test(header)) || isAge);
  const counted = termsOf(noun);
  const isCounted =
    unit !== undefined ||
    (PEOPLE.test(noun) && PEOPLE.test(header)) ||
    counted.some((term) => shareOf(term, wordSet(header)) > 0);
  const own = isBare && unit ? amount / unit.factor : amount;
  if (!(isBare || (isSame && isCounted))) return false;
  return range.isOpen ? own > range.min && own < range.max : own >= range.min && own <= range.max;
}
