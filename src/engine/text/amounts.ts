// The amounts in the cells of tables: bare numbers in the unit of their header, prices, durations, dates.

import { DIGITS, NUMBER_WORDS, numberOf, scaleOf } from "./numbers.ts";
import { stem, stemsOf } from "./terms.ts";
import type { Unit } from "./units.ts";
import { type Value, valuesOf } from "./values.ts";

export interface Amount {
  /** As Value.sort; `number` for a bare number. */
  sort: string;
  /** In the smallest unit of its sort; NaN if the cell states several. */
  amount: number;
  unit: Unit | undefined;
  /** As Value.per. */
  per: string;
  /** The number and its unit as written; of `4 h 30 min` the last ones. */
  text: string;
  /** All of it as written. */
  shown: string;
  /** Whether it is only a limit: `from` of `from 35 €`, `upTo` of `up to 4`. */
  bound?: "from" | "upTo";
}

const BARE = new RegExp(`^[~≈]?\\s*([-−]?(?:${DIGITS}))$`, "u");
/** A dot that separates thousands or decimals. */
const AMBIGUOUS = /^\D*[1-9]\d{0,2}\.\d{3}(?!\d|[.,]\d)/;
const FROM = /\b(?:from|at least|min(?:imum|\.)?|over|above|more than|starting at)\s*$/i;
const UP_TO = /\b(?:up to|at most|max(?:imum|\.)?|under|below|less than|until)\s*$/i;
const OR_MORE = /^\s*(?:\+|(?:and|or) (?:more|up|over|above)\b|upwards\b)/i;
const FREE = /^(?:free|free of charge|gratis|no charge)$/i;

/** The amount that a cell states; undefined if it states none. */
export function amountOf(cell: string, header: string): Amount | undefined {
  const bare = BARE.exec(cell.trim())?.[1];
  if (bare !== undefined) {
    // `Weight kg` and `78` are 78 kg.
    // `Per day` and `3` are no 3 days.
    const measure = header.replace(/\b(?:per|each|every)\s+(?!cent\b)\p{L}+/giu, " ");
    const units = [measure, ...measure.split(/[\s()[\],]+/)];
    const measured = units.flatMap((unit) => valuesOf(`${bare} ${unit}`).slice(0, 1));
    const value = measured.find(({ unit }) => unit !== undefined);
    const { sort, unit, amount } = value ?? { sort: "number", amount: numberOf(bare), unit: undefined };
    const known = AMBIGUOUS.test(bare) ? Number.NaN : amount;
    return { sort, amount: known, unit, per: "", text: bare, shown: bare };
  }
  if (FREE.test(cell)) return { sort: "money", amount: 0, unit: undefined, per: "", text: cell, shown: cell };
  const values = valuesOf(cell).filter(({ sort }) => sort !== "code" && sort !== "version");
  const [first] = values;
  if (!first) return undefined;
  const same = values.filter(({ sort }) => sort === first.sort);
  const last = same.at(-1)!;
  const { sort, start } = first;
  const { unit, per, end } = last;
  const [text, shown] = [cell.slice(last.start, end), cell.slice(start, end)];
  const isAmbiguous = sort !== "money" && sort !== "date" && AMBIGUOUS.test(text);
  const known = same.length === 1 ? ordinalOf(first) : compoundOf(cell, same);
  const bound = boundOf(cell.slice(0, start), cell.slice(end));
  return {
    sort,
    amount: isAmbiguous ? Number.NaN : known,
    unit,
    per,
    text,
    shown,
    ...(bound && { bound }),
  };
}

/** What the words around an amount say: `from 35 €`. */
function boundOf(before: string, behind: string): Amount["bound"] {
  if (FROM.test(before) || OR_MORE.test(behind)) return "from";
  return UP_TO.test(before) || /^\s*or less\b/i.test(behind) ? "upTo" : undefined;
}

/** Whether amounts can be added and subtracted: all are exact, or all are upper limits; bytes are in one unit. */
export const areExact = (amounts: readonly Amount[]) =>
  amounts.every(({ bound, unit, sort }) => {
    const [first] = amounts;
    return bound !== "from" && bound === first!.bound && (sort !== "data" || unit === first!.unit);
  });

/** `2 h 30 min` is one amount; NaN for several. */
function compoundOf(cell: string, values: readonly Value[]): number {
  const isOne = values.every(({ unit, start }, i) => {
    const before = values[i - 1];
    if (!before) return unit?.sort === "duration" || unit?.sort === "length";
    return unit!.factor < before.unit!.factor && /^(?:,? ?|,? and )$/.test(cell.slice(before.end, start));
  });
  return isOne ? values.reduce((sum, { amount }) => sum + amount, 0) : Number.NaN;
}

/** A column of which the cells can be compared. */
export interface Column {
  header: string;
  sort: string;
  /** The unit of all cells, if they have the same. */
  unit: Unit | undefined;
  /** Of each cell, as far as it states one. */
  amounts: (Amount | undefined)[];
}

/**
 * The amounts of a column if most cells state one, all of one sort, in one currency and for the same; else undefined. A
 * mixed column may have several currencies, prices per day beside prices per week, and cells with several amounts.
 */
export function columnOf(
  header: string,
  cells: readonly (string | undefined)[],
  isMixed = false,
): Column | undefined {
  const amounts = cells.map((cell) => amountOf(cell ?? "", header));
  const found = amounts.filter((amount) => amount !== undefined);
  // What is free has no currency.
  const [first, ...others] = found.filter(({ unit, amount }) => unit || amount !== 0);
  if (!first || found.length < Math.max(2, cells.length / 2)) return undefined;
  const { sort, per } = first;
  const unit = others.every((other) => other.unit === first.unit) ? first.unit : undefined;
  const isUniform = others.every((other) => other.sort === sort && (isMixed || other.per === per));
  if (
    !isUniform ||
    (!isMixed && ((sort === "money" && !unit) || found.some(({ amount }) => Number.isNaN(amount))))
  )
    return undefined;
  return { header, sort, unit, amounts };
}

/** Whether amounts of a sort can be added: not percentages, temperatures or dates. */
export const canBeAdded = (sort: string) =>
  ["number", "money", "mass", "length", "area", "volume", "data", "duration", "energy"].includes(sort);

const LABEL =
  /^(?:average|mean|median|avg)\b|\b(?:ages?|year|floor|storey|level|grade|class|rank|place|position|number|no|nr|id|code|semester|term|week|day|month|page|row|zone|rating|stars|average|mean|median|version|share|ratio|phone|room|extension|postcode|zip|gate|track|platform)\.?\s*(?:\(.*\))?$/i;
/** Whether the numbers of a column can be added: those of `Floor`, `Age` or `Average visitors` cannot. */
export const isOfQuantities = ({ header, sort }: Pick<Column, "header" | "sort">) =>
  canBeAdded(sort) && (sort === "money" || !LABEL.test(header.replace(/\bper\s+\p{L}+/giu, "").trim()));

const PRICES = ["price", "cost", "fee", "rate", "fare", "amount"].map(stem);
/** Whether a column contains prices, also without a currency. */
export const isOfPrices = ({ header, sort }: Column) =>
  sort === "money" || PRICES.some((word) => stemsOf(header).has(word));

/** Whether it is not known which amount is the highest, or the lowest: `from 35 €` may be more than `60 €`. */
export const isUnsure = (amounts: readonly Amount[], isMost: boolean): boolean =>
  new Set(amounts.map(({ bound }) => bound)).size > 1 &&
  amounts.some(({ bound }) => bound === (isMost ? "from" : "upTo"));

/** Whether the limit of a condition can be compared with the cells of a column. */
export function canBeLimit({ sort, unit, noun }: Value, column: Column): boolean {
  if (unit) return column.sort === sort && (sort !== "money" || column.unit === unit);
  const isBare = sort === "number" || sort === "year";
  return (
    column.sort === sort || (isBare && (column.sort === "number" || (noun === "" && isOfPrices(column))))
  );
}

/** A number by which values of one sort can be ordered; NaN if there is none. */
export function ordinalOf({ sort, amount, key }: Value): number {
  if (!Number.isNaN(amount)) return amount;
  if (sort === "year") return Number(key);
  if (sort === "time") {
    const [hour = 0, minute = 0] = key.split(":").map(Number);
    return hour * 60 + minute;
  }
  const [day = 0, month = 0, year = 0] = key.split(" ").map(Number);
  return year > 0 ? year * 372 + month * 31 + day : Number.NaN;
}

const NUMBER = new RegExp(`${DIGITS}|\\b(?:${NUMBER_WORDS})`, "iu");
/** `17.2 million`, `$900K`. */
const SCALE = /(?<=\d\s?)(?:hundred|thousand|million|billion|bn|dozen|k)\b/i;
const SCALE_OF_MONEY = /(?<=\d\s?)(?:hundred|thousand|million|billion|bn|dozen|k|mn?)\b/i;
const GROUPED = /\d([,.’'\u202f\u00a0 ])\d{3}(?!\d)/;

/**
 * A total in the unit and notation of the amounts of which the first is given: `£345.00` and `£19.00` give `£364.00`.
 */
export function totalLike(amounts: readonly Amount[], total: number): string {
  // `free` tells no notation.
  const { text, unit, per } = amounts.find((amount) => /\d/.test(amount.text)) ?? amounts[0]!;
  const units = new Set(amounts.map((amount) => amount.unit?.name));
  const hasHours = units.has("h") || amounts.some(({ shown }) => /\d\s?h/i.test(shown));
  if (hasHours && units.has("min")) {
    const minutes = Math.round(total / 60);
    return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
  }
  const decimals = Math.max(
    0,
    ...amounts.map((amount) => /\d[.,](\d{1,2})(?!\d)/.exec(amount.text)?.[1]?.length ?? 0),
  );
  const scale = (unit?.sort === "money" ? SCALE_OF_MONEY : SCALE).exec(text)?.[0].toLowerCase();
  const rounded = Number((total / (unit?.factor ?? 1) / scaleOf(scale)).toFixed(6));
  const isExact = Number(rounded.toFixed(decimals)) === rounded;
  const digits = decimals > 0 && isExact ? rounded.toFixed(decimals) : String(rounded);
  const isContinental = amounts.some((amount) => /\d,\d{1,2}(?!\d)/.test(amount.text));
  const written = isContinental ? digits.replace(".", ",") : digits;
  const separator = amounts.flatMap((amount) => GROUPED.exec(amount.text)?.[1] ?? [])[0] ?? "";
  const number = written.replace(/(?<![.,]\d*)\B(?=(?:\d{3})+(?!\d))/g, separator);
  return text.replace(NUMBER, number) + (per === "" ? "" : ` per ${per}`);
}

/** The first amount less the second one, as `totalLike` writes it. */
export const differenceLike = (larger: Amount, smaller: Amount): string => {
  const by = totalLike([larger, smaller], larger.amount - smaller.amount);
  return larger.sort === "percent" ? by.replace(/\s*(?:%|per\s?cent)/i, " percentage points") : by;
};
