// Short pieces of text to show beside a hit: they begin and end between words and stand on one line.

import { LIMITS } from "../kernel/limits.ts";
import { cutUnits } from "../kernel/text.ts";
import { foldForTrigrams } from "./rows.ts";

const LENGTH = LIMITS.highlight.characters;
/** How much stands before a match. */
const LEAD = 60;

const oneLine = (text: string) => text.replace(/\s+/gu, " ").trim();

/** The leading part of a text, about 200 characters, ending at a word. */
export function leadingSnippet(text: string): string {
  return endAtWord(oneLine(cutUnits(text, LENGTH * 4)));
}

/** The part of a text around the first literal match of `query`, or undefined when there is none. */
export function snippetAround(text: string, query: string): string | undefined {
  const folded = foldForTrigrams(text);
  const at = folded.indexOf(foldForTrigrams(query));
  if (at < 0) return undefined;
  // Folding may change lengths ("İ", "ﬁ"): then the place in the original is only near, and the start serves as well.
  const start = folded.length === text.length ? Math.max(0, at - LEAD) : 0;
  const from = start === 0 ? 0 : start + Math.max(0, text.slice(start, at).search(/\s/u));
  return endAtWord(oneLine(text.slice(from, from + LENGTH * 2)));
}

function endAtWord(text: string): string {
  if (text.length <= LENGTH) return text;
  const cut = cutUnits(text, LENGTH);
  const space = cut.lastIndexOf(" ");
  return `${space > LENGTH / 2 ? cut.slice(0, space) : cut}…`;
}
