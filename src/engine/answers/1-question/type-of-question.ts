// Recognizes what a question asks for, by the table of types.

import { AUXILIARY, DETERMINER, PREPOSITION, PRONOUN, QUESTION_WORD } from "./grammar.ts";
import { QUESTION_TYPES, type QuestionType } from "./question-types.ts";

/** Asked politely or as a report: `Can you tell me who …`, `Do you know when …`. */
const POLITE =
  /^(?:can|could|would|will|do|does|please)\b.{0,25}\b(?:tell|say|know|explain|show|give|describe|remember|remind)\b(?: me| us)?(?: of| about)?\s+|^(?:(?:can|could|would|will) you )?(?:please )?(?=(?:list|name)\b)/i;
/** `If the lamp is red, what …` asks `what …`. */
const CONDITION = new RegExp(
  `^(?:if|when|while|once|unless|because|in case|given|suppose|${PREPOSITION})\\b(?:(?!\\b(?:${QUESTION_WORD})\\b)[^,])*,\\s*(?=(?:(?:${PREPOSITION}) )?(?:${QUESTION_WORD}|${AUXILIARY})\\b)`,
  "i",
);
/** `I am abroad, may my brother …` asks `may my brother …`. */
const REPORT = new RegExp(
  `^(?!(?:${QUESTION_WORD}|${AUXILIARY}|${PREPOSITION})\\b)(?:(?!\\b(?:${QUESTION_WORD})\\b).)*[,;–-] (?=(?:${AUXILIARY}) (?:${PRONOUN}|${DETERMINER})\\b)(?!(?:is|are|isn't|aren't|do|does|don't|doesn't) (?:${PRONOUN})\\W*$)`,
  "i",
);
/** Words that do not change what is asked for. */
const EMPHASIS = /\b(?:exactly|actually|really|precisely|on earth|currently) (?=\S)/gi;
/** Frequent misspellings of question words. */
const MISSPELLED: readonly (readonly [RegExp, string])[] = [
  [/\bwich\b/gi, "which"],
  [/\b(what|who|where|when|how)s\b(?= (?:an?|the|my|our|your)\b)/gi, "$1's"],
];
const AUXILIARY_FIRST = new RegExp(`^(?:(?:and|but|so|then|also) )?(?:${AUXILIARY})\\b`, "i");
const WHETHER = new Set(["yes-no", "statement"]);

/** The type of one part of a question. */
export function typeOf(text: string): QuestionType {
  const spelled = MISSPELLED.reduce((whole, [wrong, right]) => whole.replace(wrong, right), text.trim());
  const asked = spelled.replace(EMPHASIS, "").replace(CONDITION, "").replace(POLITE, "").replace(REPORT, "");
  const isWhether = AUXILIARY_FIRST.test(asked);
  // `Does it pay people who …` is a yes/no question and does not ask for a person.
  return QUESTION_TYPES.find(({ name, asks }) => (!isWhether || WHETHER.has(name)) && asks.test(asked))!;
}
