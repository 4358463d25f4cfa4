// Finds answers that are words rather than amounts, of which usually one is right: how often, in which colour, from what age,
// `the side door` for `which door`, one of two that the question names. Two statements about the same thing with different
// ones contradict each other. It reads English and knows no passages.

import { COLOUR, CONTENT_WORD, WEEKDAY } from "./grammar.ts";
import { DIGITS, NUMBER_WORDS, numberOf } from "./numbers.ts";
import { areOpposite } from "./match.ts";
import { isLightWord, isStopWord, stem, stemsOf, type Term } from "./terms.ts";
import type { Value } from "./values.ts";

/** What is found: `amount` is NaN if it is none. */
export type WordAnswer = Pick<Value, "sort" | "key" | "amount" | "start" | "end">;

const answer = (sort: string, key: string, { start, length }: { start: number; length: number }) => ({
  sort,
  key,
  amount: Number.NaN,
  start,
  end: start + length,
});

const PER_YEAR: Record<string, number> = {
  hour: 8_760,
  day: 365,
  night: 365,
  morning: 365,
  evening: 365,
  week: 52,
  fortnight: 26,
  month: 12,
  quarter: 4,
  year: 1,
};
const PERIOD = Object.keys(PER_YEAR).join("|");
const ADVERBS: Record<string, string> = {
  hourly: "hour",
  daily: "day",
  nightly: "night",
  weekly: "week",
  fortnightly: "fortnight",
  monthly: "month",
  quarterly: "quarter",
  yearly: "year",
  annually: "year",
};
const COUNTS: Record<string, number> = { once: 1, twice: 2, second: 2, other: 2, third: 3, fourth: 4 };
const COUNT = `${DIGITS}|${NUMBER_WORDS}`;
const FREQUENCY = new RegExp(
  `\\b(?:(?<times>once|twice|(?:${COUNT})(?= times?)) (?:times? )?(?:an?|per|each|every|in (?:an?|each|every)) (?<per>${PERIOD})` +
    `|(?:every|each) (?:(?<nth>second|other|third|fourth|${COUNT}) )?(?:(?<every>${PERIOD})s?|(?<day>${WEEKDAY}))` +
    "|on (?<days>(?:mon|tues|wednes|thurs|fri|satur|sun)days)" +
    `|(?:(?<repeated>once|twice) )?(?<adverb>${Object.keys(ADVERBS).join("|")}))\\b`,
  "giu",
);

/** How often something is done; `amount` is how many times a year, so that `every three months` and `quarterly` are equal. */
function frequenciesIn(text: string): WordAnswer[] {
  return [...text.matchAll(FREQUENCY)].map(({ 0: whole, index, groups = {} }) => {
    const { times, per, nth, every, day, days, repeated, adverb } = groups;
    const count = (word = "once") => COUNTS[word.toLowerCase()] ?? numberOf(word.toLowerCase());
    const period = day || days ? "week" : (ADVERBS[adverb?.toLowerCase() ?? ""] ?? per ?? every ?? "");
    const amount = Math.round((count(times ?? repeated) * PER_YEAR[period.toLowerCase()]!) / count(nth));
    return { ...answer("frequency", String(amount), { start: index, length: whole.length }), amount };
  });
}

const COLOURS = new RegExp(`\\b${COLOUR}\\b`, "giu");

/** The colours that a text names. */
const coloursIn = (text: string): WordAnswer[] =>
  [...text.matchAll(COLOURS)].map(({ 0: word, index }) =>
    answer("colour", word.toLowerCase().replace("gray", "grey"), { start: index, length: word.length }),
  );

const AGE =
  /\b(?:from|under|over|below|above|least|aged?|until|up to|turns?|reach(?:es)?) (?:the age of )?(\d{1,2})\b(?! ?(?:[:.]\d|[%€$£]|euros?|minutes?|hours?|days?|weeks?|months?|people|persons))|\b(\d{1,2})(?=[- ]years?[- ]olds?\b| years of age| (?:years )?or (?:older|over|younger)\b)/giu;

/** The ages that a text names, in years. */
const agesIn = (text: string): WordAnswer[] =>
  [...text.matchAll(AGE)].map(({ 0: whole, 1: limit, 2: age, index }) => {
    const key = limit ?? age ?? "";
    return { ...answer("age", key, { start: index, length: whole.length }), amount: Number(key) };
  });

export const PART_OF_DAY_SORT = "part of the day";
const PART_OF_DAY =
  /\b(?:in the|every|each) (morning|afternoon|evening|night)s?\b|\bat (noon|midnight|night)\b/giu;

/** The parts of the day that a text names. */
const partsOfDayIn = (text: string): WordAnswer[] =>
  [...text.matchAll(PART_OF_DAY)].map(({ 0: whole, 1: part, 2: at, index }) =>
    answer(PART_OF_DAY_SORT, (part ?? at ?? "").toLowerCase(), { start: index, length: whole.length }),
  );

/** `Which door is locked` and `which papers do I need` have several right answers. */
const KIND = new RegExp(
  `\\b(?:which|what) (?:${CONTENT_WORD} )?(${CONTENT_WORD}) (?:do|does|did|should|must|can|may|shall|will|has|have|is (?:that|this|it))\\b`,
  "iu",
);
const SECRET =
  /\b(?:which|what)(?:['’]s| is| are) (?:the )?(?:[\p{L}-]+ )?(code|password|pin|combination)\b/iu;

/** The noun of `which door`, or `code` of `what is the code`, as a stem; undefined if the question asks for no kind. */
function kindOf({ text: question, terms }: Question): { noun: string; isSecret: boolean } | undefined {
  const secret = SECRET.exec(question)?.[1];
  const word = secret ?? KIND.exec(question)?.[1];
  if (word === undefined || isStopWord(word) || /[^s]s$/i.test(word)) return undefined;
  const noun = stem(word);
  // `Which form do I use?` does not say for what.
  const isFor = terms.some((term) => term.stem !== noun && !isLightWord(term.word));
  return isFor ? { noun, isSecret: secret !== undefined } : undefined;
}

/** Words before a noun that tell nothing of its kind. */
const NO_KIND =
  /^(?:same|right|correct|own|new|old|other|first|last|following|special|usual|normal|each|every|any)$/i;

/** What tells which thing of a kind is meant: `R12` in `form R12`, `side` in `the side door`, `2908` in `the code 2908`. */
function ofKindIn({ noun, isSecret }: { noun: string; isSecret: boolean }, text: string): WordAnswer[] {
  return [...text.matchAll(/[\p{L}'’-]+/gu)].flatMap(({ 0: word, index }) => {
    if (stem(word) !== noun) return [];
    const behind = index + word.length;
    const before = /([\p{L}'’-]+) $/u.exec(text.slice(0, index))?.[1] ?? "";
    const start = index - before.length - 1;
    const number = (
      isSecret ? /^[^.;]{0,40}?\b((?=[A-Z]*\d)\w{3,})\b/ : /^ (?:no\.? |number )?((?=[A-Z-]*\d)[\w-]+)\b/
    ).exec(text.slice(behind));
    if (number) {
      // `Yellow` of `the yellow form R7` is a part of the answer, as its number is.
      const from = before === "" || isStopWord(before) || isSecret ? index : start;
      const length = behind + number[0].length - from;
      return [answer(`number of ${noun}`, number[1]!.toLowerCase(), { start: from, length })];
    }
    return before === "" || isStopWord(before) || NO_KIND.test(before)
      ? []
      : [
          answer(`kind of ${noun}`, stem(before), {
            start,
            length: before.length,
          }),
        ];
  });
}

const CHOICE = /\b([\p{L}-]{3,}) or (?:(?:on|in|at|with|by|to|for|the|an?) )?([\p{L}-]{3,})(.*)/iu;

/** Two words of which only one can be right of a thing, and the words behind them. */
interface Choice {
  words: string[];
  of: ReadonlySet<string>;
}

/** A choice between opposites or colours. */
function choiceIn(question: string): Choice | undefined {
  const [, x, y, behind = ""] = CHOICE.exec(question) ?? [];
  if (x === undefined || y === undefined) return undefined;
  const areColours = coloursIn(x).length > 0 && coloursIn(y).length > 0;
  return areColours || areOpposite(stem(x), stem(y)) ? { words: [x, y], of: stemsOf(behind) } : undefined;
}

/**
 * The one of two words that a text contains. If it contains both, the one whose clause names what is behind them in the
 * question: of `after harvest, before it is stored`, `before` for `before or after storing`.
 */
function chosenIn({ words, of }: Choice, text: string): WordAnswer[] {
  const stems = words.map(stem);
  const found = [...text.matchAll(/[\p{L}-]+/gu)]
    .filter(([own]) => stems.includes(stem(own)))
    .map(({ 0: own, index }) => answer("choice", stem(own), { start: index, length: own.length }));
  const isOne = (answers: readonly WordAnswer[]) => new Set(answers.map(({ key }) => key)).size === 1;
  if (isOne(found)) return found.slice(0, 1);
  const clauses = found.filter(({ end }) => {
    const [clause = ""] = text.slice(end).split(/[,.;]/);
    return !stemsOf(clause).isDisjointFrom(of);
  });
  return isOne(clauses) ? clauses.slice(0, 1) : [];
}

/** What finds the answers of a type of question. */
const OF_TYPE: Record<string, (text: string) => WordAnswer[]> = {
  frequency: frequenciesIn,
  colour: coloursIn,
  age: agesIn,
  time: partsOfDayIn,
  when: partsOfDayIn,
};

/** A question, and the words that it looks for. */
interface Question {
  text: string;
  terms: readonly Term[];
}

/** What finds the answers to a question in a text; undefined if it asks for no such answer. */
export function wordAnswersTo(
  type: string,
  question: Question,
): ((text: string) => WordAnswer[]) | undefined {
  const ofType = OF_TYPE[type];
  if (ofType) return ofType;
  const choice = choiceIn(question.text);
  if (choice) return (text) => chosenIn(choice, text);
  const kind = kindOf(question);
  return kind && ((text) => ofKindIn(kind, text));
}
