// Recognizes what a question asks for, by the table of types, and whether a text states it. It knows no evidence.

import { AUXILIARY, PREPOSITION, QUESTION_WORD } from "./grammar.ts";
import { QUESTION_TYPES, type QuestionType } from "./question-types.ts";
import type { Value } from "./values.ts";

/** Asked politely or as a report: `Can you tell me who …`, `Do you know when …`. */
const POLITE =
  /^(?:can|could|would|will|do|does|please)\b.{0,25}\b(?:tell|say|know|explain|show|give|describe|remember|remind)\b(?: me| us)?(?: of| about)?\s+|^(?:(?:can|could|would|will) you )?(?:please )?(?=(?:list|name)\b)/i;
/** `If the lamp is red, what …` asks `what …`. */
const CONDITION = new RegExp(
  `^(?:if|when|while|once|unless|because|in case|given|suppose|${PREPOSITION})\\b(?:(?!\\b(?:${QUESTION_WORD})\\b)[^,])*,\\s*(?=(?:(?:${PREPOSITION}) )?(?:${QUESTION_WORD}|${AUXILIARY})\\b)`,
  "i",
);
const AUXILIARY_FIRST = new RegExp(`^(?:(?:and|but|so|then|also) )?(?:${AUXILIARY})\\b`, "i");
const WHETHER = new Set(["permission", "yes-no", "statement"]);

/** The type of one part of a question. */
export function typeOf(text: string): QuestionType {
  const asked = text.trim().replace(CONDITION, "").replace(POLITE, "");
  const isWhether = AUXILIARY_FIRST.test(asked);
  // `Does it pay people who …` is a yes/no question and does not ask for a person.
  return QUESTION_TYPES.find(({ name, asks }) => (!isWhether || WHETHER.has(name)) && asks.test(asked))!;
}

/** Whether a text states what a type asks for: 1 yes, 0 no, 0.5 if the type does not tell. */
export function satisfies(type: QuestionType, text: string, values: readonly Value[]): number {
  if (!type.values && !type.says) return 0.5;
  if (type.values && values.some(({ sort }) => type.values!.includes(sort))) return 1;
  if (type.says?.test(text)) return type.values ? 0.6 : 1;
  return 0;
}
