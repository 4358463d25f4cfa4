// Which dates in the first lines of a document say when it was written. It reads English.

import type { Value } from "./values.ts";

type Place = Pick<Value, "start" | "end">;

const MARK =
  /\b(?:as of|version|edition|release|updat(?:e|ed)|chang(?:e|ed)|revis(?:ion|ed)|modified|valid|effective|in force|issued|published|printed|written|dated?|status)\b(?:[^.;\n]|\.\d){0,20}$/i;
const EVENT =
  /\b(?:since|found(?:ed|ation)|established|built|born|opened|history|dates? from|until|till|by|before|deadline)\b[^.;\n]{0,20}$/i;
const MAX_WORDS = 6;

const lineBefore = (text: string, { start }: Place) =>
  text.slice(text.lastIndexOf("\n", start - 1) + 1, start);

/** Whether a date is that of an event, as in `founded in 1952`, or a deadline. */
export const isPastEvent = (text: string, place: Place): boolean => EVENT.test(lineBefore(text, place));

/** Whether a date is said to be that of the document, or ends a short line that is no sentence. */
export function isOwnDate(text: string, place: Place): boolean {
  const before = lineBefore(text, place);
  if (EVENT.test(before)) return false;
  const endsLine = /^[^\p{L}\p{N}.\n]*(?:\n|$)/u.test(text.slice(place.end));
  return MARK.test(before) || (endsLine && before.trim().split(/\s+/).length <= MAX_WORDS);
}
