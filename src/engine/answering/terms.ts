// The words by which texts are compared: case-folded, stemmed, without stop words. It knows neither questions nor evidence.
// Stemming is for English; words of other languages are compared unchanged.

import { fold } from "../../kernel/text.ts";

/** A word of a text as it is compared. */
export interface Term {
  /** The same for all forms of one word. */
  stem: string;
  /** As it was written. */
  word: string;
  /** Whether it is a name, a code or a number, which only itself matches and no synonym. */
  isExact: boolean;
}

/** Words with inner marks stay together: `E-4711`, `4.1`, `10,000`, `don't`; `and/or` does not. */
const TOKEN = /[\p{L}\p{N}\p{M}_]+(?:[-.,:'’][\p{L}\p{N}\p{M}_]+)*/gu;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const IRREGULAR: Record<string, string> = Object.fromEntries(
  `left leave, sent send, kept keep, bought buy, paid pay, sold sell, held hold, built build, chose choose, chosen choose,
  wrote write, written write, broke break, broken break, began begin, begun begin, ran run, gave give, given give, took take,
  taken take, went go, gone go, came come, found find, led lead, met meet, lost lose, won win, shut shut, drove drive, driven drive,
  grew grow, grown grow, fell fall, fallen fall, rose rise, risen rise, spent spend, taught teach, thought think, told tell,
  women woman, men man, children child, feet foot, indices index, indexes index, batteries battery, days day`
    .split(/,\s*/)
    .map((pair) => pair.trim().split(" ") as [string, string]),
);
const DERIVED =
  /(?:ational|ation|ator|at|ition|ement|ment|ness|anc|enc|abl|ibl|ably|ally|ively|iv|ity|ical|er|or|al|ly|ion|ant|ent|ary)$/;

/**
 * The stem of an English word, more aggressive than usual stemmers: `calibrated`, `calibration` and `calibrate` share one.
 * Words with digits are only case-folded.
 */
export function stem(word: string): string {
  let text = fold(word)
    .replace(/['’]s$/, "")
    .replace(/['’]/g, "");
  if (/\p{N}/u.test(text) || text.length <= 3) return text.replace(/(?<=\d),(?=\d{3})/g, "");
  text = IRREGULAR[text] ?? text;
  if (/[^aeiou]ies$/.test(text)) text = `${text.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(text)) text = text.slice(0, -2);
  else if (/[^aiusy]s$/.test(text) || /[aeo]ys$/.test(text)) text = text.slice(0, -1);
  const inflected = text.replace(/(?:ed|ing|e)$/, "");
  if (inflected.length >= 3 && /[aeiouy]/.test(inflected)) text = inflected;
  const base = text.replace(DERIVED, "");
  if (base.length >= 4) text = base;
  text = text.replace(/([^aeiouls])\1$/, "$1");
  return text.length > 4 ? text.replace(/[iye]$/, "") : text;
}

const STOP_WORDS = stems(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can could did do does doing done down during each either else ever every few for from further had has have having he her
  here hers him his how i if in into is it its itself just let me more most much my no nor not of off on once only or other our
  ours out over own per please same shall she should so some still such than that the their theirs them then there these they
  this those through to too under until up upon us very was we were what when where whether which while who whom whose why
  will with within would yes yet you your yours s t don't doesn't didn't isn't aren't wasn't won't can't cannot`,
);
/** Words that say little about the topic of a text. */
const LIGHT_WORDS = stems(
  `get got use used using make made need want happen work mean call know tell find take go come give show explain describe
  list say look put keep try become many long often far thing way kind sort type number amount reason name one two first new
  possible allow permit main different available exactly actually currently like must may might able best apply include help
  anything something someone anybody anyone nobody company people start begin set run now today
  ok okay according matter wrong problem happened going unless otherwise altogether separately handle fast quick soon legal`,
);

function stems(words: string): Set<string> {
  return new Set(words.split(/\s+/).map(stem));
}

/** Whether a word is too common to search for. */
export const isStopWord = (word: string) => STOP_WORDS.has(stem(word));
/** Whether a word says little about what a text is about. */
export const isLightWord = (word: string) => LIGHT_WORDS.has(stem(word));

/** The words of a text without stop words, in order, with repetitions; pairs of characters in scripts without spaces. */
export function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (WITHOUT_SPACES.test(token)) {
      const characters = [...fold(token)];
      for (let i = 0; i < Math.max(1, characters.length - 1); i++) {
        const pair = characters.slice(i, i + 2).join("");
        terms.push({ stem: pair, word: pair, isExact: false });
      }
      continue;
    }
    const isExact = isName(token, text, index);
    for (const word of isExact ? [token] : token.split("-")) {
      if (!isExact && (isStopWord(word) || word.length < 2)) continue;
      terms.push({ stem: stem(word), word, isExact });
    }
  }
  return terms;
}

/** The stems of a text. Hyphenated words are included whole and in parts, `75x` also as `75`. */
export function stemsOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const { stem: whole, word } of termsOf(text)) {
    found.add(whole);
    const amount = /^\d+(?=\p{L}{1,3}$)/u.exec(word)?.[0];
    if (amount !== undefined) found.add(amount);
    if (/[-.]/.test(word)) for (const part of word.split(/[-.]/)) if (part !== "") found.add(stem(part));
  }
  return found;
}

/** Numbers, codes, words with inner capitals, and words with a capital that no sentence begins with. */
function isName(token: string, text: string, index: number): boolean {
  if (/\p{N}/u.test(token)) return true;
  if (/\p{L}\p{Lu}/u.test(token)) return true;
  if (!/^\p{Lu}/u.test(token) || isStopWord(token)) return false;
  const before = text.slice(Math.max(0, index - 8), index);
  return !/(?:^|[.!?:;|]["')\]]*\s+|\n\s*)$/u.test(before);
}
