// What `how many` asks to count, and whether a text counts just that. It reads English and knows no types.

import { amountOf } from "./cells.ts";
import { CONTENT_WORD, DETERMINER, PERSON, PLURAL } from "./grammar.ts";
import { isMentioned } from "./match.ts";
import type { Text } from "./stated.ts";
import { type Term, termsOf } from "./terms.ts";
import { type Unit, unitOf } from "./units.ts";

/** Things, or units of what is measured. */
type Counted = { noun: Term } | { unit: Unit };

/** `how many members`, and the text has a bare number and names members elsewhere, or counts other people. */
const NAMED_ELSEWHERE = 0.7;
const OTHER_PEOPLE = 0.7;
/** It counts nothing that it names, or other things. */
const NOTHING_NAMED = 0.5;
const OTHER_THINGS = 0.15;

const THINGS = new RegExp(
  `\\b(?:how many|numbers? of) (?:of (?:${DETERMINER}) |(?:the|our|your) )?((?:${CONTENT_WORD} ){0,2}?(?:${PLURAL}|staff|men|women))\\b`,
  "iu",
);
const UNITS = /\bhow many (?:more |extra )?(\S+)/i;

/** The unit of `how many weeks`. */
export const unitAskedIn = (question: string): Unit | undefined =>
  unitOf(UNITS.exec(question)?.[1]?.replace(/[^\p{L}%°²³]+$/u, "") ?? "");

/** What a question asks to count; undefined if it does not. */
export function countedIn(question: string): Counted | undefined {
  const unit = unitAskedIn(question);
  if (unit) return { unit };
  const noun = termsOf(THINGS.exec(question)?.[1] ?? "").at(-1);
  return noun && { noun };
}

/** How surely a text states the number, 0 to 1. */
export const countsIt = (counted: Counted, text: Text): number =>
  "unit" in counted ? (measures(counted.unit, text) ? 1 : 0) : countsThings(counted.noun, text);

const measures = ({ sort }: Unit, { values, cells = [] }: Text) =>
  values.some((value) => value.sort === sort) ||
  cells.some(({ header, value }) => /\d/.test(value) && amountOf(value, header)?.sort === sort);

const IS_PERSON = new RegExp(`^${PERSON}$`, "i");
const UNCOUNTED = /\b(?:no|none|all|both|half|unlimited|several)\b/i;

function countsThings(noun: Term, { plain, values, cells = [] }: Text): number {
  if (cells.some(({ header, value }) => /\d/.test(value) && isMentioned(noun, header))) return 1;
  const bare = isMentioned(noun, plain) ? NAMED_ELSEWHERE : NOTHING_NAMED;
  const shares = values.map(({ sort, end, noun: own }) => {
    if (sort !== "number") return 0;
    const behind = /^(?:\s+[\p{L}'’-]+){0,3}/u.exec(plain.slice(end, end + 60))?.[0] ?? "";
    if (isMentioned(noun, behind)) return 1;
    const arePeople = IS_PERSON.test(noun.word) && behind.split(/\s+/).some((word) => IS_PERSON.test(word));
    return arePeople ? OTHER_PEOPLE : own === "" ? bare : OTHER_THINGS;
  });
  if (UNCOUNTED.test(plain) && isMentioned(noun, plain)) shares.push(NOTHING_NAMED);
  return Math.max(0, ...shares);
}
