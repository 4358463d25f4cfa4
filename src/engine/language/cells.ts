// The amounts in the cells of tables: bare numbers in the unit of their header, prices, durations, dates. It knows no rows.

import { DIGITS, numberOf } from "./numbers.ts";
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
  /** The number and its unit as written. */
  text: string;
}

const BARE = new RegExp(`^[~≈]?\\s*([-−]?(?:${DIGITS}))$`, "u");
const FREE = /^(?:free|free of charge|gratis|no charge)$/i;

/** The amount that a cell states; undefined if it states none. */
export function amountOf(cell: string, header: string): Amount | undefined {
  const bare = BARE.exec(cell.trim())?.[1];
  if (bare !== undefined) {
    // `Weight kg` and `78` are 78 kg.
    const units = [header, ...header.split(/[\s()[\],]+/)];
    const measured = units.flatMap((unit) => valuesOf(`${bare} ${unit}`).slice(0, 1));
    const value = measured.find(({ unit }) => unit !== undefined);
    const { sort, amount, unit } = value ?? { sort: "number", amount: numberOf(bare), unit: undefined };
    return { sort, amount, unit, per: "", text: bare };
  }
  if (FREE.test(cell)) return { sort: "money", amount: 0, unit: undefined, per: "", text: cell };
  const values = valuesOf(cell).filter(({ sort }) => sort !== "code" && sort !== "version");
  const [first] = values;
  if (!first) return undefined;
  const same = values.filter(({ sort }) => sort === first.sort);
  const last = same.at(-1)!;
  const amount = same.length === 1 ? ordinalOf(first) : compoundOf(cell, same);
  return { sort: first.sort, amount, unit: last.unit, per: last.per, text: cell.slice(last.start, last.end) };
}

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
 * The amounts of a column if most cells state one, all of one sort, in one currency and for the same; else undefined. A mixed
 * column may have several currencies, and prices per day beside prices per week.
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
    (sort === "money" && !unit && !isMixed) ||
    found.some(({ amount }) => Number.isNaN(amount))
  )
    return undefined;
  return { header, sort, unit, amounts };
}

/** Whether amounts of a sort can be added: not percentages, temperatures or dates. */
export const canBeAdded = (sort: string) =>
  ["number", "money", "mass", "length", "area", "volume", "data", "duration", "energy"].includes(sort);

const PRICES = ["price", "cost", "fee", "rate", "fare", "amount"].map(stem);
/** Whether a column contains prices, also without a currency. */
export const isOfPrices = ({ header, sort }: Column) =>
  sort === "money" || PRICES.some((word) => stemsOf(header).has(word));

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

const GROUPED = /\d([,.’'\u202f\u00a0 ])\d{3}(?!\d)/;

/** A total in the unit and notation of the amounts of which the first is given: `£345.00` and `£19.00` give `£364.00`. */
export function totalLike(amounts: readonly Amount[], total: number): string {
  // `free` tells no notation.
  const { text, unit, per } = amounts.find((amount) => /\d/.test(amount.text)) ?? amounts[0]!;
  const units = new Set(amounts.map((amount) => amount.unit?.name));
  if (units.has("h") && units.has("min")) {
    const minutes = Math.round(total / 60);
    return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
  }
  const decimals = Math.max(
    0,
    ...amounts.map((amount) => /\d[.,](\d{1,2})(?!\d)/.exec(amount.text)?.[1]?.length ?? 0),
  );
  const rounded = Number((total / (unit?.factor ?? 1)).toFixed(6));
  const isExact = Number(rounded.toFixed(decimals)) === rounded;
  const digits = decimals > 0 && isExact ? rounded.toFixed(decimals) : String(rounded);
  const isContinental = amounts.some((amount) => /\d,\d{1,2}(?!\d)/.test(amount.text));
  const written = isContinental ? digits.replace(".", ",") : digits;
  const separator = amounts.flatMap((amount) => GROUPED.exec(amount.text)?.[1] ?? [])[0] ?? "";
  const number = written.replace(/(?<![.,]\d*)\B(?=(?:\d{3})+(?!\d))/g, separator);
  return text.replace(new RegExp(DIGITS, "u"), number) + (per === "" ? "" : ` per ${per}`);
}
