// What a statement is about: the words that name things in it, and the words by which two statements of one form differ.
// It reads English by the words around, and knows no passages.

import { areOpposite, areSiblings, shareOf } from "./match.ts";
import { isLightWord, isStopWord, stem, type Term, termsOf } from "./terms.ts";
import { valuesOf } from "./values.ts";
import { linesOf } from "./word-lists.ts";
import attributes from "./words/attributes.txt" with { type: "text" };

/** Put in the place of a value that is taken out of a text. */
export const VALUE = "#";

const set = (words: string) => new Set(words.split(" "));
const ARTICLES = set("a an the each every any no this these those our your my its their his her");
const PREPOSITIONS = set(
  "of for from to in on at by with without per between within into about outside during since",
);
const AUXILIARIES = set(
  "is are was were be been being has have had do does did can could may might must shall should will would not i you we they he she it",
);
const ATTRIBUTES = new Set(linesOf(attributes).join(" ").split(" ").map(stem));

const BESIDE = ["behind", "near", "opposite", "beside", "next", "under", "above", "below", "until"];

/** One to four words without articles, prepositions and auxiliaries, as the source of a regular expression. */
export const NOUN_PHRASE = (() => {
  const word = `(?!(?:${[...ARTICLES, ...PREPOSITIONS, ...AUXILIARIES, "and", "or", "to", "who", "which", "that", "only", "also", "next", "now", ...BESIDE].join("|")})\\b)\\p{L}[\\p{L}'’-]*`;
  return `${word}(?: ${word}){0,3}`;
})();

const TIMES = new Set(
  "day week month year hour minute morning evening afternoon night time weekend holiday season date end start beginning half term case monday tuesday wednesday thursday friday saturday sunday"
    .split(" ")
    .map(stem),
);
/** Whether a stem is that of a time, or of a beginning or an end. */
export const isTime = (word: string): boolean => TIMES.has(word);

const wordsOf = (text: string) =>
  text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*|[^\s\p{L}\p{N}]/gu) ?? [];
const isContent = (word: string) => /^\p{L}/u.test(word) && !isStopWord(word) && !PREPOSITIONS.has(word);

const MAX_WORDS = 3;

/**
 * The things that a text names: names, and up to three words behind an article, a preposition or the start of the sentence.
 * A verb before a value or an article is none.
 */
export function thingsIn(text: string): Term[] {
  const words = wordsOf(text);
  const groups: string[] = [];
  for (let start = 0; start < words.length; start++) {
    const before = words[start - 1] ?? ".";
    const isFirst = /[.:;!?]/.test(before);
    if (!isFirst && !ARTICLES.has(before) && !PREPOSITIONS.has(before)) continue;
    let end = start;
    while (end < start + MAX_WORDS && isContent(words[end] ?? "")) end++;
    const next = words[end] ?? "";
    // `to ring is`, `to save it`
    if (before === "to" && end - start === 1 && AUXILIARIES.has(next)) continue;
    const endsInVerb = next === VALUE || /^\d/.test(next) || ARTICLES.has(next);
    if (endsInVerb && end - start > (isFirst ? 0 : 1)) end--;
    groups.push(words.slice(start, end).join(" "));
  }
  const names = termsOf(text).filter(({ word, isExact }) => isExact && !/\d/.test(word));
  return [...names, ...termsOf(groups.join(". "))].filter(({ word }) => !isLightWord(word));
}

/**
 * The pairs of stems that take the same place in two texts and do not mean the same: between the same words, as `canoe` and
 * `kayak` in `the deposit for a … is`, behind the same noun with `of` or `for`, or behind the same verb with an article.
 * Different verbs behind `is` or `must` are no such pair, unless they are opposites.
 */
export function differentInPlace(one: string, other: string): [string, string][] {
  const [a, b] = [placesOf(one), placesOf(other)];
  return a.flatMap((x) => {
    const isBetween = [x.before, x.behind].some((word) => /^(?!(?:and|or)$)\p{L}/u.test(word));
    const y = b.find(
      (at) => (isBetween && at.before === x.before && at.behind === x.behind) || (x.of && at.of === x.of),
    );
    if (!y || shareOf(x.term, { stems: new Set([y.term.stem]), joined: "" }) > 0) return [];
    return x.isVerb && !areOpposite(x.term.stem, y.term.stem)
      ? []
      : [[x.term.stem, y.term.stem] as [string, string]];
  });
}

/** The words of a text that tell what it is about, each with the words around it. */
function placesOf(text: string) {
  const words = wordsOf(text);
  const at = (i: number) => stem(words[i] ?? "");
  return words.flatMap((word, i) => {
    if (!isContent(word) || isLightWord(word) || isTime(stem(word))) return [];
    const before = words[i - 1] ?? "";
    // The last word of a noun phrase names the thing: `item` in `for each overdue item`.
    const isLast = !isContent(words[i + 1] ?? "");
    let start = i;
    while (isLast && i - start < MAX_WORDS - 1 && isContent(words[start - 1] ?? "")) start--;
    const article = ARTICLES.has(words[start - 1] ?? "") ? 1 : 0;
    const joint = words[start - 1 - article] ?? "";
    const ofWord = /^(?:of|for)$/.test(joint)
      ? at(start - 2 - article)
      : article && isContent(joint)
        ? stem(joint)
        : "";
    const of = isLast ? ofWord : "";
    return [
      { term: termOf(stem(word)), before: at(i - 1), behind: at(i + 1), of, isVerb: AUXILIARIES.has(before) },
    ];
  });
}

/** A stem as a word to look for. */
export const termOf = (stem: string): Term => ({ stem, word: stem, isExact: false });

/** The parts of things that a text names, by stems: `mast` of `boat` in `The mast of the boat is new`. */
export function partsIn(text: string): { part: string; whole: string }[] {
  const words = wordsOf(text.replace(/\b(?:next|close) to\b|\bin front of\b/gi, "near"));
  return words.flatMap((word, i) => {
    const article = ARTICLES.has(words[i - 1] ?? "") ? 1 : 0;
    const part = words[i - 2 - article] ?? "";
    if (
      !/^(?:of|for|in|on|near|behind|beside|opposite|around)$/.test(words[i - 1 - article] ?? "") ||
      !isContent(word)
    )
      return [];
    const isPart =
      /^(?:an?|the)$/.test(words[i - 3 - article] ?? "") &&
      isContent(part) &&
      !isLightWord(part) &&
      !ATTRIBUTES.has(stem(part));
    return isPart ? [{ part: stem(part), whole: stem(word) }] : [];
  });
}

const NUMBERED = /\b(\p{Lu}\p{Ll}[\p{L}-]+) (\d{1,2}(?:\.\d+)*)\b(?!\s?[%€$£°:\p{Ll}])/gu;

/** Whether two texts are about different things with one name: `Orca 2` and `Orca 3`, or `ward 3` if that is asked for. */
export function areNumberedOtherwise(a: string, b: string, question: string): boolean {
  const asked = valuesOf(question).flatMap(({ sort, start }) => {
    const name = sort === "number" ? /\p{L}{3,}(?= $)/u.exec(question.slice(0, start))?.[0] : undefined;
    return name === undefined ? [] : [new RegExp(`\\b(${name}) (\\d+)\\b`, "giu")];
  });
  return [NUMBERED, ...asked].some((pattern) => {
    const [ofA, ofB] = [numbersOf(a, pattern), numbersOf(b, pattern)];
    return [...ofA].some(([name, numbers]) => ofB.get(name)?.isDisjointFrom(numbers) ?? false);
  });
}

/** Numbers by the name before them. */
function numbersOf(text: string, pattern: RegExp): Map<string, Set<string>> {
  const numbers = new Map<string, Set<string>>();
  for (const [, name = "", number = ""] of text.matchAll(pattern))
    if (!isMonth(stem(name)) && !isTime(stem(name)))
      numbers.set(stem(name), (numbers.get(stem(name)) ?? new Set()).add(number));
  return numbers;
}

const JANUARY = stem("january");
/** Whether a stem is that of a month. */
export const isMonth = (word: string) => word === JANUARY || areSiblings(word, JANUARY);
