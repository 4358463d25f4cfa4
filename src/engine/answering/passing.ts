// Whether a unit answers a part of the question at all. Weights are near to what logistic regression found on test/quality/reason
// and two other sets of questions, under ten-fold cross-validation; the threshold balances refused answers and missed gaps.

import type { QuestionPart } from "./question.ts";
import { type Coverage, needsAgreement, type Score, shareCovered } from "./score.ts";

/** A name, code or number of the question must at least stand in the unit's chunk, headings or title. */
const NAMED = 0.3;
const LEAST_AGREEMENT = 0.5;
/** A name of less weight stands in about every sixth text that is near to the question. */
const COMMON_NAME = 0.6;
/** A row is found by its key: a cell holds a word of the part that no header holds. */
const KEYED = 0.6;

const PASSES = 0.82;
const ALONE = 0.4;
const IN_PLACE = 0.3;
/** The words of the part itself count more than what it takes over. */
const OWN = 0.6;
const LEAST_WORDS = 2;
const NOT_ASKED_FOR = 0.4;
const NOT_OF_KIND = 0.7;
/** A unit that stands out among the others is likelier the answer. */
const STANDS_OUT = 0.8;
const MOST_STANDING_OUT = 0.4;

/** Whether a unit answers; `next` is the best one behind it that may and says something else. */
export function passes(part: QuestionPart, score: Score, next: Score | undefined): boolean {
  if (!mayAnswer(part, score)) return false;
  const said = score.covered.filter(({ term }) => part.terms.includes(term));
  const own =
    said.filter(({ term }) => term.weight >= 1).length < LEAST_WORDS ? score.coverage : shareCovered(said);
  let worth = ALONE * score.alone + IN_PLACE * score.inPlace + score.coverage + OWN * (own - score.coverage);
  worth -= NOT_ASKED_FOR * (1 - askedShare(part, score.covered));
  if (part.type === "person" || part.type === "reason" || needsAgreement(part.type))
    worth -= NOT_OF_KIND * (1 - score.agreement);
  const margin = next ? score.total - next.total : 0;
  return worth + STANDS_OUT * Math.max(0, Math.min(MOST_STANDING_OUT, margin)) >= PASSES;
}

/** Whether a unit has what an answer to the part can't be without: the names asked for, the kind of thing, a row's key. */
export function mayAnswer(
  part: QuestionPart,
  { unit, agreement, covered }: Pick<Score, "unit" | "agreement" | "covered">,
): boolean {
  // What is announced stands elsewhere.
  if (unit.kind === "sentence" && (/[:：]$/.test(unit.plain) || IS_FRAGMENT.test(unit.plain))) return false;
  if (needsAgreement(part.type) && agreement < LEAST_AGREEMENT) return false;
  if (covered.some((one) => isMissingName(one, part, covered))) return false;
  if (unit.kind !== "row") return true;
  const keys = covered.filter(({ term, inHeader }) => !inHeader && term.weight >= 0.5);
  const own = keys.filter(({ term }) => part.terms.includes(term));
  const decisive = own.length > 0 ? own : keys;
  return decisive.length === 0 || decisive.some(({ share, inPlace }) => share >= KEYED && !inPlace);
}

/** What goes on from something that is not there, such as the parties under `Agreement`, states nothing. */
const IS_FRAGMENT = /^(?:and|between|by|of|or|with)\b/;

/** How surely a unit speaks of the thing asked for by name; a value tells itself what it is. */
function askedShare({ type, asked, text }: QuestionPart, covered: readonly Coverage[]): number {
  if (needsAgreement(type) && !/\bhow (?:many|much)\b/i.test(text)) return 1;
  const named = covered.filter(({ term }) => term.weight >= 1 && asked.includes(term.stem));
  if (named.length === 0) return 1;
  // The last word of a name says what it is: a `language school` is no `school language`.
  return Math.min(named.at(-1)!.share, named.reduce((sum, { share }) => sum + share, 0) / named.length);
}

/**
 * Whether a name of the part itself is not there. One that stands in much of what is near, such as that of the company all
 * documents are about, may be left out; of a name of two words one is enough.
 */
function isMissingName(
  { term, share, weight }: Coverage,
  { text, terms }: QuestionPart,
  covered: readonly Coverage[],
): boolean {
  if (!term.isExact || share >= NAMED || !terms.includes(term) || MAY_BE_REPHRASED.test(term.word))
    return false;
  if (/^[\d.,:]+$/.test(term.word))
    return isNumberOfName(term.word, text) || (weight < term.weight && !isHour(term.word, text));
  if (!/^\p{Lu}[\p{Ll}'’-]+$/u.test(term.word)) return true;
  const isJoined = covered.some(
    (other) =>
      other.term.isExact &&
      other.share >= NAMED &&
      (text.includes(`${other.term.word} ${term.word}`) || text.includes(`${term.word} ${other.term.word}`)),
  );
  return !isJoined && weight > COMMON_NAME;
}

/** Months, weekdays and short forms are said in other words as often as not: `July` is within `from May to September`. */
const MAY_BE_REPHRASED =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|\p{Lu}{2,4}|\d\p{Lu}{1,3}|\d+(?:-\p{Ll}+)+)$/u;

/**
 * `Heron 3`, `Rookery 4.1` and years tell things apart. Another number is wanted as it is only where something near to the
 * question holds it: `at 8 in the morning` may well be answered by `from 7:00 to 9:00`.
 */
const isNumberOfName = (number: string, text: string) =>
  /^(?:1[5-9]|20)\d{2}$/.test(number) ||
  new RegExp(`\\b\\p{Lu}[\\p{L}-]* ${number.replaceAll(".", "\\.")}(?![\\d%])`, "u").test(text);

const isHour = (number: string, text: string) =>
  new RegExp(
    `\\b(?:after|around|at|before|by|from|since|till|until) ${number.replaceAll(".", "\\.")}(?!\\d| \\p{L}+s\\b)`,
    "iu",
  ).test(text);
