// Short excerpts to show with a hit. They start and end between words and contain no line breaks.

import { LIMITS } from "../../kernel/limits.ts";
import { cutUnits, textFrom } from "../../kernel/text.ts";
import { literalForm, positionInText } from "../words/normalize.ts";

const MAX_LENGTH = LIMITS.highlight.characters;
/** Maximum number of UTF-16 units before a match. */
const MAX_LEAD = 60;

const oneLine = (text: string) => text.replace(/\s+/gu, " ").trim();

/** The start of a text, at most LIMITS.highlight.characters UTF-16 units and an ellipsis. */
export function leadingSnippet(text: string): string {
  return endAtWord(oneLine(cutUnits(text, MAX_LENGTH * 4)));
}

/** An excerpt around the first literal match of `query`, or undefined when there is none. */
export function snippetAround(text: string, query: string): string | undefined {
  const at = literalForm(text).indexOf(literalForm(query));
  return at < 0 ? undefined : excerptAt(text, positionInText(text, at));
}

function excerptAt(text: string, at: number): string {
  const start = Math.max(0, at - MAX_LEAD);
  const from = start === 0 ? 0 : start + Math.max(0, text.slice(start, at).search(/\s/u));
  return endAtWord(oneLine(textFrom(text, from).slice(0, MAX_LENGTH * 2)));
}

/** Cuts a text after a word within MAX_LENGTH, unless that would remove half of it. */
function endAtWord(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const cut = cutUnits(text, MAX_LENGTH);
  const space = cut.lastIndexOf(" ");
  return `${space > MAX_LENGTH / 2 ? cut.slice(0, space) : cut}…`;
}
