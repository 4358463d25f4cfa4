// What a question asks to compute from the rows of a table: the row with the most or the least, the rows above or below a
// limit, or a sum. It reads the question and knows no table.

import { AUXILIARY, PREPOSITION } from "./grammar.ts";
import { isDenied } from "./negation.ts";
import { isLightWord, isStopWord, stem, stemsOf, type Term, termsOf } from "./terms.ts";
import { type Unit, unitOf } from "./units.ts";
import { type Value, valuesOf } from "./values.ts";
import { linesOf } from "./word-lists.ts";
import comparisons from "./words/comparisons.txt" with { type: "text" };

/** What an adjective compares: header words (as stems) and sorts, and whether it means the most of them. */
type Adjective = ReadonlyMap<string, boolean>;

/** A condition that rows meet whose value is above or below a limit. */
export interface Limit {
  /** Of a range, the lower one, with the place of both. */
  limit: Value;
  /** The upper one of a range. */
  upTo?: Value;
  compared: Compared;
  isIncluded: boolean;
  /** The noun before it: `groups` in `groups of more than 10`. */
  about: string;
}

export type Operation =
  | { kind: "extreme"; compared: Compared; within: Limit | undefined }
  | ({ kind: "threshold"; asked: string } & Limit)
  | { kind: "sum"; ofAll: boolean };

/**
 * What is compared: by an adjective, or the most or least of what `noun` names, of any column if that is empty. `the highest
 * extra charge` has both.
 */
export interface Compared {
  adjective?: Adjective;
  noun: string;
  /** The verb of `won the most games`, which can name a column, too. */
  done?: string;
  /** Without an adjective: whether the most is meant. With one: whether what it means is. */
  isMost: boolean;
}

const ADJECTIVES = new Map(
  linesOf(comparisons).flatMap((line) => {
    const [forms = "", meanings = ""] = line.split(": ");
    const meant: Adjective = new Map(
      meanings.split("; ").flatMap((meaning) => {
        const [amount, ...words] = meaning.split(" ");
        return words.map((word) => [stem(word), amount === "most"] as const);
      }),
    );
    return forms.split(" ").map((form) => [form, meant] as const);
  }),
);

/** How a column fits a comparison: whether its highest value is asked for, and whether the question's words mean this column. */
export interface Direction {
  isMost: boolean;
  isMeant: boolean;
  /** Also the header says it, not only the sort of the values. */
  isNamed: boolean;
}

const ANY = stem("any");

/** How a comparison is meant for a column; undefined if it says nothing about this column. */
export function directionIn(
  { adjective, noun, done = "", isMost }: Compared,
  { header, sort }: { header: string; sort: string },
): Direction | undefined {
  const words = stemsOf(header);
  if (!adjective) {
    const isNamed = words.has(stem(noun)) || words.has(stem(done));
    const isMeant = isNamed || (noun !== "" && sortOf(noun) === sort);
    return noun + done === "" || isMeant ? { isMost, isMeant, isNamed } : undefined;
  }
  const named = [...words].find((word) => adjective.has(word));
  const known = adjective.get(named ?? stem(sort)) ?? adjective.get(ANY);
  if (known === undefined) return undefined;
  return {
    isMost: known === isMost,
    // The smallest plant is not the one with the smallest `Water per week`.
    isMeant:
      named !== undefined || (adjective.has(stem(sort)) && !(adjective.has(ANY) && /\bper\b/i.test(header))),
    isNamed: named !== undefined,
  };
}

const SORTS = new Map([
  ["money", "money"],
  ["cash", "money"],
  ["time", "duration"],
  ["weight", "mass"],
]);
/** The sort of values that a noun names: `money`, `euros`. */
const sortOf = (noun: string) => SORTS.get(noun.toLowerCase()) ?? unitOf(noun)?.sort;

/** The unit that a question asks for, as written and as a unit: `nights` of `how many nights`. */
export function unitAsked(text: string): { word: string; unit: Unit } | undefined {
  const [, word = ""] = /\bhow (?:much|many)\s*([\p{L}]+)?/iu.exec(text) ?? [];
  const unit = unitOf(word);
  return unit && { word, unit };
}

/** Whether an adjective says nothing about what is compared, as `highest` does. */
export const isOfAny = ({ adjective }: Compared) => adjective?.has(ANY) ?? false;

const SIZE = stem("size");
/** Whether an adjective says how large something is, which is no price: `large`, `small`. */
export const isOfSize = ({ adjective }: Compared) => adjective?.has(SIZE) ?? false;

/** Whether a part asks what something costs. */
export const asksPrice = (text: string) =>
  /\b(?:costs?|come to|pay|prices?|charges?|charged|spend|fees?|how much (?:is|are))\b/i.test(text);

const TOGETHER =
  /\b(?:together|in total|altogether|in all|combined|(?:the |in )?sum|total (?:of|cost|price|number))\b/i;
const WITH_PARTS = /(?<!\b(?:together|altogether|total|in all|combined|get|gets|got)) with\b/i;
/** Whether it is not known if the price of the pegs is part of that of the tent: `a tent with its pegs`. */
export const namesParts = (text: string) => WITH_PARTS.test(text);
const OF_ALL = /\b(?:in total|altogether|in all|the total|all|both)\b/i;
/** A condition that rows are not checked for. */
const EXCLUDES =
  /\b(?:without|except|excluding|other than|apart from|besides|but not|instead of|leaving out|others?|the rest|remaining|(?:not|no) (?:counting|including))\b/i;
/** `No more than 3 kg` is a limit. */
const DENIED_LIMIT =
  /(?:\b(?:not?|never|cannot)\b|\p{L}+n['’]t\b)(?:\s+\p{L}+){0,2}?\s+(?:over|above|under|below|exceed(?:s|ing)?|(?:more|less|fewer|\p{L}+er)(?:\s+\p{L}+)?\s+than)\b/giu;
/** Whether a question says what not to count: `without breakfast`, `not free`. */
export const excludesSome = (text: string) =>
  EXCLUDES.test(text) || isDenied(text.replace(DENIED_LIMIT, " "));
/** `What is the fee for children under 12` asks for no rows. */
const ASKS_ROWS =
  /(?:\b(?:which|what|how many)\s+(?:(?:of|the|our|all)\s+)*(?!(?:is|was|do|does|did|can|could|may|must|should|will|would|has|have|had|if)\b)|^(?:list|name|show|find|give)\s+(?:me\s+)?(?:(?:all|the)\s+)*|\bwho\b(?!\s+(?:may|can|could|must|should|will|would|do|does)\b))((?:[\p{L}-]+ ?){0,3})/iu;

/** What a row must have: `with a balcony`. */
const CONDITION = /\b(?:with|including|having|that (?:has|have|includes?))\b(.*)$/i;

/** Whether a word is a form of an adjective that compares, such as `heavier`. */
export const isComparing = (word: string) => ADJECTIVES.has(word.toLowerCase());

const telling = (text: string) =>
  termsOf(text).filter(
    ({ word }) => !isLightWord(word) && !isComparing(word) && !/^(?:less|least)$/.test(word),
  );

/** The words of a question that every row must have, or that are said of all rows; without those of its `limit`. */
export function conditionOf(text: string, limit?: Value): Term[] {
  const rest = limit ? `${text.slice(0, limit.start)}; ${text.slice(limit.end)}` : text;
  const values = valuesOf(rest).map(({ start, end }) => rest.slice(start, end));
  return [...telling(CONDITION.exec(rest)?.[1] ?? ""), ...termsOf(values.join(" "))];
}

/** The words for the rows that are asked for: `rowing boats`. */
export const rowsAsked = (text: string): Term[] => telling(ASKS_ROWS.exec(text)?.[1] ?? "");

/** The words beside commas, `and` and `with`: what a question lists. */
export const listedIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /([\p{L}-]+)(?=,| and\b| plus\b)|(?:,| and| plus| with)\s+(?:(?:an?|the|one|two|three|\d+)\s+)*(?:\p{L}+ of\s+)?([\p{L}-]+)/giu,
    ),
  ].map(([, before, behind = ""]) => stem(before ?? behind));

/** Whether a question means all things from one to another one: `from January to March`. */
export const namesSpan = (text: string) =>
  /\bfrom\b.+?\b(?:to|until|till|through)\b|\b(?:between|through)\b/i.test(text);

/** The words behind `for`: `for children`. */
export const forWhom = (text: string): string[] =>
  [...text.matchAll(/\bfor\s+(?:(?:an?|the|my|our|all|both)\s+)*(\p{L}[\p{L}-]{2,})/giu)].map(([, word]) =>
    stem(word!),
  );

/** A question without asides such as `(the smallest one)`; those with numbers or conditions belong to it. */
export const withoutAsides = (text: string) =>
  text.replace(/ ?\(([^()\d]*)\)/g, (whole, aside: string) =>
    EXCLUDES.test(aside) || CONDITION.test(aside) ? whole : "",
  );

/** What a part of a question asks to compute; undefined if nothing, or nothing that can be computed for sure. */
export function operationOf(text: string): Operation | undefined {
  if (excludesSome(text)) return undefined;
  const compared = superlativeIn(text);
  const isOfNoun = compared !== undefined && !compared.adjective;
  if (TOGETHER.test(text) && /\b(?:how|what)\b/i.test(text) && !isOfNoun)
    return namesParts(text) ? undefined : { kind: "sum", ofAll: OF_ALL.test(text) };
  const limits = rangeIn(text) ?? valuesOf(text).flatMap((value) => limitAt(text, value));
  if (limits.length > 1) return undefined;
  if (compared)
    return /\b(?:which|what|who(?:se)?|where|how)\b/i.test(text)
      ? { kind: "extreme", compared, within: limits[0] }
      : undefined;
  if (!limits[0]) return undefined;
  const [asked] = ASKS_ROWS.exec(text)?.[1]?.split(" ") ?? [];
  return asked === undefined ? undefined : { kind: "threshold", ...limits[0], asked };
}

const SUPERLATIVE = new RegExp(
  `\\b(?:(?<much>most|least)\\s+(?<base>${[...ADJECTIVES.keys()].join("|")})|(?<form>${[...ADJECTIVES.keys()].filter((form) => form.endsWith("st")).join("|")}))\\b(?!\\s+than\\b)`,
  "iu",
);
/** `The two cheapest` is no single row. */
const OF_SEVERAL = /\b(?:not the|second|third|next|two|three|four|five|\d+)[\s-]+$/i;
const ENDS_NOUN = `(?:${PREPOSITION}|${AUXILIARY}|that|which|who|it|you|we|they|there|i|a|an|the|one|ones|among|and|or|this|last|altogether|together)\\b`;
const NOUN_PHRASE = new RegExp(
  `^(?:\\s+(?:number|amount|quantity|share|sum) of(?: the)?)?((?:\\s+(?!${ENDS_NOUN})[\\p{L}-]+){1,4})`,
  "iu",
);
/** The last word of the phrase that a text begins with; empty if it begins with none. */
const nounAt = (text: string) =>
  NOUN_PHRASE.exec(text)?.[1]
    ?.split(/\s+/)
    .findLast((word) => word !== "" && !isStopWord(word)) ?? "";

const VERB_LAST =
  /(?<=\p{L})\s+(?:cost|charge|weigh|last|take|hold|need|have)\b(?=\W*$|\s+(?:per|for|in|on|to)\b).*/iu;

/** `Costs the most` is what `most expensive` says. */
const VERBS = new Map([
  ["cost", "expensive"],
  ["pay", "expensive"],
  ["charg", "expensive"],
  ["spend", "expensive"],
  ["weigh", "heavy"],
  ["last", "long"],
]);
const VERB_MOST =
  /\b(costs?|pays?|paid|charges?|charged|spends?|spent|weighs?|weighed|lasts?|lasted)\b(?: (?:us|me|you|them|him|her))?(?: by far)? (?:the )?(most|least)(?=\W*$|[,;:]| (?:per|for|in|at|on|to|of|by|when|if|a|an)\b)/i;

function superlativeIn(text: string): Compared | undefined {
  const found = SUPERLATIVE.exec(text);
  if (found && !/\bat (?:the )?$/i.test(text.slice(0, found.index))) {
    const { much = "most", base, form } = found.groups!;
    if (OF_SEVERAL.test(text.slice(0, found.index))) return undefined;
    const adjective = ADJECTIVES.get((base ?? form ?? "").toLowerCase())!;
    const behind = text.slice(found.index + found[0].length);
    // In `what does the largest hall cost`, `cost` is no noun.
    const isVerbLast = /\b(?:do|does|did|will|would)\b/i.test(text.slice(0, found.index));
    const noun = nounAt(isVerbLast ? behind.replace(VERB_LAST, "") : behind);
    return { adjective, noun, isMost: much.toLowerCase() === "most" };
  }
  const [, verb, most = ""] = VERB_MOST.exec(text) ?? [];
  const meant = verb && VERBS.get(stem(verb));
  if (meant) return { adjective: ADJECTIVES.get(meant)!, noun: "", isMost: most.toLowerCase() === "most" };
  const behind = /(\p{L}+)(?: by far)? the (most|fewest|least)\b(?!\s+of\b)/iu.exec(text);
  if (!behind) return undefined;
  const [whole, before = "", amount = ""] = behind;
  const noun = nounAt(text.slice(behind.index + whole.length));
  const done = isStopWord(before) || isLightWord(before) ? "" : before;
  return noun === "" && done === "" ? undefined : { noun, done, isMost: amount.toLowerCase() === "most" };
}

/** Matches adjectives such as `longer`. */
export const COMPARATIVE = [...ADJECTIVES.keys()].filter((form) => form.endsWith("er")).join("|");
const BEFORE_LIMIT = new RegExp(
  "(?:(?<about>\\p{L}+) of\\s+)?(?:\\b(?<not>no|not|never|cannot|\\p{L}+n['’]t)\\b(?:\\s+\\p{L}+){0,2}?\\s+)?" +
    "\\b(?<phrase>at least|(?:an? )?minimum(?: of)?|at most|(?:an? )?maximum(?: of)?|up to|over|above|beyond|exceed(?:s|ing)?|under|below" +
    `|(?<much>more|less|${COMPARATIVE})(?:\\s+(?<what>\\p{L}+))?\\s+than)\\s+(?:an?\\s+|the\\s+)?$`,
  "iu",
);
const BEHIND_LIMIT =
  /^\s*(?:\p{L}+\s+)?(?:(?<more>(?:and|or) (?:more|above|over|up|upwards|older|longer|heavier|higher|larger|later)|upwards)|(?<less>(?:and|or) (?:less|under|below|fewer|younger|shorter|lighter|lower|smaller|cheaper|earlier)))\b/iu;
/** `Up to 14 days before the course` is a time, not a limit of the rows. */
export const IS_TIME = /^\s*(?:before|after|in advance|prior|ago|from now)\b/i;

/** The condition of `between 20 and 50 euros`; undefined if the question has none. */
function rangeIn(text: string): Limit[] | undefined {
  const values = valuesOf(text);
  const index = values.findIndex(
    ({ end }, i) =>
      /\bbetween (?:the )?$/i.test(text.slice(0, values[i]!.start)) &&
      /^\s*and (?:the )?$/i.test(text.slice(end, values[i + 1]?.start)),
  );
  const [low, high] = values.slice(index, index + 2);
  if (index < 0 || !low || !high || low.sort !== high.sort) return undefined;
  const limit = { ...low, noun: high.noun, end: high.end };
  return [{ limit, upTo: high, compared: { noun: "", isMost: true }, isIncluded: true, about: "" }];
}

/** The condition that a value of a question is the limit of; none or one. */
function limitAt(text: string, limit: Value): Limit[] {
  const before = text.slice(0, limit.start);
  const behind = text.slice(limit.end);
  if (IS_TIME.test(behind) || /\b(?:if|when|while|unless|because)\b/i.test(before)) return [];
  const tail = BEHIND_LIMIT.exec(behind)?.groups;
  if (tail)
    return [{ limit, compared: { noun: "", isMost: tail.more !== undefined }, isIncluded: true, about: "" }];
  const {
    about = "",
    not,
    phrase,
    much = "",
    what = "",
  } = BEFORE_LIMIT.exec(`${before.trimEnd()} `)?.groups ?? {};
  if (phrase === undefined) return [];
  const compared = comparedBy(phrase, much.toLowerCase(), what.toLowerCase());
  const isIncluded = /at least|minimum|at most|maximum|up to/i.test(phrase);
  if (not === undefined) return [{ limit, compared, isIncluded, about }];
  return [{ limit, compared: { ...compared, isMost: !compared.isMost }, isIncluded: !isIncluded, about }];
}

/** What an adjective in any of its forms compares; undefined if it is unknown. */
export function comparedByAdjective(form: string): Compared | undefined {
  const adjective = ADJECTIVES.get(form.toLowerCase());
  return adjective && { adjective, noun: "", isMost: true };
}

function comparedBy(phrase: string, much: string, what: string): Compared {
  if (much === "") return { noun: "", isMost: /least|minimum|over|above|beyond|exceed/i.test(phrase) };
  const adjective = ADJECTIVES.get(much);
  if (adjective?.has(ANY)) return { noun: "", isMost: adjective.get(ANY)! };
  if (adjective) return { adjective, noun: "", isMost: true };
  const compared = ADJECTIVES.get(what);
  return compared
    ? { adjective: compared, noun: "", isMost: much === "more" }
    : { noun: what, isMost: much === "more" };
}
