// How well a unit of evidence answers a part of the question: nearness of meaning, the part's words that it covers, and
// whether it holds the kind of thing that was asked for. It decides nothing.

import { tellsAttribute } from "./attributes.ts";
import type { AnswerType, QuestionPart, QuestionTerm } from "./question.ts";
import { stem, stemsOf, termsOf } from "./terms.ts";
import type { Evidence, Unit } from "./units.ts";
import { type Value, valuesOf } from "./values.ts";

/** Nearness of two words of meaning, 0 to 1; 1 for the same stem. */
export type WordLikeness = (stemA: string, stemB: string) => number;

/** A unit with all that is looked up in it again and again. */
export interface IndexedUnit extends Unit {
  stems: Set<string>;
  leadStems: Set<string>;
  /** Of a row's headers. */
  headerStems: Set<string>;
  /** Of the headings and the document's title. */
  placeStems: Set<string>;
  /** Of the unit before it, where it leans back on that. */
  nearStems: Set<string>;
  /** Of the whole chunk. */
  chunkStems: Set<string>;
  values: Value[];
  /** Of the innermost heading: the version or the day under which a note stands. */
  headingValues: Value[];
}

export interface Coverage {
  term: QuestionTerm;
  /** Weight after how rare the word is among the evidence. */
  weight: number;
  /** How surely the unit speaks of it, 0 to 1. */
  share: number;
  /** Whether a header of the unit's table holds it. */
  inHeader: boolean;
  /** Whether only headings or the title hold it. */
  inPlace: boolean;
}

export interface Score {
  unit: IndexedUnit;
  total: number;
  /** Cosine of the unit alone and the part as it was asked; 0 where that was not looked at. */
  alone: number;
  /** The same of what is searched for and the unit under its title and heading. */
  inPlace: number;
  /** Weighted share of the part's own words that it covers. */
  coverage: number;
  /** Whether it holds the kind of thing asked for: 1 yes, 0 no, 0.5 where that can't be seen. */
  agreement: number;
  covered: Coverage[];
}

export function indexUnits(units: readonly Unit[], evidence: readonly Evidence[]): IndexedUnit[] {
  const own = units.map((unit) => stemsOf(unit.plain));
  const leads = units.map((unit) => stemsOf(unit.lead));
  const places = evidence.map(({ title, path }) => stemsOf(`${title}\n${path.join("\n")}`));
  const headings = evidence.map(({ path }) => valuesOf(path.at(-1) ?? ""));
  const chunks = evidence.map(() => new Set<string>());
  for (const [i, unit] of units.entries())
    for (const stem of [...own[i]!, ...leads[i]!]) chunks[unit.chunk]!.add(stem);
  return units.map((unit, i) => {
    const near = leansBack(unit) && units[i - 1]?.chunk === unit.chunk ? own[i - 1]! : new Set<string>();
    return {
      ...unit,
      stems: own[i]!,
      leadStems: leads[i]!,
      headerStems: stemsOf((unit.cells ?? []).map(({ header }) => header).join("\n")),
      placeStems: places[unit.chunk]!,
      nearStems: near,
      chunkStems: chunks[unit.chunk]!,
      values: valuesOf(unit.plain),
      headingValues: headings[unit.chunk]!,
    };
  });
}

const LEANS_BACK =
  /^(?:it|its|they|their|this|that|these|those|he|she|his|her|both|such|then|there|otherwise|so|(?:all|each|every one|most|none|one|some) of (?:them|these|those)|the (?:former|latter|same))\b|^(?:after|at|before|during|for|from|if|in|on|over|since|under|until|when|with|without) [^,.;:]{1,40},? (?:it|they|he|she) /i;

/** Whether a unit speaks of what the one before it named. */
export const leansBack = ({ kind, plain }: Unit) => kind === "sentence" && LEANS_BACK.test(plain);

/** How rare words are among the texts near to a question: 1 in none of them, LEAST_RARITY in all. By stem. */
export type Rarity = ReadonlyMap<string, number>;

/** A word that stands in most of what is near to the question tells little. */
export function rarityOf(parts: readonly QuestionPart[], near: readonly ReadonlySet<string>[]): Rarity {
  const most = Math.log(1 + near.length);
  const rarity = new Map<string, number>();
  for (const { stem: word } of parts.flatMap(({ terms, inherited }) => [...terms, ...inherited])) {
    const holding = near.filter((stems) => stems.has(word)).length;
    rarity.set(word, Math.max(LEAST_RARITY, most === 0 ? 1 : 1 - Math.log(1 + holding) / most));
  }
  return rarity;
}

/** What hangs on each word, by its part in the question and its rarity. */
export function weightsOf(terms: readonly QuestionTerm[], rarity: Rarity): number[] {
  return terms.map(({ stem: word, weight }) => weight * (rarity.get(word) ?? 1));
}
const LEAST_RARITY = 0.25;

/** What of the words a unit covers, in itself, in what introduces it, in its headings, or next to it. */
export function coverageOf(
  terms: readonly QuestionTerm[],
  weights: readonly number[],
  unit: IndexedUnit,
  likeness: WordLikeness,
): Coverage[] {
  return terms.map((term, i) => ({
    term,
    weight: weights[i]!,
    share: shareOf(term, unit, likeness),
    inHeader: unit.headerStems.has(term.stem),
    inPlace: !unit.stems.has(term.stem) && unit.placeStems.has(term.stem),
  }));
}

/** A word of the chunk, said of something else perhaps. A name there is enough for its chunk to be about it. */
const IN_CHUNK = 0.35;

/** `14.5 kg` speaks of the weight. */
const BY_VALUE = 0.8;

function shareOf({ stem, isExact }: QuestionTerm, unit: IndexedUnit, likeness: WordLikeness): number {
  if (unit.stems.has(stem)) return 1;
  if (unit.leadStems.has(stem)) return 0.95;
  if (unit.placeStems.has(stem)) return 0.9;
  if (!isExact && tellsAttribute(stem, unit.plain)) return BY_VALUE;
  // What another row or item speaks of is not what this one does.
  const isOneOfMany = unit.kind === "row" || unit.kind === "item";
  const near = unit.nearStems.has(stem) ? 0.8 : !isOneOfMany && unit.chunkStems.has(stem) ? IN_CHUNK : 0;
  if (isExact) return near;
  let soft = 0;
  for (const other of unit.stems) soft = Math.max(soft, likeness(stem, other));
  for (const other of unit.leadStems) soft = Math.max(soft, likeness(stem, other));
  for (const other of unit.placeStems) soft = Math.max(soft, 0.9 * likeness(stem, other));
  return Math.max(near, soft);
}

export const shareCovered = (covered: readonly Coverage[]): number => {
  const whole = covered.reduce((sum, { weight }) => sum + weight, 0);
  return whole === 0 ? 0 : covered.reduce((sum, { weight, share }) => sum + weight * share, 0) / whole;
};

/** A measure that was asked for may be told without its unit. */
const NOT_BY_MEASURE = 0.3;

const has = (values: Value[], ...kinds: Value["kind"][]) => values.some(({ kind }) => kinds.includes(kind));
const FREE =
  /\b(?:free(?: of charge)?|no (?:extra )?(?:charge|cost|fee)|without charge|gratis|at no cost)\b/i;
const OFTEN =
  /\b(?:every|each|per|once|twice|thrice|daily|hourly|weekly|monthly|yearly|annually|annual|quarterly|nightly|always|never|continuously|interval|regularly|times an? )\b/i;
const ASKS_FOR_DATE = /\b(?:what|which) (?:year|date|day|month)\b|\bdates?\b/i;
const MOMENT =
  /\b(?:today|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|spring|summer|autumn|winter|morning|evening|night|when|whenever|before|after|once|as soon as|until|during|within|by|every|daily|weekly|monthly|at the|as long as|if|january|february|march|april|may|june|july|august|september|october|november|december)\b/i;
const CAUSE =
  /\b(?:because|since|due to|owing to|therefore|thus|so that|reasons?|caused?|led to|after|in order to|to avoid|to protect|as a result|otherwise|had been|result(?:ed|s)?)\b/i;
const PURPOSE = /\bto (?!the\b|an?\b|our\b|your\b|\p{Lu})\p{L}{2,} (?:the|an?|its|his|her|their|our)\b/u;
/** What happened once is told with its year, what happens every year without one. */
const IS_PAST = /^when (?:did|was|were)\b/i;
const YEAR = /\b(?:1[5-9]|20)\d{2}\b/;
const SOME_TIME =
  /\b(?:until|forever|indefinitely|immediately|at once|permanent(?:ly)?|(?:an?|one|the same) (?:second|minute|hour|day|night|week|month|quarter|year))\b/i;
const ORDINAL_DAY =
  /\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th)) (?:[a-z]+ )?(?:day|week|month|quarter|year)\b/i;
const QUANTITY = /\b(?:no|none|all|both|single|double|half|several|unlimited|pair|dozen)\b/gi;

const TIME =
  /\b(?:milliseconds?|ms|seconds?|minutes?|min|hours?|days?|weeks?|months?|years?|duration|period|interval|time|timeout)\b/i;
const PRICE =
  /\b(?:price|cost|fee|fare|rate|charge|amount|salary|budget|total|eur|euros?|usd|dollars?|gbp|pounds?)s?\b|[€$£¥]/i;
/** A price column, or an amount as only prices are written: `62.00`. */
const hasPriceColumn = ({ cells = [] }: IndexedUnit) =>
  cells.some(
    ({ header, value }) => (PRICE.test(header) && /\d/.test(value)) || /^\d{1,6}[.,]\d{2}$/.test(value),
  );

/** What a unit leaves to its heading to say, where that says it. */
const HEADING_KINDS: Partial<Record<AnswerType, Value["kind"][]>> = {
  date: ["date", "year"],
  version: ["version", "number"],
};
const BY_HEADING = 0.7;

/** Whether only the heading of a unit tells what a part asks for: the heading is a part of the answer then. */
export function isToldByHeading(
  { type }: QuestionPart,
  { kind, values, headingValues }: IndexedUnit,
): boolean {
  const kinds = HEADING_KINDS[type];
  return kinds !== undefined && kind !== "heading" && !has(values, ...kinds) && has(headingValues, ...kinds);
}

/** Whether a unit holds the kind of thing that a part asks for. */
export function agreementOf(part: QuestionPart, unit: IndexedUnit, likeness: WordLikeness): number {
  const { type, asked, text, search } = part;
  const { values, plain, kind } = unit;
  const held = (yes: boolean) => (yes ? 1 : 0);
  switch (type) {
    case "money":
      return has(values, "money") || hasPriceColumn(unit) ? 1 : FREE.test(plain) ? 0.6 : 0;
    case "contact":
      return held(/\S@\S+\.\S|https?:\/\/|\bwww\.|(?:\+|\b)\d[\d ()/.-]{4,}\d\b|\bextension \d/i.test(plain));
    case "time":
      return held(
        has(values, "time") ||
          /\b(?:noon|midnight|sunrise|sunset|always|never|closed|around the clock)\b/i.test(plain),
      );
    case "count":
      if (/^(?:\S+ ){0,2}how many\b/i.test(text) && !counts(asked, unit, likeness)) return 0;
      if (tellsAsked(text, plain, unit.headerStems) === false) return NOT_BY_MEASURE;
      return held(
        has(
          values.filter((value) => !isRepeated(value, plain, search)),
          ...(["number", "measure", "percent", "duration", "money"] as const),
        ) || plain.search(QUANTITY) >= 0,
      );
    case "duration":
      return has(values, "duration")
        ? 1
        : ORDINAL_DAY.test(plain)
          ? 0.9
          : SOME_TIME.test(plain)
            ? 0.6
            : kind === "row" && has(values, "number") && TIME.test(plain)
              ? 0.7
              : 0;
    case "frequency":
      return held(OFTEN.test(plain));
    case "date":
      if (isToldByHeading(part, unit)) return BY_HEADING;
      if (has(values, "date", "year", "time") || ORDINAL_DAY.test(plain))
        return IS_PAST.test(text) && !has(values, "time") && !YEAR.test(plain) ? 0.7 : 1;
      return !ASKS_FOR_DATE.test(text) && (has(values, "duration") || MOMENT.test(plain)) ? 0.6 : 0;
    case "version":
      return isToldByHeading(part, unit) ? BY_HEADING : held(has(values, "version", "number", "code"));
    case "person":
      return ROLE.test(plain) || namesSomebody(plain, search)
        ? 1
        : /\b(?:we|us|you|company)\b/i.test(plain)
          ? 0.6
          : 0.2;
    case "reason":
      return CAUSE.test(plain) ? 1 : PURPOSE.test(plain) ? 0.6 : 0.3;
    case "procedure":
      return kind === "code" || /`[^`]+`/.test(unit.shown) ? 1 : isImperative(unit) ? 0.8 : 0.4;
    default:
      return 0.5;
  }
}

const ROLE =
  /\b(?:manager|lead|leader|officer|director|head|engineer|author|committee|board|department|chair(?:man|woman|person)?|owners?|representative|president|secretary|teacher|doctor|nurse|members?|everyone|everybody|anyone|nobody|staff|employees?|customers?|users?|tenants?|players?|persons?|people|parents?|guardians?|visitors?|passengers?|landlord|landlady|supplier|either party|physician|council|police|court|brigade|whoever|(?:[a-z]+ ){0,1}team)\b/i;
const NAME = /(?:\b(?:Mrs?|Ms|Dr|Prof|Sir)\.? )?(?<![.!?:;] )(?<!^)\b\p{Lu}[\p{L}'’-]+/gu;

/** Whether a text holds a name that the question does not. */
function namesSomebody(text: string, question: string): boolean {
  const known = stemsOf(question);
  return [...text.matchAll(NAME)].some(([name]) => !known.has(stem(name.replace(/^.* /, ""))));
}

/** A number that the question says itself answers nothing: `HYD 210`. */
const isRepeated = ({ start, end }: Value, plain: string, question: string) =>
  new RegExp(`(?<![\\d.,])${RegExp.escape(plain.slice(start, end).trim())}(?![\\d]|[.,]\\d)`, "i").test(
    question,
  );

/** The attributes that a question asks for by name or by `how …`: those that only one kind of value tells. */
const ASKS_ATTRIBUTE =
  /\bhow (\p{L}+)\b|\b(?:what|which)(?: is| was| are| were)?(?: the| its| their| his| her)? (?:[\p{L}-]+ ){0,3}?(\p{L}+)(?= (?:of|for|in|on|at|is|are|do|does|has|have|can|should)\b|$)|\b(weigh)s?\b/giu;

/**
 * Whether a text, or a header of its table, tells an attribute that a question asks for; undefined where it asks for none.
 */
export function tellsAsked(
  text: string,
  plain: string,
  headerStems: ReadonlySet<string> = new Set(),
): boolean | undefined {
  let asks: boolean | undefined;
  for (const match of text.replace(/[\s?!.]+$/, "").matchAll(ASKS_ATTRIBUTE)) {
    const word = stem(match.slice(1).find((group) => group !== undefined) ?? "");
    const tells = tellsAttribute(word, plain);
    if (tells || (tells !== undefined && headerStems.has(word))) return true;
    asks = tells ?? asks;
  }
  return asks;
}

/** Likeness of the thing counted and the thing asked for. */
const SAME_THING = 0.5;

/** Whether a unit tells a number of what is counted: no number that it tells belongs to something else. */
function counts(asked: readonly string[], unit: IndexedUnit, likeness: WordLikeness): boolean {
  if (unit.kind === "row") return (unit.cells ?? []).some(({ value }) => /^~?\d[\d., ]*$/.test(value));
  if (asked.length === 0) return true;
  const isAsked = (word: string) => asked.some((stem) => stem === word || likeness(stem, word) >= SAME_THING);
  return (
    unit.values.some(({ kind, unit: noun, end }) => {
      if (kind === "year" || kind === "date" || kind === "time" || kind === "code") return false;
      if (kind === "number" && noun === "") return true;
      const behind = termsOf(`x ${noun} ${unit.plain.slice(end, end + 40)}`).slice(0, 6);
      return behind.some(({ stem }) => isAsked(stem));
    }) ||
    [...unit.plain.matchAll(QUANTITY)].some(({ index }) =>
      termsOf(`x ${unit.plain.slice(index, index + 40)}`)
        .slice(0, 4)
        .some(({ stem }) => isAsked(stem)),
    )
  );
}

/** What a type of answer weighs where it is not there: one that shows in the text is all but needed. */
export const needsAgreement = (type: AnswerType) =>
  type === "money" ||
  type === "count" ||
  type === "duration" ||
  type === "frequency" ||
  type === "date" ||
  type === "time" ||
  type === "contact" ||
  type === "version";

/** A sentence that tells the reader what to do begins with a verb: neither a name nor a thing with its article. */
export function isImperative({ plain, kind }: IndexedUnit): boolean {
  return (
    (kind === "item" || kind === "sentence") &&
    /^(?:To [\p{L}\s]+, )?(?:then |first |next |now |please )?(?!(?:the|a|an|this|that|these|it|they|he|she|we|our|your|in|on|at|if|for|there|no|not|all)\b)\p{L}{2,} (?:the|a|an|your|it|down|up|on|off|out|to|and|for|with|every|each|all|any|both|with)\b/iu.test(
      plain,
    )
  );
}
