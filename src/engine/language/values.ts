// Finds values in text: amounts with units, money, dates, years, times of day, versions, codes, counted things. Amounts of
// one sort are converted to one unit, so that `120 minutes` and `two hours` are equal. It reads English and knows no question.

import { fold } from "../../kernel/text.ts";
import { linesOf } from "./word-lists.ts";
import units from "./words/units.txt" with { type: "text" };

export interface Value {
  /** What is stated: `money`, `duration` and the other sorts of words/units.txt, `date`, `year`, `time`, `version`, `code` or `number`. */
  sort: string;
  /** The amount in the smallest unit of its sort; NaN if the value is none. */
  amount: number;
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

const UNITS = new Map(
  linesOf(units).flatMap((line) => {
    const [sort = "", factor, ...spellings] = line.split(" ");
    return spellings.map((spelling) => [spelling, { sort, factor: Number(factor) }] as const);
  }),
);
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const MONTH = `(?:${MONTHS.map((month) => `${month}|${month.slice(0, 3)}\\.?`).join("|")}|sept\\.?)`;
const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SCALES: Record<string, number> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  dozen: 12,
  k: 1e3,
};
const WORDS = `(?:${TENS.join("|")})(?:-(?:${SMALL.slice(1, 10).join("|")}))?|${SMALL.slice(1).join("|")}|half an?(?= [a-z])|an?(?= (?:hundred|thousand|million|dozen|day|week|month|year|hour|minute)\\b)`;
const DIGITS = "\\d{1,3}(?:[,\\u202f\\u00a0 ]\\d{3})+(?!\\d)(?:\\.\\d+)?|\\d+(?:[.,]\\d+)?";
const UNIT = [...UNITS.keys()]
  .sort((a, b) => b.length - a.length)
  .map((spelling) => spelling.replace(/[$/]/g, "\\$&"))
  .join("|");
const AMOUNT = new RegExp(
  `(?<currency>[€$£¥]|\\b(?:eur|usd|gbp|chf) )?\\s?(?<number>(?<![\\p{L}\\d.])[-−±]?(?:${DIGITS})|\\b(?:${WORDS})\\b)` +
    `(?:\\s?(?<scale>hundred|thousand|million|billion|dozen|k)\\b)?(?:\\s?(?:to|–|-|and|or)\\s?(?=(?:[\\d.,]+|${WORDS})[\\s-]?(?<later>${UNIT})(?![\\p{L}\\p{N}])))?` +
    `(?:[\\s-]?(?:(?:working|business|calendar|consecutive|full) )?(?<unit>${UNIT})(?![\\p{L}\\p{N}]))?`,
  "giu",
);

const EXACT: [sort: string, RegExp][] = [
  [
    "date",
    new RegExp(
      `\\b\\d{4}-\\d{2}-\\d{2}\\b|\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? \\d{4})?\\b|\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?!\\d)(?:,? \\d{4})?\\b|\\b${MONTH},? \\d{4}\\b|\\b\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}\\b`,
      "giu",
    ),
  ],
  [
    "time",
    /\b\d{1,2}[:.]\d{2} ?[ap]\.?m\b\.?|\b\d{1,2}:\d{2}\b|\b\d{1,2} ?[ap]\.?m\b\.?|\bnoon\b|\bmidnight\b/giu,
  ],
  [
    "version",
    /\bv\d+(?:\.\d+)*(?:[-+][\w.]+)?\b|(?<=\b(?:version|release|firmware)s? )\d+(?:\.\d+)*\b|\b\d+\.\d+\.\d+(?:[-+][\w.]+)?\b/giu,
  ],
  [
    "code",
    /\b(?=[\p{L}\d-]*\d)(?=[\p{L}\d-]*\p{Lu})(?!\d+(?:GB|MB|KB|TB|W|V|L|M|A|H|C)\b)[\p{L}\d]+(?:-[\p{L}\d]+)*\b/gu,
  ],
  ["year", /\b(?:1[5-9]|20)\d{2}\b(?!\s?(?:%|[€$£]|euros?\b))/gu],
];

/** Only the start of a longer text is searched for values. */
const MAX_UNITS = 1_200;
/** A longer run of digits is no amount, and matching it would take quadratic time. */
const ENDLESS_NUMBER = /[\d.,-]{24,}/g;

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
  for (const [sort, pattern] of EXACT) {
    for (const match of text.matchAll(pattern)) {
      // `Nobody under 18 may …` contains no date.
      if (sort === "date" && /\b(?:may|march)\b/.test(match[0])) continue;
      const start = match.index;
      const end = start + match[0].length;
      take({ sort, amount: Number.NaN, key: keyOf(sort, fold(match[0])), noun: "", start, end });
    }
  }
  for (const match of text.matchAll(AMOUNT)) {
    const { currency, number = "", scale, unit, later } = match.groups!;
    const start = match.index + (/^\s*/.exec(match[0])?.[0].length ?? 0);
    // Of `6 to 8 weeks`, the first value ends before `to`.
    const end =
      match.index + match[0].replace(later === undefined ? /\s+$/ : /\s?(?:to|–|-|and|or)\s?$/i, "").length;
    const found = UNITS.get(fold(currency ?? unit ?? later ?? "").trim());
    const amount = numberOf(fold(number)) * (SCALES[fold(scale ?? "")] ?? 1) * (found?.factor ?? 1);
    const sort = found?.sort ?? "number";
    const noun = found ? "" : nounBehind(text.slice(end, end + 40));
    // `one of them` counts nothing.
    if (Number.isNaN(amount) || (sort === "number" && /^\p{L}/u.test(number) && noun === "")) continue;
    take({ sort, amount, key: String(Number(amount.toPrecision(9))), noun, start, end });
  }
  return values.sort((a, b) => a.start - b.start);
}

const nounBehind = (behind: string) =>
  /^\s+(?:(?:different|unused|extra|free|paid|further|more|full|small|large|new) )?(\p{L}{3,})/u.exec(
    behind,
  )?.[1] ?? "";

function numberOf(text: string): number {
  if (/^half/.test(text)) return 0.5;
  if (/^an?$/.test(text)) return 1;
  const [tens = "", ones = ""] = text.split("-");
  const ten = TENS.indexOf(tens);
  if (ten >= 0) return (ten + 2) * 10 + Math.max(0, SMALL.indexOf(ones));
  const small = SMALL.indexOf(text);
  if (small >= 0) return small;
  const digits = text
    .replace(/(?<=\d)[,\u202f\u00a0 ](?=\d{3}(?!\d))/g, "")
    .replace(/[−±]/, (sign) => (sign === "−" ? "-" : ""));
  return Number(digits.replace(",", "."));
}

/** Equal, or one a less exact form of the other: `September 2026` and `30 September 2026`. */
export function canBeEqual(x: Value, y: Value): boolean {
  const isBare = ({ sort, noun }: Value) => sort === "number" && noun === "";
  if (x.sort !== y.sort && !isBare(x) && !isBare(y)) return false;
  if (x.key === y.key || x.amount === y.amount) return true;
  if (x.sort !== "date" || y.sort !== "date") return false;
  const [one, other] = [x.key.split(" "), y.key.split(" ")];
  return one.every((part, i) => part === "" || other[i] === "" || part === other[i]);
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
  return `${(Number(hour) % 12) + (half === "p" || (half === undefined && Number(hour) >= 12) ? 12 : 0)}:${minute}`;
}

/** Day, month and year as numbers; what is not stated is empty. */
function plainDate(text: string): string {
  const iso = /(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (iso) return `${Number(iso[3])} ${Number(iso[2])} ${iso[1]}`;
  const month = MONTHS.findIndex((name) => text.includes(name.slice(0, 3))) + 1;
  if (month === 0) return text;
  const year = /\b\d{4}\b/.exec(text)?.[0] ?? "";
  const day = /(?<!\d)\d{1,2}(?!\d)/.exec(text.replace(year, ""))?.[0] ?? "";
  return `${day} ${month} ${year}`;
}
