// For which cases a statement is said to hold: under a condition, at certain times, for certain persons. A rule and a rule
// for a special case do not contradict each other. It reads English and knows no passages.

import { MONTH, PERSON, WEEKDAY } from "./grammar.ts";
import { shareOf, type WordSet } from "./match.ts";
import { isLightWord, stem, type Term, termsOf } from "./terms.ts";
import { NOUN_PHRASE } from "./things.ts";
import { linesOf } from "./word-lists.ts";
import children from "./words/children.txt" with { type: "text" };

export interface Restrictable {
  /** Without its values. */
  about: string;
  /** With them. */
  plain: string;
  /** Its words and those of its headings. */
  wordsInContext: WordSet;
}

const ARTICLE = "(?:(?:the|an?|our|your) )?";
const CONDITION = new RegExp(
  "(?<!\\b(?:never|not|even) )\\b(?:while|whenever|without)\\b[^,.;:]{0,80}" +
    `|\\bfor (?!(?:all|each|every(?:body|one)?|any(?:body|one)?)\\b)${ARTICLE}(?:[\\p{L}-]+ )?${PERSON}\\b`,
  "giu",
);
/** What a rule leaves out is a case of its own only if the other statement is about it. */
const EXCEPTION =
  /\b(?:unless|except|with the exception of|other than|aside from|save for|excluding|apart from)\b[^,.;:]{0,80}/giu;
const TIME = new RegExp(
  "\\b(?:at night|(?:after|outside) (?:(?:office|opening|working) )?hours" +
    `|(?:at|on|in|during) (?:the )?(?:public |school |bank )?(?:weekends?|weekdays?|holidays?|mornings?|afternoons?|evenings?|spring|summer|autumn|winter|(?-i:${MONTH})|${WEEKDAY}(?:(?:,| and| or) ${WEEKDAY})*))\\b`,
  "giu",
);
const OF_WEEK = new RegExp(`day|morning|afternoon|evening|${MONTH}`, "i");
/** Groups that often have rules of their own, further things of one kind, and persons who stand in for others. */
const SPECIAL =
  /\b(?:child(?:ren)?|bab(?:y|ies)|infants?|pensioners?|seniors?|juniors?|beginners?|newcomers?|non-members?|second(?! (?:floor|storey|level)\b)|another|further|additional|extra|reserve|deputy|vice|assistant|acting|substitute)\b/gi;
/** In amounts, too: `two extra days` */
const MORE = /\b(?:extra|additional|further|another)\b/gi;
/** `above #`, with the amount taken out. */
const LIMIT = /\b(?:above|below|over|under|between|exceeding|less than|more than) (?:the age of )?[#\d]/i;
/** Where or by what something is allowed: `in the crypt`, `by flood water`. */
const CIRCUMSTANCE = new RegExp(
  `\\b(?:in|at|on|from|to|into|under|behind|by|near|through|of) ${ARTICLE}${NOUN_PHRASE}`,
  "giu",
);

/** What is asked: its words, and whether it asks how often: then `on Mondays` and `in January` are no restrictions. */
interface Asked {
  words: WordSet;
  asksOften: boolean;
}

/** Whether only one of two statements is restricted to a case that the question does not name. */
export const areOfOtherCases = (a: Restrictable, b: Restrictable, asked: Asked): boolean =>
  isPast(a.about) !== isPast(b.about) || isOfOtherCase(a, b, asked) || isOfOtherCase(b, a, asked);

/** Whether only one of two statements is about amounts above or below a limit. */
export const isOneLimited = (a: Restrictable, b: Restrictable): boolean =>
  LIMIT.test(a.about) !== LIMIT.test(b.about);

function isOfOtherCase(
  { about, plain }: Restrictable,
  other: Restrictable,
  { words, asksOften }: Asked,
): boolean {
  const isNew = isUnknown(other, words);
  const isNewPhrase = (phrase: string) => {
    const terms = contentOf(phrase);
    return terms.length > 0 && terms.every(isNew);
  };
  const times = (about.match(TIME) ?? []).filter((phrase) => !(asksOften && OF_WEEK.test(phrase)));
  const excepted = (about.match(EXCEPTION) ?? []).flatMap(contentOf);
  return (
    excepted.some((term) => shareOf(term, other.wordsInContext) > 0 && shareOf(term, words) === 0) ||
    (about.match(CONDITION) ?? []).some(isNewPhrase) ||
    // `At 6:15 on weekdays and at 7:00 on Saturdays` is also about weekdays.
    (times.length > 0 && times.every(isNewPhrase)) ||
    [...(about.match(SPECIAL) ?? []), ...(plain.match(MORE) ?? [])].some((word) =>
      isNew({ stem: stem(word), word, isExact: true }),
    )
  );
}

/**
 * Whether a permission and a ban are for different cases: each names a place or a means that the other one and the question
 * do not, or they are for other persons or times.
 */
export function arePermissionsElsewhere(a: Restrictable, b: Restrictable, question: WordSet): boolean {
  const isElsewhere = ({ about }: Restrictable, other: Restrictable) => {
    const circumstances = (about.match(CIRCUMSTANCE) ?? []).map(contentOf);
    // `Not to playgrounds or to the market` is about the market, too.
    const isAsked = circumstances.some(
      (terms) => terms.length > 0 && terms.every((term) => shareOf(term, question) > 0),
    );
    return !isAsked && circumstances.some((terms) => terms.some(isUnknown(other, question)));
  };
  const isForOthers = hasOwnPersons(a, b, question) && hasOwnPersons(b, a, question);
  const isAtOtherTimes = SPAN.test(a.about) && SPAN.test(b.about);
  return isForOthers || isAtOtherTimes || (isElsewhere(a, b) && isElsewhere(b, a));
}

/** `Nurses must`, `compulsory for all nurses` */
const PERSONS = new RegExp(
  `(?:^|\\bfor (?:all )?)(?:(?:the|an?|our|your|all|any) )?((?:[\\p{L}-]+ )?${PERSON})\\b`,
  "giu",
);
/** Whether a statement is about persons who are neither in the question nor in the other statement. */
const hasOwnPersons = ({ plain }: Restrictable, other: Restrictable, question: WordSet) =>
  [...plain.matchAll(PERSONS)].some(([, words = ""]) => contentOf(words).some(isUnknown(other, question)));

/** `From October to April`, `before 9:00`: two rules with such spans usually complement each other. */
const SPAN = new RegExp(
  `\\b(?:from|until|before|after|between|till) (?:(?:the (?:end|beginning|start) of|#|\\d+(?:st|nd|rd|th)?) )?(?:${MONTH}|#|\\d|noon)`,
  "i",
);

const hasWithout = ({ about }: Restrictable) => /\bwithout\b/i.test(about);

/** Whether only one of two statements is for what is done without something. */
export const isOneWithout = (a: Restrictable, b: Restrictable): boolean => hasWithout(a) !== hasWithout(b);

const contentOf = (words: string) => termsOf(words).filter(({ word }) => !isLightWord(word));

/** A rule for pupils is a rule for `my son`. */
const CHILDREN = new Set(linesOf(children).join(" ").split(" ").map(stem));

/** Whether a word is new to the question and the other statement. */
const isUnknown =
  ({ wordsInContext }: Restrictable, question: WordSet) =>
  (term: Term) =>
    shareOf(term, wordsInContext) === 0 &&
    shareOf(term, question) === 0 &&
    !(
      CHILDREN.has(term.stem) &&
      !(CHILDREN.isDisjointFrom(wordsInContext.stems) && CHILDREN.isDisjointFrom(question.stems))
    );

/** Whether it tells what was so at another time: `had # members in #`, not `was built in #`. */
const isPast = (text: string) =>
  /\b(?:was|were|had)\b/i.test(text) &&
  /\b(?:last (?:year|season|month|time)|at first|formerly|originally|in the past|ago|(?<=#.*)in #|in #(?=.*#))/i.test(
    text,
  ) &&
  !/\b(?:is|are|has|have|must|may|can|will|shall|costs?|takes?|pays?|now)\b/i.test(text);
