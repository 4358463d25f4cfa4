// Splits a question into parts that are answered separately, each with its type and the words that an answer should be
// about.

import { sentencesOf } from "../../chunking/sentences.ts";
import type { QuestionType } from "./question-types.ts";
import { isComparison, questionsAmong, splitQuestion } from "./split.ts";
import { isLightWord, isStopWord, type Term, termsOf } from "../../text/terms.ts";
import { typeOf } from "./type-of-question.ts";
import type { ChunkHit } from "../2-passages/passages.ts";

interface QuestionTerm extends Term {
  /** Importance for the part before evidence is known, 0 to 1. */
  weight: number;
}

export interface QuestionPart {
  /** As it was asked, without the conjunction before it. */
  text: string;
  /** What is searched for: the part with what it inherits from the parts before it. */
  search: string;
  type: QuestionType;
  /** If it asks for the tasks that are open or done: that mark. */
  state?: "[ ]" | "[x]";
  /** The words of this part, then words of earlier parts with less weight. */
  terms: QuestionTerm[];
  /** The whole question for a difference, of which this is the last part. */
  comparison?: { text: string; search: string; terms: QuestionTerm[] };
}

/** A part with how search ranks the chunks of the evidence for it, by chunk id. */
export interface SearchedPart extends QuestionPart {
  hits: ReadonlyMap<string, ChunkHit>;
}

/** Further parts are joined to the last one. */
const MAX_PARTS = 4;
const LIGHT = 0.35;
const INHERITED = 0.5;
const REFERS_BACK =
  /\b(?:it|its|it's|they|them|their|he|him|his|she|her|one|ones|this|that|these|those|there|then|so|each|same)\b/i;

/** Also before a lower-case letter; not behind a blank: `What does the ? character mean`. */
const ENDS_QUESTION = /(?<=[^\s?!][?!]+)\s+/;

/** The parts of a question; there is always at least one. */
export function partsOf(question: string): QuestionPart[] {
  const whole = question.replace(/\s+/g, " ").trim();
  const sentences = whole === "" ? [whole] : sentencesOf(whole).flatMap((one) => one.split(ENDS_QUESTION));
  const asking = questionsAmong(sentences);
  const around = asking.length > 0 ? sentences.filter((one) => !asking.includes(one)).join(" ") : "";
  const pieces = (asking.length > 0 ? asking : sentences).flatMap(splitQuestion);
  if (pieces.length > MAX_PARTS)
    pieces.splice(MAX_PARTS - 1, Infinity, pieces.slice(MAX_PARTS - 1).join(" and "));

  // `What now?` and `and by whom?` ask nothing on their own.
  const asksItself = (piece: string) =>
    piece.split(" ").length > 2 || weighed(piece).some(({ weight }) => weight >= 1);
  const isComplete = pieces.some(asksItself);
  for (let i = pieces.length - 1; i > 0; i--)
    if (!asksItself(pieces[i]!)) pieces.splice(i - 1, 2, `${pieces[i - 1]} and ${pieces[i]}`);
  if (around !== "" && !isComplete) pieces.splice(0, Infinity, whole);

  const parts: QuestionPart[] = [];
  let known = weighed(around);
  for (const piece of pieces) {
    const own = weighed(piece);
    const telling = own.filter(({ weight }) => weight >= 1);
    // A part with a pronoun, or with hardly any words of its own, is about the topic of the parts before it.
    const isFollowUp = REFERS_BACK.test(piece) || telling.length < 2;
    const inherited = isFollowUp || around !== "" ? inheritable(known, own) : [];
    const isFirst = parts.length === 0;
    const at = whole.indexOf(piece);
    // A piece that was put together is not in the question as it is.
    const before = at >= 0 ? whole.slice(0, at) : pieces.slice(0, parts.length).join(" ");
    const topic = inherited.length === 0 ? "" : isFirst ? around : before;
    const type = typeOf(piece);
    const state = type.name === "yes-no" ? undefined : stateIn(piece);
    const implied = [type.implied, state && STATE_WORDS];
    const terms = own.map((term) =>
      implied.some((words) => words?.test(term.word)) ? { ...term, weight: LIGHT } : term,
    );
    parts.push({
      text: piece.replace(/[\s?!.,;:]+$/, ""),
      search: `${topic} ${piece}`.trim(),
      type,
      ...(state && { state }),
      terms: [...terms, ...inherited.map((term) => ({ ...term, weight: term.weight * INHERITED }))],
    });
    known = merged([...known, ...own]);
  }
  const compared = asking.find(isComparison);
  if (compared !== undefined)
    parts.at(-1)!.comparison = { text: compared, search: compared, terms: weighed(compared) };
  return parts;
}

/** Words that ask for tasks, and their state. */
const STATE_WORDS =
  /^(?:tasks?|todos?|items?|things?|points?|steps?|still|yet|left|open|done|finished|completed?|pending|outstanding|undone|unfinished|remaining|remains?|already)$/i;
const OPEN =
  /\b(?:open|(?<!\b(?:have|has|need|want|wish|like|going|able) )to[ -]?do|undone|unfinished|outstanding|pending|remaining|remains?|not (?:yet )?(?:done|finished|completed?))\b|\bstill\b.*\b(?:left|missing|done)\b/i;
const DONE = /\b(?:done|finished|completed?|ticked off)\b/i;

/** The state of tasks that a question asks for, if it asks for tasks. */
function stateIn(text: string): QuestionPart["state"] {
  return OPEN.test(text) ? "[ ]" : DONE.test(text) ? "[x]" : undefined;
}

/** Examples in a question need not occur in the answer. */
const EXAMPLE = /\b(?:for example|for instance|e\.g\.|such as|say,)\s+[^,;.?]+/gi;

function weighed(text: string): QuestionTerm[] {
  return merged(
    termsOf(text.replace(EXAMPLE, " "))
      .filter(({ word, isExact }) => isExact || !isStopWord(word))
      .map((term) => ({ ...term, weight: term.isExact || !isLightWord(term.word) ? 1 : LIGHT })),
  );
}

function merged(terms: QuestionTerm[]): QuestionTerm[] {
  const byStem = new Map<string, QuestionTerm>();
  for (const term of terms) {
    const known = byStem.get(term.stem);
    if (!known || known.weight < term.weight) byStem.set(term.stem, term);
  }
  return [...byStem.values()];
}

/** What a part inherits: no words of its own, and no year, version or code if it has one of its own. */
function inheritable(known: QuestionTerm[], own: QuestionTerm[]): QuestionTerm[] {
  const stems = new Set(own.map(({ stem }) => stem));
  const hasNumber = own.some(({ word, isExact }) => isExact && /\d/.test(word));
  return known.filter(
    ({ stem, word, isExact }) => !stems.has(stem) && !(hasNumber && isExact && /\d/.test(word)),
  );
}
