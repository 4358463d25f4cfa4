// Decides whether a unit answers a part of the question at all. The weights and the threshold were tuned on
// test/quality/reason, and no script can fit them again: on questions about unseen documents 0.51 of the facts are found.

import type { QuestionPart } from "./question.ts";
import { type Coverage, needsAgreement, type Score, shareCovered } from "./score.ts";

/** Minimum coverage of a name, code or number of the question: it occurs at least in the chunk, headings or title. */
const NAMED = 0.3;
const MIN_AGREEMENT = 0.5;
/** A name of a lower weight occurs in more than about every sixth text near the question. */
const COMMON_NAME = 0.6;
/** Minimum coverage of a row's key: a word of the part that is in a cell and in no header. */
const KEYED = 0.6;

const PASSES = 0.82;
const ALONE = 0.4;
const IN_PLACE = 0.3;
/** Additional weight of the part's own words over inherited ones. */
const OWN = 0.6;
const MIN_OWN_WORDS = 2;
const NOT_ASKED_FOR = 0.4;
const NOT_OF_KIND = 0.7;
/** Weight of the score margin over the next candidate. */
const MARGIN = 0.8;
const MAX_MARGIN = 0.4;

/** Whether a unit answers; `next` is the next candidate with another statement. */
export function passes(part: QuestionPart, score: Score, next: Score | undefined): boolean {
  if (!mayAnswer(part, score)) return false;
  const said = score.covered.filter(({ term }) => part.terms.includes(term));
  const own =
    said.filter(({ term }) => term.weight >= 1).length < MIN_OWN_WORDS ? score.coverage : shareCovered(said);
  let worth = ALONE * score.alone + IN_PLACE * score.inPlace + score.coverage + OWN * (own - score.coverage);
  worth -= NOT_ASKED_FOR * (1 - askedShare(part, score.covered));
  if (part.type === "person" || part.type === "reason" || needsAgreement(part.type))
    worth -= NOT_OF_KIND * (1 - score.agreement);
  const margin = next ? score.total - next.total : 0;
  return worth + MARGIN * Math.max(0, Math.min(MAX_MARGIN, margin)) >= PASSES;
}

/** Whether a unit has what every answer to the part needs: the names asked for, the kind of thing, a row's key. */
export function mayAnswer(
  part: QuestionPart,
  { unit, agreement, covered }: Pick<Score, "unit" | "agreement" | "covered">,
): boolean {
  // A sentence that ends with a colon announces an answer and contains none.
  if (unit.kind === "sentence" && (/[:：]$/.test(unit.plain) || IS_FRAGMENT.test(unit.plain))) return false;
  if (needsAgreement(part.type) && agreement < MIN_AGREEMENT) return false;
  if (covered.some((one) => isMissingName(one, part, covered))) return false;
  if (unit.kind !== "row") return true;
  const keys = covered.filter(({ term, inHeader }) => !inHeader && term.weight >= 0.5);
  const own = keys.filter(({ term }) => part.terms.includes(term));
  const decisive = own.length > 0 ? own : keys;
  return decisive.length === 0 || decisive.some(({ share, inPlace }) => share >= KEYED && !inPlace);
}

/** The continuation of a sentence that is not there, such as the parties below the heading `Agreement`. */
const IS_FRAGMENT = /^(?:and|between|by|of|or|with)\b/;

/** How likely a unit is about the thing asked for by name; 1 where the kind of value identifies it. */
function askedShare({ type, asked, text }: QuestionPart, covered: readonly Coverage[]): number {
  if (needsAgreement(type) && !/\bhow (?:many|much)\b/i.test(text)) return 1;
  const named = covered.filter(({ term }) => term.weight >= 1 && asked.includes(term.stem));
  if (named.length === 0) return 1;
  // The last word of a name says what it is: a `language school` is no `school language`.
  return Math.min(named.at(-1)!.share, named.reduce((sum, { share }) => sum + share, 0) / named.length);
}

/**
 * Whether a name of the part itself is missing. A common one, such as the name of the company that all documents are about,
 * may be missing; of a name of two words one is enough.
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

/** Months, weekdays and short forms are often expressed otherwise: `July` is within `from May to September`. */
const MAY_BE_REPHRASED =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|\p{Lu}{2,4}|\d\p{Lu}{1,3}|\d+(?:-\p{Ll}+)+)$/u;

/**
 * Whether a number is part of a name or a year, as in `Heron 3` and `Rookery 4.1`. Any other is required only if a text
 * near the question contains it: `at 8 in the morning` may be answered by `from 7:00 to 9:00`.
 */
const isNumberOfName = (number: string, text: string) =>
  /^(?:1[5-9]|20)\d{2}$/.test(number) ||
  new RegExp(`\\b\\p{Lu}[\\p{L}-]* ${number.replaceAll(".", "\\.")}(?![\\d%])`, "u").test(text);

const isHour = (number: string, text: string) =>
  new RegExp(
    `\\b(?:after|around|at|before|by|from|since|till|until) ${number.replaceAll(".", "\\.")}(?!\\d| \\p{L}+s\\b)`,
    "iu",
  ).test(text);
