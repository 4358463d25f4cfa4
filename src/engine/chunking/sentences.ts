// Splits prose into sentences. It reads inline Markdown only as far as code spans and the bold terms of a glossary go.

import { sentenceEnd } from "./ends.ts";

const ABBREVIATION =
  /(?:^|[\s("'])(?:(?:\p{L}\.)+|(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|Rev|Gen|Col|Capt|Lt|Sgt|Hon|vs|cf|e\.g|i\.e|approx|ca|no|nos|fig|figs|vol|pp|ch|sec|art|ed|eds|al|etc|incl|excl|max|min|dept|est|ext|inc|ltd|co|corp|bros|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|z\.B|bzw|usw|Nr|Abs|Hr|Fr))\.$/iu;
/** Abbreviations that often are the last word of a sentence. */
const MAY_END = /(?:^|\s)(?:etc|inc|ltd|co|corp|no|max|min|al|\p{L}\.(?:\p{L}\.)+)\.?$/iu;

/** The term that a glossary entry explains, and a bare yes or no, belong to the sentence after them. */
const BEGINS_ENTRY =
  /^(?:(\*\*|__)[^*_]{1,80}\1[.:]?|(?:\*\*|__)?(?:yes|no|not? really)[.,!:](?:\*\*|__)?)$/i;

/** The sentences of a text, trimmed. A full stop after an abbreviation or inside a code span ends no sentence. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let open = "";
  for (let at = 0; at < text.length; ) {
    const end = sentenceEnd(text, at, text.length);
    open += text.slice(at, end);
    at = end;
    const trimmed = open.trim();
    const isTerm = BEGINS_ENTRY.test(trimmed);
    const insideCode = (trimmed.match(/`/g)?.length ?? 0) % 2 === 1;
    const isShortened =
      ABBREVIATION.test(trimmed) &&
      !(MAY_END.test(trimmed) && /^\p{Lu}/u.test(text.slice(at)) && trimmed.split(/\s+/).length > 3);
    if (at < text.length && (insideCode || isShortened || isTerm)) continue;
    if (trimmed !== "") sentences.push(trimmed);
    open = "";
  }
  if (open.trim() !== "") sentences.push(open.trim());
  return sentences;
}
