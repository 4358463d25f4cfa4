// What a question asks to compute from the rows of a table: the row with the most or the least, the rows above or below a
// limit, or a sum. It reads the question and knows no table.

import { isLightWord, stem, stemsOf, type Term, termsOf } from "./terms.ts";
import { type Value, valuesOf } from "./values.ts";
import { linesOf } from "./word-lists.ts";
import comparisons from "./words/comparisons.txt" with { type: "text" };

/** What an adjective compares: header words (as stems) and sorts, and whether it means the most of them. */
type Adjective = ReadonlyMap<string, boolean>;

export type Operation =
  | { kind: "extreme"; compared: Compared }
  | { kind: "threshold"; limit: Value; compared: Compared; isIncluded: boolean; asked: string; about: string }
  | { kind: "sum"; ofAll: boolean };

/** What is compared: by an adjective, or the most or least of what `noun` names, of any column if that is empty. */
interface Compared {
  adjective?: Adjective;
  noun: string;
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
}

const ANY = stem("any");

/** How a comparison is meant for a column; undefined if it says nothing about this column. */
export function directionIn(
  { adjective, noun, isMost }: Compared,
  { header, sort }: { header: string; sort: string },
): Direction | undefined {
  const words = stemsOf(header);
  if (!adjective) return noun === "" || words.has(stem(noun)) ? { isMost, isMeant: noun !== "" } : undefined;
  const known = [...words, stem(sort)].find((word) => adjective.has(word));
  if (known !== undefined) return { isMost: adjective.get(known) === isMost, isMeant: true };
  const any = adjective.get(ANY);
  return any === undefined ? undefined : { isMost: any === isMost, isMeant: false };
}

/** Whether a part asks what something costs. */
export const asksPrice = (text: string) =>
  /\b(?:costs?|come to|pay|prices?|charges?|charged|spend|fees?|how much (?:is|are))\b/i.test(text);

const TOGETHER =
  /\b(?:together|in total|altogether|in all|combined|(?:the |in )?sum|total (?:of|cost|price|number))\b/i;
const OF_ALL = /\b(?:in total|altogether|in all|the total)\b/i;
/** A condition that rows are not checked for. */
const EXCLUDES =
  /\b(?:without|except|excluding|other than|apart from|besides|but not|instead of|leaving out|(?:not|no) (?:counting|including))\b/i;
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

/** The words beside commas and `and`: what a question lists. */
export const listedIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /([\p{L}-]+)(?=,| and\b| plus\b)|(?:,| and| plus)\s+(?:(?:an?|the|one|two|three|\d+)\s+)*(?:\p{L}+ of\s+)?([\p{L}-]+)/giu,
    ),
  ].map(([, before, behind = ""]) => stem(before ?? behind));

/** What a part of a question asks to compute; undefined if nothing, or nothing that can be computed for sure. */
export function operationOf(text: string): Operation | undefined {
  if (EXCLUDES.test(text)) return undefined;
  if (TOGETHER.test(text) && /\b(?:how|what)\b/i.test(text)) {
    // Of `a tent with its pegs`, it is not known whether the price of the pegs is part of that of the tent.
    return /\bwith\b/i.test(text) ? undefined : { kind: "sum", ofAll: OF_ALL.test(text) };
  }
  const limits = valuesOf(text).flatMap((value) => limitAt(text, value));
  const compared = superlativeIn(text);
  if (limits.length + (compared ? 1 : 0) !== 1) return undefined;
  if (compared) return /\b(?:which|what|who)\b/i.test(text) ? { kind: "extreme", compared } : undefined;
  const [asked] = ASKS_ROWS.exec(text)?.[1]?.split(" ") ?? [];
  return asked === undefined ? undefined : { kind: "threshold", ...limits[0]!, asked };
}

const SUPERLATIVE = new RegExp(
  `\\b(?:(?<much>most|least)\\s+(?<base>${[...ADJECTIVES.keys()].join("|")})|(?<form>${[...ADJECTIVES.keys()].filter((form) => form.endsWith("st")).join("|")}))\\b(?!\\s+than\\b)`,
  "iu",
);
/** `The two cheapest` is no single row. */
const OF_SEVERAL = /\b(?:not the|second|third|next|two|three|four|five|\d+)[\s-]+$/i;

function superlativeIn(text: string): Compared | undefined {
  const found = SUPERLATIVE.exec(text);
  if (found && !/\bat (?:the )?$/i.test(text.slice(0, found.index))) {
    const { much = "most", base, form } = found.groups!;
    if (OF_SEVERAL.test(text.slice(0, found.index))) return undefined;
    const adjective = ADJECTIVES.get((base ?? form ?? "").toLowerCase())!;
    return { adjective, noun: "", isMost: much.toLowerCase() === "most" };
  }
  const [, amount = "", noun = ""] = /\bthe (most|fewest|least) (?!of\b)([\p{L}-]+)/iu.exec(text) ?? [];
  return noun === "" ? undefined : { noun, isMost: amount.toLowerCase() === "most" };
}

const COMPARATIVES = [...ADJECTIVES.keys()].filter((form) => form.endsWith("er")).join("|");
const BEFORE_LIMIT = new RegExp(
  "(?:(?<about>\\p{L}+) of\\s+)?(?:\\b(?<not>no|not|never|cannot|\\p{L}+n['’]t)\\b(?:\\s+\\p{L}+){0,2}?\\s+)?" +
    "\\b(?<phrase>at least|(?:an? )?minimum(?: of)?|at most|(?:an? )?maximum(?: of)?|up to|over|above|beyond|exceed(?:s|ing)?|under|below" +
    `|(?<much>more|less|${COMPARATIVES})(?:\\s+(?<what>\\p{L}+))?\\s+than)\\s+(?:an?\\s+|the\\s+)?$`,
  "iu",
);
const BEHIND_LIMIT =
  /^\s*(?:\p{L}+\s+)?(?:(?<more>(?:and|or) (?:more|above|over|up|upwards|older|longer|heavier|higher|larger|later)|upwards)|(?<less>(?:and|or) (?:less|under|below|fewer|younger|shorter|lighter|lower|smaller|cheaper|earlier)))\b/iu;
/** `Up to 14 days before the course` is a time, not a limit of the rows. */
const IS_TIME = /^\s*(?:before|after|in advance|prior|ago|from now)\b/i;

type Limit = Omit<Operation & { kind: "threshold" }, "kind" | "asked">;

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
