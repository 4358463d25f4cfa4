// Attributes that a measure states: kilograms answer `how heavy`, an amount of money `the fare`. For words of a question
// that a text answers with a value instead of a word. It knows neither questions nor evidence.

import { stem } from "./terms.ts";
import { NUMBER_WORDS } from "./values.ts";

const NUMBER = `(?:\\d|\\b(?:${NUMBER_WORDS}|hundred)\\b)`;
const behind = (units: string) => new RegExp(`${NUMBER}[\\s-]?(?:${units})(?![\\p{L}\\p{N}])`, "iu");

const LENGTH =
  "mm|cm|dm|m|km|metres?|meters?|(?:milli|centi|kilo)met(?:re|er)s?|inch(?:es)?|feet|foot|ft|yards?|miles?|nm|µm";
const AREA = "m²|km²|m2|sqm|square \\p{L}+|hectares?|ha|acres?";
const BYTES = "bytes?|[kmgt]i?b|(?:kilo|mega|giga|tera)bytes?";
const VOLUME = "l|ml|cl|lit(?:re|er)s?|gallons?|pints?|m³|cubic \\p{L}+";

const ATTRIBUTES: [words: string, value: RegExp][] = [
  ["temperature hot cold warm", behind("°\\s?[cf]?|degrees?|k|celsius|fahrenheit")],
  [
    "weight weigh heavy mass",
    behind("kg|g|mg|t|lbs?|oz|grams?|kilos?|kilograms?|tonnes?|tons?|pounds?|ounces?|stone"),
  ],
  ["length height tall depth deep width wide diameter thick thickness distance far radius", behind(LENGTH)],
  [
    "size large big",
    behind(
      `${LENGTH}|${AREA}|${BYTES}|${VOLUME}|x \\d+|(?:\\p{L}+ )?(?:people|members|employees|pages)|\\p{L}+s wide`,
    ),
  ],
  ["area", behind(AREA)],
  ["volume", behind(VOLUME)],
  ["speed", behind("km/h|m/s|mph|knots?|rpm|kilomet(?:re|er)s (?:per|an) hour|[kmg]?bits?/s|[kmg]i?b/s")],
  ["torque", behind("nm|n·m|newton met(?:re|er)s?|lb-?ft")],
  ["voltage volt", behind("v|kv|mv|volts?")],
  ["power wattage", behind("w|kw|mw|watts?|hp|horsepower")],
  ["pressure", behind("bar|mbar|pa|kpa|mpa|hpa|psi")],
  ["loud loudness noise", behind("db|decibels?")],
  [
    "percentage percent proportion share fraction",
    new RegExp(`${NUMBER}\\s?(?:%|per ?cent)|\\b(?:half|third|quarter)\\b`, "iu"),
  ],
  [
    "age old",
    /\b(?:under|over|from|aged?|of|least|than|turn(?:s|ed)?) \d{1,2}\b|\d[\s-]?years?[\s-]old\b|\bborn\b/i,
  ],
  [
    "capacity",
    new RegExp(
      `\\b(?:holds?|seats?|fits?|takes?|stores?|carries|room for|space for)\\b.*${NUMBER}|${behind(`${BYTES}|${VOLUME}|m?ah`).source}`,
      "iu",
    ),
  ],
  ["memory ram", behind(BYTES)],
  [
    "price cost fee fare charge sum expensive pay worth",
    new RegExp(
      `[€$£¥]\\s?\\d|${NUMBER}\\s?(?:[€$£¥]|(?:million |thousand |billion )?(?:euros?|dollars?|pounds?|cents?|pence|francs?|eur|usd|gbp|chf)\\b)`,
      "iu",
    ),
  ],
];

const BY_STEM = new Map(
  ATTRIBUTES.flatMap(([words, value]) => words.split(" ").map((word) => [stem(word), value] as const)),
);

/** Whether a text contains a value of the attribute that a word (given by its stem) names; undefined if it names none. */
export function statesAttribute(word: string, text: string): boolean | undefined {
  return BY_STEM.get(word)?.test(text);
}
