// How well a unit of evidence answers a part of the question: which of the part's words it covers, and whether it contains
// the kind of thing that was asked for. It decides nothing.

import { statesAttribute } from "./attributes.ts";
import type { AnswerType, QuestionPart, QuestionTerm } from "./question.ts";
import { stem, stemsOf, termsOf } from "./terms.ts";
import type { Evidence, Unit } from "./units.ts";
import { type Value, valuesOf } from "./values.ts";

/** Similarity of meaning of two words, 0 to 1; 1 for the same stem. */
export type WordLikeness = (stemA: string, stemB: string) => number;

/** A unit with everything that is looked up in it repeatedly. */
export interface IndexedUnit extends Unit {
  stems: Set<string>;
  leadStems: Set<string>;
  /** Of a row's headers. */
  headerStems: Set<string>;
  /** Of the headings and the document's title. */
  placeStems: Set<string>;
  /** Of the unit before it, if it refers to that. */
  nearStems: Set<string>;
  /** Of the whole chunk. */
  chunkStems: Set<string>;
  values: Value[];
  /** Of the innermost heading, such as the version or date of a release note. */
  headingValues: Value[];
}

export interface Coverage {
  term: QuestionTerm;
  /** Weight of the term, reduced if the word is common in texts near the question. */
  weight: number;
  /** How likely the unit is about it, 0 to 1. */
  share: number;
  /** Whether a header of the unit's table contains it. */
  inHeader: boolean;
  /** Whether only headings or the title contain it. */
  inPlace: boolean;
}

export interface Score {
  unit: IndexedUnit;
  total: number;
  /** Cosine of the unit alone and the part as it was asked; 0 if not computed. */
  alone: number;
  /** Cosine of the part's search text and the unit with its title and heading. */
  inPlace: number;
  /** Weighted share of the part's own words that it covers. */
  coverage: number;
  /** Whether it contains the kind of thing asked for: 1 yes, 0 no, 0.5 unknown. */
  agreement: number;
  covered: Coverage[];
}

/** Precomputes what scoring looks up in the units. */
export function indexUnits(units: readonly Unit[], evidence: readonly Evidence[]): IndexedUnit[] {
  const own = units.map((unit) => stemsOf(unit.plain));
  const leads = units.map((unit) => stemsOf(unit.lead));
  const places = evidence.map(({ title, path }) => stemsOf(`${title}\n${path.join("\n")}`));
  const headings = evidence.map(({ path }) => valuesOf(path.at(-1) ?? ""));
  const chunks = evidence.map(() => new Set<string>());
  for (const [i, unit] of units.entries())
    for (const stem of [...own[i]!, ...leads[i]!]) chunks[unit.chunk]!.add(stem);
  return units.map((unit, i) => {
    const near =
      refersToPrevious(unit) && units[i - 1]?.chunk === unit.chunk ? own[i - 1]! : new Set<string>();
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

const REFERS_BACK =
  /^(?:it|its|they|their|this|that|these|those|he|she|his|her|both|such|then|there|otherwise|so|(?:all|each|every one|most|none|one|some) of (?:them|these|those)|the (?:former|latter|same))\b|^(?:after|at|before|during|for|from|if|in|on|over|since|under|until|when|with|without) [^,.;:]{1,40},? (?:it|they|he|she) /i;

/** Whether a unit refers to the one before it, as `It costs 4 euros` does. */
export const refersToPrevious = ({ kind, plain }: Unit) => kind === "sentence" && REFERS_BACK.test(plain);

/** How rare words are in the texts near a question, by stem: 1 if in none of them, MIN_RARITY if in all. */
export type Rarity = ReadonlyMap<string, number>;

/** The rarity of the parts' words; `near` are the stems of the texts near the question. */
export function rarityOf(parts: readonly QuestionPart[], near: readonly ReadonlySet<string>[]): Rarity {
  const max = Math.log(1 + near.length);
  const rarity = new Map<string, number>();
  for (const { stem: word } of parts.flatMap(({ terms, inherited }) => [...terms, ...inherited])) {
    const containing = near.filter((stems) => stems.has(word)).length;
    rarity.set(word, Math.max(MIN_RARITY, max === 0 ? 1 : 1 - Math.log(1 + containing) / max));
  }
  return rarity;
}

const MIN_RARITY = 0.25;

/** A term with its weight for one question. */
type WeightedTerm = Pick<Coverage, "term" | "weight">;

/** The importance of each term, by its weight in the question and its rarity. */
export function weighTerms(terms: readonly QuestionTerm[], rarity: Rarity): WeightedTerm[] {
  return terms.map((term) => ({ term, weight: term.weight * (rarity.get(term.stem) ?? 1) }));
}

/** Which of the terms a unit covers, itself, by its introduction, by its headings, or by its neighbours. */
export function coverageOf(
  terms: readonly WeightedTerm[],
  unit: IndexedUnit,
  likeness: WordLikeness,
): Coverage[] {
  return terms.map(({ term, weight }) => ({
    term,
    weight,
    share: shareOf(term, unit, likeness),
    inHeader: unit.headerStems.has(term.stem),
    inPlace: !unit.stems.has(term.stem) && unit.placeStems.has(term.stem),
  }));
}

/** A word elsewhere in the chunk, which may be about something else. */
const IN_CHUNK = 0.35;

/** `14.5 kg` is about the weight. */
const BY_VALUE = 0.8;

function shareOf({ stem, isExact }: QuestionTerm, unit: IndexedUnit, likeness: WordLikeness): number {
  if (unit.stems.has(stem)) return 1;
  if (unit.leadStems.has(stem)) return 0.95;
  if (unit.placeStems.has(stem)) return 0.9;
  if (!isExact && statesAttribute(stem, unit.plain)) return BY_VALUE;
  // Other rows or items are about other things.
  const isOneOfMany = unit.kind === "row" || unit.kind === "item";
  const near = unit.nearStems.has(stem) ? 0.8 : !isOneOfMany && unit.chunkStems.has(stem) ? IN_CHUNK : 0;
  if (isExact) return near;
  let soft = 0;
  for (const other of unit.stems) soft = Math.max(soft, likeness(stem, other));
  for (const other of unit.leadStems) soft = Math.max(soft, likeness(stem, other));
  for (const other of unit.placeStems) soft = Math.max(soft, 0.9 * likeness(stem, other));
  return Math.max(near, soft);
}

/** Weighted share of the terms that are covered, 0 to 1. */
export const shareCovered = (covered: readonly Coverage[]): number => {
  const whole = covered.reduce((sum, { weight }) => sum + weight, 0);
  return whole === 0 ? 0 : covered.reduce((sum, { weight, share }) => sum + weight * share, 0) / whole;
};

/** Agreement of a unit without the measure asked for: a number may be written without its unit. */
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
/** A past event needs its year, a yearly one does not. */
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

/** The kinds of values that a heading may state for the units below it. */
const HEADING_KINDS: Partial<Record<AnswerType, Value["kind"][]>> = {
  date: ["date", "year"],
  version: ["version", "number"],
};
const BY_HEADING = 0.7;

/** Whether only the heading of a unit contains the value that a part asks for, so that it belongs to the answer. */
export function isAnsweredByHeading(
  { type }: QuestionPart,
  { kind, values, headingValues }: IndexedUnit,
): boolean {
  const kinds = HEADING_KINDS[type];
  return kinds !== undefined && kind !== "heading" && !has(values, ...kinds) && has(headingValues, ...kinds);
}

/** Whether a unit contains the kind of thing that a part asks for, 0 to 1; see Score.agreement. */
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
      if (statesAskedAttribute(text, plain, unit.headerStems) === false) return NOT_BY_MEASURE;
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
      if (isAnsweredByHeading(part, unit)) return BY_HEADING;
      if (has(values, "date", "year", "time") || ORDINAL_DAY.test(plain))
        return IS_PAST.test(text) && !has(values, "time") && !YEAR.test(plain) ? 0.7 : 1;
      return !ASKS_FOR_DATE.test(text) && (has(values, "duration") || MOMENT.test(plain)) ? 0.6 : 0;
    case "version":
      return isAnsweredByHeading(part, unit) ? BY_HEADING : held(has(values, "version", "number", "code"));
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

/** Whether a text contains a name that the question does not. */
function namesSomebody(text: string, question: string): boolean {
  const known = stemsOf(question);
  return [...text.matchAll(NAME)].some(([name]) => !known.has(stem(name.replace(/^.* /, ""))));
}

/** Whether a value is in the question itself, such as `HYD 210`, and so does not answer it. */
const isRepeated = ({ start, end }: Value, plain: string, question: string) =>
  new RegExp(`(?<![\\d.,])${RegExp.escape(plain.slice(start, end).trim())}(?![\\d]|[.,]\\d)`, "i").test(
    question,
  );

/** A question that asks for an attribute by name or by `how …`. */
const ASKS_ATTRIBUTE =
  /\bhow (\p{L}+)\b|\b(?:what|which)(?: is| was| are| were)?(?: the| its| their| his| her)? (?:[\p{L}-]+ ){0,3}?(\p{L}+)(?= (?:of|for|in|on|at|is|are|do|does|has|have|can|should)\b|$)|\b(weigh)s?\b/giu;

/**
 * Whether a text, or a header of its table, states an attribute that a question asks for, as `4 kg` states a weight;
 * undefined if the question asks for none.
 */
export function statesAskedAttribute(
  text: string,
  plain: string,
  headerStems: ReadonlySet<string> = new Set(),
): boolean | undefined {
  let asked: boolean | undefined;
  for (const match of text.replace(/[\s?!.]+$/, "").matchAll(ASKS_ATTRIBUTE)) {
    const word = stem(match.slice(1).find((group) => group !== undefined) ?? "");
    const states = statesAttribute(word, plain);
    if (states || (states !== undefined && headerStems.has(word))) return true;
    asked = states ?? asked;
  }
  return asked;
}

/** Likeness of the thing counted and the thing asked for. */
const SAME_THING = 0.5;

/** Whether a unit contains a number of the things asked for. */
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

/** Whether answers of a type are recognizable in the text, so that a unit without one hardly answers. */
export const needsAgreement = (type: AnswerType) =>
  type === "money" ||
  type === "count" ||
  type === "duration" ||
  type === "frequency" ||
  type === "date" ||
  type === "time" ||
  type === "contact" ||
  type === "version";

/** Whether a unit tells the reader what to do: it begins with a verb. */
export function isImperative({ plain, kind }: IndexedUnit): boolean {
  return (
    (kind === "item" || kind === "sentence") &&
    /^(?:To [\p{L}\s]+, )?(?:then |first |next |now |please )?(?!(?:the|a|an|this|that|these|it|they|he|she|we|our|your|in|on|at|if|for|there|no|not|all)\b)\p{L}{2,} (?:the|a|an|your|it|down|up|on|off|out|to|and|for|with|every|each|all|any|both|with)\b/iu.test(
      plain,
    )
  );
}
