// Splits prose into sentences. It reads inline Markdown only as far as code spans and the bold terms of a glossary go.

import { sentenceEnd } from "./ends.ts";

const ABBREVIATION =
  /(?:^|[\s("'])(?:(?:\p{L}\.)+\p{L}|(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|Rev|Gen|Col|Capt|Lt|Sgt|Hon|vs|cf|e\.g|i\.e|approx|ca|no|nos|fig|figs|vol|pp|ch|sec|art|ed|eds|al|etc|tel|fax|mob|ref|incl|excl|max|min|dept|est|ext|inc|ltd|co|corp|bros|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|z\.B|bzw|usw|Nr|Abs|Hr|Fr))\.$/iu;
/** Abbreviations that often are the last word of a sentence. */
const MAY_END = /(?:^|\s)(?:etc|inc|ltd|co|corp|no|max|min|al|\p{L}\.(?:\p{L}\.)+)\.?$/iu;

/** One capital letter, as in `J. Smith`, and words that such a letter follows as a label, as in `gate B`. */
const INITIAL = /(?:^|[\s("'])\p{Lu}\.$/u;
const LABELLED =
  /\b(?:appendix|annex|area|band|bay|berth|block|box|building|category|class|court|deck|door|entrance|exhibit|exit|figure|form|gate|grade|group|hall|house|key|lane|level|line|list|lot|model|option|part|phase|pitch|plan|platform|room|route|row|schedule|section|set|side|site|size|stage|stand|step|table|tariff|team|track|type|unit|version|vitamin|ward|wing|zone) \p{Lu}\.$/iu;
/** Behind such a letter, these begin the next sentence; other words with a capital may be a name. */
const STARTS =
  /^(?:all|an?|and|as|at|before|after|but|by|do|each|every|for|from|he|here|his|her|how|i|if|in|is|it|its|my|no|not|now|of|on|only|or|our|please|she|so|some|that|the|their|then|there|these|they|this|those|to|until|we|what|when|where|which|while|who|with|you|your)\b(?!\.)/i;

/** An ordinal of German and other languages that write a full stop after it: `am 14. Juni`, `im 3. Stock`. */
const ORDINAL = /(?:^|[\s(])\d{1,2}\.$/u;
const GERMAN_ORDINAL =
  /(?:^|[\s(])(?:am|vom|zum|bis|der|die|das|dem|den|des|im|beim|ab|seit|jede[rsmn]?) \d{1,3}\.$/iu;
const MONTHS = new Set(
  ["de", "da", "nb", "fi", "is", "cs", "sk", "sl", "hr", "hu", "et", "lv"].flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { day: "numeric", month: "long", timeZone: "UTC" });
    return Array.from({ length: 12 }, (_, month) => {
      const parts = format.formatToParts(Date.UTC(2026, month, 1));
      return parts.find(({ type }) => type === "month")!.value.toLowerCase();
    });
  }),
);
/** `14. 6. 2026`, of which the text before may have two numbers. */
const REST_OF_DATE = /^\d{1,2}\.\s?\d{2,4}\b/;
const isDate = (before: string, after: string) =>
  REST_OF_DATE.test(after) || (/\b\d{1,2}\.\s?\d{1,2}\.$/.test(before) && /^\d{2,4}\b/.test(after));

/** UTF-16 units before and after a full stop that decide whether it ends a sentence. */
const NEAR = 120;

/** The number of a paragraph, which may be in bold. */
const NUMBERING = /^[*_]*\d{1,3}(?:\.\d{1,3})*\.$/;

/** The term that a glossary entry explains, and a bare yes or no, belong to the sentence after them. */
const BEGINS_ENTRY =
  /^(?:(\*\*|__)[^*_]{0,79}[^*_?]\1[.:]?|(?:\*\*|__)?(?:yes|no|not? really)[.,!:](?:\*\*|__)?)$/i;

/**
 * The sentences of a text, trimmed. A full stop after an abbreviation, an initial or a paragraph's number, or inside a
 * code span, ends no sentence.
 */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let marks = 0;
  for (let at = 0; at < text.length; ) {
    const end = sentenceEnd(text, at, text.length);
    marks += text.slice(at, end).split("`").length - 1;
    at = end;
    const sentence = text.slice(start, at).trim();
    const isOpen = marks % 2 === 1 || BEGINS_ENTRY.test(sentence) || NUMBERING.test(sentence);
    if (at < text.length && (isOpen || isInside(sentence.slice(-NEAR), text.slice(at, at + NEAR)))) continue;
    if (sentence !== "") sentences.push(sentence);
    start = at;
    marks = 0;
  }
  return sentences;
}

/** Whether the full stop between two texts belongs to an abbreviation or an initial. */
function isInside(before: string, after: string): boolean {
  const isCapital = /^\p{Lu}/u.test(after);
  const mayEnd = isCapital && MAY_END.test(before) && before.split(/\s+/).length > 3;
  if (ABBREVIATION.test(before) && !mayEnd) return true;
  if (ORDINAL.test(before)) {
    const [word = ""] = /^\p{L}+/u.exec(after) ?? [];
    if (MONTHS.has(word.toLowerCase()) || isDate(before, after) || GERMAN_ORDINAL.test(before)) return true;
  }
  return isCapital && !STARTS.test(after) && INITIAL.test(before) && !LABELLED.test(before);
}
