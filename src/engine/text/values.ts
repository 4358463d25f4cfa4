// Finds values in text: amounts with units, money, dates, years, times of day, versions, codes, counted things. Amounts
// of one sort are converted to one unit, so that `120 minutes` and `two hours` are equal. It reads English.

import { fold } from "../../kernel/text.ts";
import { DIGITS, NUMBER_WORDS, numberOf, scaleOf } from "./numbers.ts";
import { isStopWord } from "./terms.ts";
import { CURRENCY, UNIT, UNIT_BEHIND_YEAR, type Unit, unitOf } from "./units.ts";

export interface Value {
  /**
   * What is stated: `money`, `duration` and the other sorts of words/units.txt, `date`, `year`, `time`, `version`,
   * `code` or `number`.
   */
  sort: string;
  /** The amount in the smallest unit of its sort; NaN if the value is none. */
  amount: number;
  /** In what it is stated; undefined for a bare number and values that are no amounts. */
  unit: Unit | undefined;
  /** Equal values have equal keys. */
  key: string;
  /** What a bare number counts, as written: `members`; otherwise empty. */
  noun: string;
  /** What the amount is for: `day` in `38 euros a day`; empty if it is not stated. */
  per: string;
  /** Offsets in the text in UTF-16 units, `end` exclusive. */
  start: number;
  end: number;
}

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const MONTH = `(?:${MONTHS.map((month) => `${month}|${month.slice(0, 3)}\\.?`).join("|")}|sept\\.?)`;
const AMOUNT = new RegExp(
  `(?:(?<sign>(?<![\\p{L}\\d])[-−])?(?<currency>(?<!\\p{L})(?:${CURRENCY}))\\.?\\s?|(?<![\\p{L}\\d.]))` +
    `(?<number>[-−±]?(?:${DIGITS})|\\b(?:${NUMBER_WORDS}))` +
    `(?:\\s?(?<scale>hundred|thousand|million|billion|bn|dozen|k|(?<=(?:${CURRENCY})\\s?[\\d.,]+\\s?)mn?)\\b)?` +
    `(?:\\s?(?:to|–|-|and|or)\\s?(?=(?:[\\d.,]+|${NUMBER_WORDS})[\\s-]?(?<later>${UNIT})(?![\\p{L}\\p{N}])))?` +
    `(?:[\\s-]?(?:(?:working|business|calendar|consecutive|full|[a-z]{4,}(?= (?:days|nights|weeks|months|years|hours|minutes)\\b)(?<!s)) )?(?<unit>${UNIT})(?![\\p{L}\\p{N}]))?`,
  "giu",
);
/** `5GB`, `$900K` and `EUR50` are no codes. One capital letter behind a number is a unit only if it is one of these. */
const AMOUNT_IN_CAPITALS = new RegExp(
  `^\\d+(?:[wvlmahc]|k|bn|(?=\\p{L}{2})(?:${UNIT}))$|^(?=\\p{L}{3})(?:${CURRENCY})\\d+$`,
  "iu",
);
/** Before a number of things, which can be as large as a year. */
const COUNTING =
  "(?:has|have|had|with|about|approximately|roughly|nearly|almost|than|up to|least|most|some|holds?|seats?|fits?|are|were|all)";

const EXACT: [sort: string, RegExp][] = [
  [
    "date",
    new RegExp(
      `\\b\\d{4}-\\d{2}-\\d{2}(?!\\d)|\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? \\d{4})?\\b|\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?!\\d)(?:,? \\d{4})?\\b|\\b${MONTH},? \\d{4}\\b|\\b\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}\\b`,
      "giu",
    ),
  ],
  [
    "time",
    /\b\d{1,2}[:.]\d{2} ?[ap]\.?m\b\.?|\b\d{1,2}:\d{2}\b|\b\d{1,2} ?[ap]\.?m\b\.?|\bnoon\b|\bmidnight\b/giu,
  ],
  [
    "version",
    /\bv\d+(?:\.\d+)*(?:[-+][\w.]+)?\b|(?<=\b(?:version|release|firmware)s? )\d+(?:\.\d+)*\b|\b(?!\d{1,3}(?:\.\d{3}){2}(?![\d.]))\d+\.\d+\.\d+(?:[-+][\w.]+)?\b/giu,
  ],
  ["code", /\b(?=[\p{L}\d-]*\d)(?=[\p{L}\d-]*\p{Lu})[\p{L}\d]+(?:-[\p{L}\d]+)*\b/gu],
  [
    "year",
    new RegExp(
      `(?<!(?<!\\p{L})(?:${CURRENCY})\\.?\\s?)\\b(?:1[5-9]|20)\\d{2}\\b(?!/\\d{3})(?![\\s-]?(?:${UNIT_BEHIND_YEAR})(?![\\p{L}\\p{N}]))` +
        `(?!(?<=\\b${COUNTING} \\d{4}) (?:\\p{L}{3,}s|people|children)\\b)`,
      "giu",
    ),
  ],
];

const LIMITING = /\b(?:at least|at most|up to|more than|fewer than|exactly|minimum of|maximum of)\s$/i;

/** Only the start of a longer text is searched for values. */
const MAX_UNITS = 1_200;
/** A longer run of digits is no amount, and matching it would take quadratic time. */
const ENDLESS_NUMBER = /[\d.,-]{24,}/g;

/** What every amount contains; this is looked for in less time. */
const NUMBER = new RegExp(`[\\d½¼¾⅓⅔]|\\b(?:${NUMBER_WORDS})`, "iu");

/** The values of a text in order, without overlaps. */
export function valuesOf(whole: string): Value[] {
  const text = whole.slice(0, MAX_UNITS).replace(ENDLESS_NUMBER, (run) => "x".repeat(run.length));
  const taken = new Uint8Array(text.length);
  const values: Value[] = [];
  const take = (value: Omit<Value, "per">) => {
    if (value.end <= value.start || taken.subarray(value.start, value.end).includes(1)) return;
    taken.fill(1, value.start, value.end);
    const rate = /^\s*(?:(?:a|an|per|each|every)\s+|\/\s*)(\p{L}+)/iu.exec(
      text.slice(value.end, value.end + 40),
    );
    if (rate) taken.fill(1, value.end, value.end + rate[0].length);
    values.push({ ...value, per: rate?.[1]?.toLowerCase() ?? "" });
  };
  const hasDigits = /\d/.test(text);
  for (const [sort, pattern] of EXACT) {
    // Only times are also stated without digits, as `noon` is.
    if (!hasDigits && sort !== "time") continue;
    for (const match of text.matchAll(pattern)) {
      // `Nobody under 18 may …` contains no date.
      if (sort === "date" && /\b(?:may|march)\b/.test(match[0])) continue;
      if (sort === "code" && AMOUNT_IN_CAPITALS.test(match[0])) continue;
      const start = match.index;
      const end = start + match[0].length;
      const key = keyOf(sort, fold(match[0]));
      take({ sort, amount: Number.NaN, unit: undefined, key, noun: "", start, end });
    }
  }
  for (const match of NUMBER.test(text) ? text.matchAll(AMOUNT) : []) {
    const { sign, currency, number = "", scale, unit: behind, later } = match.groups!;
    const start = match.index;
    // Of `6 to 8 weeks`, the first value ends before `to`.
    const end =
      match.index + match[0].replace(later === undefined ? /\s+$/ : /\s?(?:to|–|-|and|or)\s?$/i, "").length;
    const unit = unitOf(currency ?? behind ?? later ?? "");
    const dotsGroup = unit?.sort === "money" && !/[$£]/.test(unit.name);
    const written = numberOf(fold(number), dotsGroup) * scaleOf(scale && fold(scale)) * (sign ? -1 : 1);
    const amount = Number((unit ? (written + unit.offset) * unit.factor : written).toPrecision(12));
    const sort = unit?.sort ?? "number";
    const noun = unit ? "" : nounBehind(text.slice(end, end + 40));
    // `one of them` counts nothing, `at least three of each` does.
    const isPronoun =
      sort === "number" && noun === "" && /^\p{L}/u.test(number) && !LIMITING.test(text.slice(0, start));
    if (Number.isNaN(amount) || isPronoun) continue;
    take({ sort, amount, unit, key: String(Number(amount.toPrecision(9))), noun, start, end });
  }
  return values.sort((a, b) => a.start - b.start);
}

function nounBehind(behind: string): string {
  const [, noun = ""] =
    /^\s+(?:(?:different|unused|extra|free|paid|further|more|full|small|large|new) )?((?:\p{L}-)?\p{L}{3,})/u.exec(
      behind,
    ) ?? [];
  return isStopWord(noun) ? "" : noun;
}

/** Amounts in unlike units are equal if they differ no more than by rounding: `30 days` and `one month`. */
const ROUNDING = 0.03;

/**
 * Whether two values can be equal: in another unit or notation, or one less exact than the other, as `September 2026`
 * and `30 September 2026`. Amounts of two currencies cannot be compared and may be equal; cents are those of the other
 * one's currency.
 */
export function canBeEqual(x: Value, y: Value): boolean {
  const isBare = ({ sort, noun }: Value) => sort === "number" && noun === "";
  if (x.sort !== y.sort && !isBare(x) && !isBare(y) && x.sort !== "version" && y.sort !== "version")
    return false;
  if (x.key === y.key || x.amount === y.amount) return true;
  if (x.sort === "date" && y.sort === "date") return canBeSameDate(x.key.split(" "), y.key.split(" "));
  if (!x.unit || !y.unit || x.unit === y.unit) return false;
  return (
    (x.sort === "money" && x.unit.factor === y.unit.factor) ||
    Math.abs(x.amount - y.amount) <= ROUNDING * Math.max(Math.abs(x.amount), Math.abs(y.amount))
  );
}

/** Day and month may be written in either order. */
function canBeSameDate(x: readonly string[], y: readonly string[]): boolean {
  const fits = (other: readonly string[]) =>
    x.every((part, i) => part === "" || other[i] === "" || part === other[i]);
  return fits(y) || (Number(y[0]) <= 12 && Number(y[0]) > 0 && fits([y[1]!, y[0]!, y[2]!]));
}

function keyOf(sort: string, text: string): string {
  if (sort === "date") return plainDate(text);
  if (sort === "time") return plainTime(text);
  return text.replace(/^v(?=\d)|\.$/g, "");
}

/** Hours and minutes of a day: `8:30 pm` is `20:30`. */
function plainTime(text: string): string {
  if (text === "noon" || text === "midnight") return text === "noon" ? "12:00" : "0:00";
  const [, hour = "0", minute = "00", half] = /(\d{1,2})(?:[:.](\d{2}))? ?([ap])?/.exec(text) ?? [];
  return `${(Number(hour) % 12) + (half === "p" || (half === undefined && Number(hour) % 24 >= 12) ? 12 : 0)}:${minute}`;
}

/** Day, month and year as numbers; what is not stated is empty. Of `06/12/2026`, the day is first. */
function plainDate(text: string): string {
  const iso = /(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (iso) return `${Number(iso[3])} ${Number(iso[2])} ${iso[1]}`;
  const numeric = /(\d{1,2})[./](\d{1,2})[./](\d{2,4})/.exec(text);
  if (numeric) {
    const [first, second, inCentury] = numeric.slice(1).map(Number) as [number, number, number];
    const full = inCentury < 100 ? 2_000 + inCentury : inCentury;
    return second > 12 ? `${second} ${first} ${full}` : `${first} ${second} ${full}`;
  }
  const month = MONTHS.findIndex((name) => text.includes(name.slice(0, 3))) + 1;
  const year = /\b\d{4}\b/.exec(text)?.[0] ?? "";
  const day = /(?<!\d)\d{1,2}(?!\d)/.exec(text.replace(year, ""))?.[0] ?? "";
  return `${day} ${month} ${year}`;
}
