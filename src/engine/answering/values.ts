// Finds values in text: amounts with units, money, dates, years, times of day, versions. For questions that ask for one and
// statements that disagree in one. It reads English and common notations and knows no question.

import { fold } from "../../kernel/text.ts";

export type ValueKind =
  | "money"
  | "percent"
  | "duration"
  | "measure"
  | "date"
  | "year"
  | "time"
  | "version"
  | "code"
  | "number";

export interface Value {
  kind: ValueKind;
  /** What is measured or counted, in the singular: `day`, `€`, `mm`, the noun after a bare number; "" if none. */
  unit: string;
  /** Normalized, so that equal values are equal strings. */
  value: string;
  /** Offsets in the text in UTF-16 units, `end` exclusive. */
  start: number;
  end: number;
}

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const MONTH = `(?:${MONTHS.map((month) => `${month}|${month.slice(0, 3)}\\.?`).join("|")}|sept\\.?)`;
const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
/** Source of a regular expression for numbers in words: `three`, `eighty-one`, `half a dozen`. */
export const NUMBER_WORDS = `(?:(?:${TENS.join("|")})(?:-(?:${SMALL.slice(1, 10).join("|")}))?|${SMALL.slice(1).join("|")}|half an?|an?(?= (?:hundred|thousand|million|dozen)))(?: (?:hundred|thousand|million|billion|dozen))?`;
const DIGITS = "[-−+±]?\\d{1,3}(?:[,   ]\\d{3})+(?:\\.\\d+)?|[-−+±]?\\d+(?:[.,]\\d+)?";
const NUMBER = `(?:${DIGITS}|\\b(?:${NUMBER_WORDS})\\b)`;
const SCALE = "(?: ?(?:hundred|thousand|million|billion|k|m|bn)\\b)?";
const CURRENCY =
  "euros?|eur|dollars?|usd|us\\$|pounds?|gbp|cents?|pence|francs?|chf|yen|jpy|kroner|kronor|crowns?|rupees?|€|\\$|£|¥";
const TIME_UNIT =
  "(?:working |business |calendar )?(?:milliseconds?|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|months?|quarters?|years?|decades?|ms|s|h)";
const MEASURE =
  "%|per ?cent|percent|°\\s?[cf]?|mm|cm|km|m|metres?|meters?|kilomet(?:re|er)s?|millimet(?:re|er)s?|centimet(?:re|er)s?|inch(?:es)?|feet|foot|miles?|kg|g|mg|grams?|kilograms?|tonnes?|tons?|l|ml|lit(?:re|er)s?|nm|n|kn|pa|kpa|mpa|h?bar|mbar|psi|v|kv|mv|volts?|a|ma|amps?|w|kw|mw|watts?|k?wh|mah|ah|hz|khz|mhz|ghz|db|bytes?|kb|mb|gb|tb|kib|mib|gib|tib|bits?|kbit/s|mbit/s|ntu|ppm|rpm|degrees?";

const PATTERNS: [ValueKind, RegExp][] = [
  [
    "date",
    new RegExp(
      `\\b\\d{4}-\\d{2}-\\d{2}\\b|\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? \\d{4})?\\b|\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?!\\d)(?:,? \\d{4})?\\b|\\b${MONTH},? \\d{4}\\b|\\b\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}\\b`,
      "giu",
    ),
  ],
  [
    "time",
    /\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?|\b\d{1,2}(?:\.\d{2})? ?[ap]\.?m\b\.?|\bnoon\b|\bmidnight\b/giu,
  ],
  [
    "version",
    /\bv\d+(?:\.\d+)*(?:[-+][\w.]+)?\b|(?<=\b(?:version|release|firmware)s? )\d+(?:\.\d+)*(?:[-+][a-z][\w.]*)?\b|\b\d+\.\d+\.\d+(?:[-+][\w.]+)?\b/giu,
  ],
  [
    "money",
    new RegExp(
      `(?:${CURRENCY})\\s?(?:${DIGITS})${SCALE}|${NUMBER}${SCALE}\\s?(?:${CURRENCY})(?![\\p{L}])`,
      "giu",
    ),
  ],
  ["percent", new RegExp(`${NUMBER}\\s?(?:%|per ?cent\\b|percentage points?\\b)`, "giu")],
  ["duration", new RegExp(`${NUMBER}[\\s-]?${TIME_UNIT}\\b`, "giu")],
  [
    "measure",
    new RegExp(
      `${NUMBER}(?:\\s?(?:to|–|-|and)\\s?${NUMBER})?${SCALE}[\\s-]?(?:${MEASURE})(?![\\p{L}\\p{N}])`,
      "giu",
    ),
  ],
  ["code", /\b(?=[\p{L}\d-]*\d)(?=[\p{L}\d-]*\p{Lu})[\p{L}\d]+(?:-[\p{L}\d]+)*\b/gu],
  ["year", /\b(?:1[5-9]|20)\d{2}\b/gu],
  ["number", new RegExp(`(?<![\\p{L}\\d.-])(?:${DIGITS})(?![\\d])|\\b(?:${NUMBER_WORDS})\\b`, "giu")],
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
  for (const [kind, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      // `Nobody under 18 may …` contains no date.
      if (kind === "date" && /\b(?:may|march)\b/.test(match[0])) continue;
      if (match[0] === "" || taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      values.push({ kind, ...readValue(kind, match[0], text.slice(end, end + 40)), start, end });
    }
  }
  return values.sort((a, b) => a.start - b.start);
}

function readValue(kind: ValueKind, text: string, behind: string): { unit: string; value: string } {
  const plain = fold(text).replace(/−/g, "-").replace(/ | /g, " ").trim();
  if (kind === "date") return { unit: "", value: plainDate(plain) };
  if (kind === "code" || kind === "version" || kind === "time" || kind === "year")
    return { unit: "", value: plain.replace(/^v(?=\d)|\.$/g, "") };
  const numbers = [...plain.matchAll(new RegExp(NUMBER, "giu"))].map(([number]) => numberOf(number));
  const scale = /hundred|thousand|million|billion|dozen/.exec(plain)?.[0] ?? "";
  const rest = plain
    .replace(new RegExp(NUMBER, "giu"), " ")
    .replace(/\b(?:to|and)\b|[–-]|hundred|thousand|million|billion/g, " ")
    .trim();
  const unit =
    kind === "number" ? nounBehind(behind) : rest.replace(/(?<=\p{L}{2})s$/u, "").replace(/\s+/g, " ");
  return { unit: UNITS[unit] ?? unit, value: `${numbers.join("–")}${scale && ` ${scale}`}` };
}

const UNITS: Record<string, string> = {
  euro: "€",
  eur: "€",
  dollar: "$",
  usd: "$",
  pound: "£",
  gbp: "£",
  percent: "%",
  "per cent": "%",
  min: "minute",
  sec: "second",
  hr: "hour",
  h: "hour",
  metre: "m",
  meter: "m",
  "° c": "°c",
  "°": "°c",
  degree: "°c",
};

function nounBehind(behind: string): string {
  const [, noun = ""] =
    /^\s+(?:\p{L}+ing |unused |extra |free |paid |further |more |full |small |large )?(\p{L}{3,})/u.exec(
      behind,
    ) ?? [];
  return fold(noun).replace(/s$/, "");
}

function numberOf(text: string): string {
  const small = SMALL.indexOf(text);
  if (small > 0) return String(small);
  const [tens, ones] = text.split("-");
  const ten = TENS.indexOf(tens!);
  if (ten >= 0) return String((ten + 2) * 10 + (ones ? SMALL.indexOf(ones) : 0));
  const digits = text.replace(/(?<=\d)[,   ](?=\d{3}(?!\d))/g, "").replace(/^[+]/, "");
  return /^[-±]?\d/.test(digits) ? digits.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "") : digits;
}

function plainDate(text: string): string {
  const iso = /(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (iso) return `${Number(iso[3])} ${Number(iso[2])} ${iso[1]}`;
  const month = MONTHS.findIndex((name) => text.includes(name.slice(0, 3))) + 1;
  if (month === 0) return text;
  const year = /\b\d{4}\b/.exec(text)?.[0] ?? "";
  const day = /(?<!\d)\d{1,2}(?!\d)/.exec(text.replace(year, ""))?.[0] ?? "";
  return `${day} ${month} ${year}`;
}
