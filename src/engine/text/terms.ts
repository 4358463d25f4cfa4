// The words by which texts are compared: case-folded, stemmed, without stop words and differences of spelling. Stemming
// is for English; words of other languages are compared almost unchanged.

import { remember } from "../../kernel/remember.ts";
import { fold, normalized } from "../../kernel/text.ts";
import { americanSpelling } from "./spelling.ts";
import { groupsOf, linesOf } from "./word-lists.ts";
import irregular from "./words/irregular.txt" with { type: "text" };
import lightWords from "./words/light-words.txt" with { type: "text" };
import stopWords from "./words/stop-words.txt" with { type: "text" };

/** A word of a text as it is compared. */
export interface Term {
  /** The same for all forms and spellings of one word. */
  stem: string;
  /** As it was written. */
  word: string;
  /** Whether it is a name, a code or a number, which no synonym matches. */
  isExact: boolean;
}

/** Words with inner marks stay together: `E-4711`, `4.1`, `10,000`, `don't`; `and/or` does not. */
const TOKEN = /[\p{L}\p{N}\p{M}_]+(?:[-.,:'’][\p{L}\p{N}\p{M}_]+)*/gu;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const IRREGULAR = new Map(groupsOf(irregular, ",").map(([form, word]) => [form!, word!]));
const DERIVED =
  /(?:ational|ation|ator|at|ition|ement|ment|ness|anc|enc|abl|ibl|ably|ally|ively|iv|ity|ical|er|or|al|ly|ion|ant|ent|ary)$/;

/**
 * The stem of an English word, more aggressive than usual stemmers: `calibrated`, `calibration` and `calibrate` share
 * one. British and American spelling and ä, a and ae are the same. Words with digits are only case-folded.
 */
export function stem(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  const found = computeStem(word);
  if (STEMS.size >= MAX_STEMS) STEMS.clear();
  STEMS.set(word, found);
  return found;
}

const STEMS = new Map<string, string>();
const MAX_STEMS = 20_000;

function computeStem(word: string): string {
  const plain = fold(word)
    .replace(/['’]s$/, "")
    .replace(/['’]/g, "");
  let text = normalized(plain, "NFD").replace(/\p{Mn}/gu, "");
  if (/\p{N}/u.test(text) || text.length <= 3) return text.replace(/(?<=\d),(?=\d{3})/g, "");
  text = oneSpelling(IRREGULAR.get(text) ?? text);
  if (/[^aeiou]ies$/.test(text)) text = `${text.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(text)) text = text.slice(0, -2);
  else if (/[^aiusy]s$/.test(text) || /[aeo]ys$/.test(text)) text = text.slice(0, -1);
  text = IRREGULAR.get(text) ?? text;
  const inflected = text.replace(/(?:ed|ing|e)$/, "");
  if (inflected.length >= 3 && /[aeiouy]/.test(inflected)) text = inflected;
  const base = text.replace(DERIVED, "");
  if (base.length >= 4) text = base;
  text = text.replace(/([^aeious])\1$/, "$1");
  return text.length > 4 ? text.replace(/[iye]$/, "") : text;
}

/** British and American forms, and umlauts and their transcription, in one spelling. */
function oneSpelling(word: string): string {
  const plain = word
    .replace(/ß/g, "ss")
    .replace(/(?<=.)(?:ae|oe)(?=[a-z]{2})|(?<=[^qaeo])ue(?=[bcdfghkmnrst][a-z])/g, ([first]) => first!);
  return americanSpelling(plain);
}

const stems = (list: string) => new Set(linesOf(list).join(" ").split(/\s+/).map(stem));
const STOP_WORDS = stems(stopWords);
const LIGHT_WORDS = stems(lightWords);

/** Whether a word is too common to search for. */
export const isStopWord = (word: string) => STOP_WORDS.has(stem(word));
/** Whether a word says little about what a text is about. */
export const isLightWord = (word: string) => LIGHT_WORDS.has(stem(word));

/**
 * The words of a text without stop words, in order, with repetitions; pairs of characters in scripts without spaces.
 */
export const termsOf = (text: string): Term[] => formsIn(text).flatMap(({ terms }) => terms);

/** The stems of a text. Hyphenated words are included whole, in parts and joined, `75x` also as `75`. */
export function stemsOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const { stems } of formsIn(text)) for (const one of stems) found.add(one);
  if (!text.includes("-")) return found;
  for (const [joined] of text.matchAll(/(?<!\p{L})\p{L}+-\p{L}+/gu)) found.add(stem(joined.replace("-", "")));
  return found;
}

/** What a token is compared as. */
interface Forms {
  terms: readonly Term[];
  /** Those of the terms, their parts, and amounts without their unit. */
  stems: readonly string[];
}

/** A token, whatever is before it. */
interface Token {
  asName: Forms;
  asWord: Forms;
  /** Numbers, codes, and words with inner capitals are names everywhere. */
  isName: boolean;
  /** Words with a capital are names if no sentence begins with them. */
  isCapitalized: boolean;
}

const formsIn = (text: string): Forms[] =>
  Array.from(text.matchAll(TOKEN), ({ 0: token, index }) => {
    const { asName, asWord, isName, isCapitalized } = tokenOf(token);
    return isName || (isCapitalized && !beginsSentence(text, index)) ? asName : asWord;
  });

/** Texts mostly consist of the same words. A token may be a whole clause in a script without spaces. */
const tokenOf = remember(readToken, {
  keyOf: (token: string) => token,
  sizeOf: ({ asWord }, token) => token.length + 10 * (1 + asWord.terms.length),
  // About 15,000 English words.
  maxSize: 400_000,
});

function readToken(token: string): Token {
  if (WITHOUT_SPACES.test(token)) {
    const characters = [...fold(token)];
    const pairs = characters.slice(0, Math.max(1, characters.length - 1)).map((_, i) => {
      const pair = characters.slice(i, i + 2).join("");
      return { stem: pair, word: pair, isExact: false };
    });
    const asWord = formsOf(pairs);
    return { asName: asWord, asWord, isName: false, isCapitalized: false };
  }
  const words = token.split("-").filter((word) => !isStopWord(word) && word.length >= 2);
  return {
    asName: formsOf([{ stem: stem(token), word: token, isExact: true }]),
    asWord: formsOf(words.map((word) => ({ stem: stem(word), word, isExact: false }))),
    isName: /\p{N}|\p{L}\p{Lu}/u.test(token),
    isCapitalized: /^\p{Lu}/u.test(token) && !isStopWord(token),
  };
}

/** The stems of a word and its short forms, by the stem of the word and by each short form, with a capital. */
const SHORT_FORMS = new Map(
  groupsOf(
    "Monday Mon, Tuesday Tue Tues, Wednesday Wed, Thursday Thu Thur Thurs, Friday Fri, Saturday Sat, Sunday Sun, Street St, Road Rd, Avenue Ave",
    ",",
  ).flatMap((forms) => forms.map((form, i) => [i === 0 ? stem(form) : form, forms.map(stem)] as const)),
);

const formsOf = (terms: readonly Term[]): Forms => ({
  terms,
  stems: terms.flatMap(({ stem: whole, word }) => [
    whole,
    ...(SHORT_FORMS.get(word) ?? SHORT_FORMS.get(whole) ?? []),
    ...(/^\d+(?=\p{L}{1,3}$)/u.exec(word) ?? []),
    ...(/[-.]/.test(word)
      ? word
          .split(/[-.]/)
          .flatMap((part) => (part === "" ? [] : [stem(part), ...(SHORT_FORMS.get(part) ?? [])]))
      : []),
  ]),
});

/** Whether the token at `index` may have a capital for that reason. */
const beginsSentence = (text: string, index: number) =>
  /(?:^|[.!?:;|]["')\]]*\s+|\n\s*)$/u.test(text.slice(Math.max(0, index - 8), index));

/** Whether two stems differ by one typing error: a letter missing, added, replaced or swapped with its neighbour. */
export function isTypingError(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < 4 || Math.abs(a.length - b.length) > 1 || a[0] !== b[0]) return false;
  if (/\d/.test(a + b)) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [restA, restB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
}
