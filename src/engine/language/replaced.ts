// Which values a statement says are no longer valid: `45 euros instead of 40 euros`, `raised from 40 to 45 euros`. It reads
// English.

import type { Value } from "./values.ts";

const BEFORE =
  /\b(?:instead of|rather than|in place of|replac(?:es|ed|ing)|previously|formerly|originally|used to be|no longer|not|up from|down from|(?<=[(,] ?)(?:it )?was)(?: (?:the|any|old|former|previous|earlier|usual|about|only|from|at|until|by|on)){0,3}\s*$/i;
const CHANGED_FROM =
  /\b(?:raised|rais(?:es|ing)|increas\w+|lower(?:s|ed|ing)|reduc\w+|decreas\w+|cut|chang\w+|mov(?:es|ed)|ros(?:e|en)|rises?|fell|fall(?:s|en)?|drop\w*|go(?:es|ne)? (?:up|down)|went (?:up|down)|extend\w+|shorten\w+|grew|grown)\b[^.;]* from\s*$/i;
const BEHIND = /^\s*(?:before|until now|so far|previously|earlier|in the past)\s*(?:[.,;)]|$)/i;

/** Whether a text says of a value in it that it was replaced. */
export function isReplaced(text: string, { start, end }: Pick<Value, "start" | "end">): boolean {
  const before = text.slice(0, start);
  const behind = text.slice(end);
  return (
    BEFORE.test(before) || BEHIND.test(behind) || (CHANGED_FROM.test(before) && /^[^.;]*? to\b/.test(behind))
  );
}
