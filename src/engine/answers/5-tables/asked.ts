// What a question asks to compute from a table: the row with the most or the least, the rows within a limit, those
// marked with yes or no, a sum, or a difference.

import { AUXILIARY, DETERMINER, PREPOSITION } from "../1-question/grammar.ts";
import { isDenied } from "../../text/negation.ts";
import { isStopWord, stem, stemsOf } from "../../text/terms.ts";
import { type Unit, unitOf } from "../../text/units.ts";
import { type Value, valuesOf } from "../../text/values.ts";
import { linesOf } from "../../text/word-lists.ts";
import comparisons from "../../text/words/comparisons.txt" with { type: "text" };

/**
 * What an adjective compares: words of headers and sorts of values, as stems, and whether it means the most of them.
 */
type Adjective = ReadonlyMap<string, boolean>;

/** What is compared: by an adjective (`heaviest`), or by the amount of a noun (`the most members`). */
export interface Compared {
  adjective?: Adjective;
  noun: string;
  isMost: boolean;
}

/** A limit of the values of a column; `upTo` is the upper end of a range. */
export interface Limit {
  value: Value;
  upTo?: Value;
  compared: Compared;
  isIncluded: boolean;
}

export type Operation =
  | { kind: "extreme"; compared: Compared; limit: Limit | undefined }
  | { kind: "limit"; limit: Limit }
  | { kind: "marked"; isDenied: boolean }
  | { kind: "sum"; ofAll: boolean }
  | { kind: "difference"; sides: [string, string]; compared: Compared | undefined };

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

/** Whether a word is a form of an adjective that compares, such as `heavier`. */
export const isComparing = (word: string) => ADJECTIVES.has(word.toLowerCase());

/** What an adjective in any of its forms compares; undefined if it is unknown. */
function comparedByAdjective(form: string): Compared | undefined {
  const adjective = ADJECTIVES.get(form.toLowerCase());
  return adjective && { adjective, noun: "", isMost: true };
}

const ANY = stem("any");
const SIZE = stem("size");

/**
 * How a comparison is meant for a column: whether it asks for the highest value, and whether its words mean this
 * column.
 */
export interface Direction {
  isMost: boolean;
  isMeant: boolean;
  /** The header says it, not only the sort of the values. */
  isNamed: boolean;
}

/** How a comparison is meant for a column; undefined if it says nothing about this column. */
export function directionIn(
  { adjective, noun, isMost }: Compared,
  { header, sort }: { header: string; sort: string },
): Direction | undefined {
  const words = stemsOf(header);
  if (!adjective) {
    const isNamed = words.has(stem(noun));
    const isMeant = isNamed || (noun !== "" && unitOf(noun)?.sort === sort);
    return noun === "" || isMeant ? { isMost, isMeant, isNamed } : undefined;
  }
  // `What does the largest room cost` compares no prices.
  if (adjective.has(SIZE) && sort === "money") return undefined;
  const named = [...words].find((word) => adjective.has(word));
  const known = adjective.get(named ?? stem(sort)) ?? adjective.get(ANY);
  if (known === undefined) return undefined;
  const isNamed = named !== undefined;
  return { isMost: known === isMost, isMeant: isNamed || adjective.has(stem(sort)), isNamed };
}

/** The unit that a question asks for: `nights` of `how many nights`. */
export const unitAsked = (text: string): Unit | undefined =>
  unitOf(/\bhow (?:much|many)\s+(\p{L}+)/iu.exec(text)?.[1] ?? "");

/** Whether a text asks what something costs. */
export const asksPrice = (text: string) =>
  /\b(?:costs?|come to|pay|prices?|charges?|charged|spend|fees?|how much (?:is|are))\b/i.test(text);

/** The stems of what a row must have: after a comma, `with`, `in` and the like, `and`, or a comparing word. */
export const conditionsOf = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(CONDITION)].map(([, word]) => stem(word!)));
const CONDITION = new RegExp(
  `(?<=(?:,|\\b(?:with|in|on|during|and|or|(?!interest|test|rest|west|best|guest|forest)\\p{L}{2,}est|most|least))\\s+(?:(?:${DETERMINER})\\s+)*)(?!(?:${DETERMINER}|${PREPOSITION})\\b)([\\p{L}-]{3,})`,
  "giu",
);

/** What not to count, or a part that may have a price of its own: the rows do not say. */
const EXCLUDES =
  /\b(?:without|except|excluding|other than|apart from|besides|but not|instead of|others?|the rest|remaining)\b/i;
const DENIED_LIMIT = /\b(?:no|not) (?=(?:more|less|fewer|\p{L}+er) than\b)/giu;
const TOGETHER = /\b(?:together|in total|altogether|in all|combined|sum|total (?:of|cost|price|number))\b/i;
const OF_ALL = /\b(?:in total|altogether|in all|the total|all|both)\b/i;
/** `Costs the most` says what `most expensive` says. */
const COSTS_MOST = /\b(?:costs?|pays?)(?: me| us)? (?:the )?(most|least)\b(?! of\b)/i;

/** What a question asks to compute; undefined if it asks for no computation. */
export function operationOf(question: string): Operation | undefined {
  const text = question.replace(COSTS_MOST, "is the $1 expensive");
  const denied = isDenied(text.replace(DENIED_LIMIT, " "));
  if (EXCLUDES.test(text) || denied) return markedIn(text, denied);
  const difference = differenceIn(text);
  if (difference) return difference;
  const compared = superlativeIn(text);
  if (TOGETHER.test(text) && (!compared || compared.adjective))
    return { kind: "sum", ofAll: OF_ALL.test(text) };
  const limits = rangeIn(text) ?? valuesOf(text).flatMap((value) => limitAt(text, value));
  if (limits.length > 1) return undefined;
  const [limit] = limits;
  if (compared) return { kind: "extreme", compared, limit };
  if (limit) return ASKS_ROWS.test(text) ? { kind: "limit", limit } : undefined;
  return markedIn(text, denied);
}

/** `Which plans include backups`, `which plants do not need shade`: a column that says yes or no may be meant. */
function markedIn(text: string, isDenied: boolean): Operation | undefined {
  const isPlain = ASKS_MARKED.test(text) && !EXCLUDES.test(text.replace(/\bwithout\b/gi, " "));
  const isCompared = superlativeIn(text) !== undefined || valuesOf(text).length > 0;
  return isPlain && !isCompared ? { kind: "marked", isDenied } : undefined;
}

const ASKS_MARKED =
  /^(?:which|what) (?:of (?:the|our) )?(?!(?:is|was|does|has|do|are|can)\b)\p{L}+\b|^(?:list|name|show|find)\b/iu;

/** The noun for the rows that a question asks for: `tents` of `which tents`. */
export const rowsAsked = (text: string): string =>
  /\b(?:which|what|how many) (?:of (?:the|our) )?(\p{L}+s)\b/iu.exec(text)?.[1] ?? "";

/** `Which tents`, `list the tents`, `who` ask for rows; `what is the fee for children under 12` does not. */
const ASKS_ROWS =
  /\b(?:which|what|how many) (?:of (?:the|our) )?(?!(?:is|was|does|has)\b)\p{L}+s\b|^(?:list|name|show|find)\b|\bwho (?!may|can|could|must|should|will|would|do)/iu;

const SUPERLATIVE = new RegExp(
  `\\b(?:(?<much>most|least)\\s+(?<base>${[...ADJECTIVES.keys()].join("|")})` +
    `|(?<form>${[...ADJECTIVES.keys()].filter((form) => form.endsWith("st")).join("|")}))\\b(?!\\s+than\\b)`,
  "iu",
);
/** `The two cheapest` and `at the highest` ask for something else. */
const NO_EXTREME = /\b(?:at(?: the)?|not the|second|third|next|two|three|four|five|\d+)[\s-]+$/i;
const NOUN_ENDS = `(?:${PREPOSITION}|${AUXILIARY}|that|which|who|it|you|we|they|there|a|an|the|ones?|and|or|this)\\b`;
const NOUN = new RegExp(`^(?:\\s+(?:number|amount) of)?((?:\\s+(?!${NOUN_ENDS})[\\p{L}-]+){1,3})`, "iu");
/** The last word of the noun phrase that a text begins with; empty if it begins with none. */
const nounAt = (text: string) =>
  NOUN.exec(text)?.[1]
    ?.split(/\s+/)
    .findLast((word) => word !== "" && !isStopWord(word)) ?? "";

function superlativeIn(text: string): Compared | undefined {
  const found = SUPERLATIVE.exec(text);
  if (found) {
    if (NO_EXTREME.test(text.slice(0, found.index))) return undefined;
    const { much = "most", base, form = "" } = found.groups!;
    const noun = nounAt(text.slice(found.index + found[0].length));
    return { ...comparedByAdjective(base ?? form)!, noun, isMost: much.toLowerCase() === "most" };
  }
  const counted = /\p{L}+ the (most|fewest|least)\b(?!\s+of\b)/iu.exec(text);
  const noun = counted ? nounAt(text.slice(counted.index + counted[0].length)) : "";
  return noun === "" ? undefined : { noun, isMost: counted![1]!.toLowerCase() === "most" };
}

const COMPARATIVE = [...ADJECTIVES.keys()].filter((form) => form.endsWith("er")).join("|");
const BEFORE_LIMIT = new RegExp(
  "\\b(?:(?<least>at least|minimum of)|(?<most>at most|maximum of|up to)|(?:(?<not>no|not) )?" +
    `(?:(?<above>over|above|exceed(?:s|ing)?|more than)|under|below|less than|fewer than|(?<form>${COMPARATIVE}) than))\\s+$`,
  "i",
);
const BEHIND_LIMIT =
  /^\s*(?:\p{L}+\s+)?(?:and|or) (?:(?<more>more|above|over|older)|less|under|below|fewer|younger)\b/iu;
/** `Up to 14 days before the course` is a time, not a limit of rows. */
const IS_TIME = /^\s*(?:before|after|in advance|prior|ago|from now)\b/i;

/** The condition that a value of a question is the limit of; none or one. */
function limitAt(text: string, value: Value): Limit[] {
  const [before, after] = [text.slice(0, value.start), text.slice(value.end)];
  if (IS_TIME.test(after) || /\b(?:if|when|while|unless|because)\b/i.test(before)) return [];
  const behind = BEHIND_LIMIT.exec(after);
  if (behind)
    return [{ value, compared: { noun: "", isMost: behind.groups!.more !== undefined }, isIncluded: true }];
  const found = BEFORE_LIMIT.exec(`${before.trimEnd()} `)?.groups;
  if (!found) return [];
  const { least, most, not, above, form } = found;
  const compared = form ? comparedByAdjective(form)! : { noun: "", isMost: (least ?? above) !== undefined };
  const isIncluded = (least ?? most ?? not) !== undefined;
  return [{ value, compared: not ? { ...compared, isMost: !compared.isMost } : compared, isIncluded }];
}

/** The range of `between 20 and 50 euros`; undefined if the question has none. */
function rangeIn(text: string): Limit[] | undefined {
  const values = valuesOf(text);
  const index = values.findIndex(
    ({ start, end }, i) =>
      /\bbetween (?:the )?$/i.test(text.slice(0, start)) &&
      /^\s*and (?:the )?$/i.test(text.slice(end, values[i + 1]?.start)),
  );
  const [low, high] = values.slice(index, index + 2);
  if (index < 0 || !low || !high || low.sort !== high.sort) return undefined;
  return [
    { value: { ...low, end: high.end }, upTo: high, compared: { noun: "", isMost: true }, isIncluded: true },
  ];
}

const THAN = new RegExp(
  `\\bhow (?:much|many)\\b.*?\\b(?:(?:more|less|fewer)(?:\\s+(\\p{L}+))?|(${COMPARATIVE}))\\b.*?` +
    "\\b(?:than|compared (?:with|to))\\s+([^,;:?]+?)(?=\\s+(?:if|when)\\b|[,;:?]|$)",
  "iu",
);
const FROM_TO = /\b(?:from|between)\s+(?!which\b|what\b)(.+?)\s+(?:to|and)\s+([^,;:?]+)/i;
const CHANGES =
  /\b(?:difference|differ|change[ds]?|ris(?:e|es|en)|rose|increase[ds]?|grow[ns]?|grew|fall(?:s|en)?|fell|drop(?:ped|s)?|decrease[ds]?)\b/i;

/**
 * The difference that a question asks for: `how much dearer is A than B`, `the difference in price between A and B`.
 */
function differenceIn(text: string): (Operation & { kind: "difference" }) | undefined {
  const than = THAN.exec(text);
  if (
    than &&
    !valuesOf(than[3]!).some(({ start, sort }) => start === 0 && sort !== "year" && sort !== "code")
  ) {
    const [whole, what = "", form = "", other = ""] = than;
    const rest = text.replace(whole, whole.slice(0, -other.length));
    return { kind: "difference", sides: [rest, other], compared: comparedByAdjective(form || what) };
  }
  const [, from, to] = (CHANGES.test(text) && FROM_TO.exec(text)) || [];
  return from && to ? { kind: "difference", sides: [from, to], compared: undefined } : undefined;
}
