// Splits prose into sentences. It reads inline Markdown only as far as code spans and the bold terms of a glossary go.

import { sentenceEnd } from "./ends.ts";

const ABBREVIATION =
  /(?:^|[\s("'])(?:(?:\p{L}\.)+\p{L}|(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|Rev|Gen|Col|Capt|Lt|Sgt|Hon|vs|cf|e\.g|i\.e|approx|ca|no|nos|fig|figs|vol|pp|ch|sec|art|ed|eds|al|etc|incl|excl|max|min|dept|est|ext|inc|ltd|co|corp|bros|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|z\.B|bzw|usw|Nr|Abs|Hr|Fr))\.$/iu;
/** Abbreviations that often are the last word of a sentence. */
const MAY_END = /(?:^|\s)(?:etc|inc|ltd|co|corp|no|max|min|al|\p{L}\.(?:\p{L}\.)+)\.?$/iu;

/** One capital letter, as in `J. Smith`, and words that such a letter follows as a label, as in `gate B`. */
const INITIAL = /(?:^|[\s("'])\p{Lu}\.$/u;
const LABELLED =
  /\b(?:appendix|annex|area|band|bay|berth|block|box|building|category|class|court|deck|door|entrance|exhibit|exit|figure|form|gate|grade|group|hall|house|key|lane|level|line|list|lot|model|option|part|phase|pitch|plan|platform|room|route|row|schedule|section|set|side|site|size|stage|stand|step|table|tariff|team|track|type|unit|version|vitamin|ward|wing|zone) \p{Lu}\.$/iu;
/** Behind such a letter, these begin the next sentence; other words with a capital may be a name. */
const STARTS =
  /^(?:all|an?|and|as|at|before|after|but|by|do|each|every|for|from|he|here|his|her|how|i|if|in|is|it|its|my|no|not|now|of|on|only|or|our|please|she|so|some|that|the|their|then|there|these|they|this|those|to|until|we|what|when|where|which|while|who|with|you|your)\b(?!\.)/i;

const LONGEST_WORD = 40;

/** The number of a paragraph, which may be in bold. */
const NUMBERING = /^[*_]*\d{1,3}(?:\.\d{1,3})*\.$/;

/** The term that a glossary entry explains, and a bare yes or no, belong to the sentence after them. */
const BEGINS_ENTRY =
  /^(?:(\*\*|__)[^*_]{1,80}\1[.:]?|(?:\*\*|__)?(?:yes|no|not? really)[.,!:](?:\*\*|__)?)$/i;

/**
 * The sentences of a text, trimmed. A full stop after an abbreviation, an initial or a paragraph's number, or inside a code
 * span, ends no sentence.
 */
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
    const behind = text.slice(at, at + LONGEST_WORD);
    const isName = /^\p{Lu}/u.test(behind) && !STARTS.test(behind);
    const isInitial = isName && INITIAL.test(trimmed) && !LABELLED.test(trimmed);
    if (at < text.length && (insideCode || isShortened || isInitial || isTerm || NUMBERING.test(trimmed)))
      continue;
    if (trimmed !== "") sentences.push(trimmed);
    open = "";
  }
  if (open.trim() !== "") sentences.push(open.trim());
  return sentences;
}
