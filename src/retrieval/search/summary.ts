// Summaries of chunks for a query: about 200 characters that show why a chunk was found.

import { LIMITS } from "../../kernel/limits.ts";
import { plainForm, wordForm } from "../words/normalize.ts";
import { leadingSnippet } from "./snippet.ts";

const LENGTH = LIMITS.highlight.characters;
/** How far before the first matching word a summary may start, in order to start with its sentence. */
const MAX_LEAD = 80;
/** A summary starts at a sentence only if at least this much text follows. */
const MIN_LENGTH = 100;
const SENTENCE_END = /[.!?]["')\]]*\s+|[。！？]|\n\s*/gu;

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

interface Word {
  key: string;
  start: number;
  end: number;
}

/**
 * Returns a function that summarizes texts for one query: it returns the window with the highest weight of the query's
 * words, from the start of the sentence if that is near, or the start of a text without any of them. The weight of a
 * word with n occurrences in the text is its length divided by √n, so that rare and long words decide.
 */
export function summarizerFor(query: string): (text: string) => string {
  // `HF204` and `hf_204` mean `HF-204`, of which the text has two words.
  const inParts = query.replace(/_|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, " ");
  const wanted = new Set([...wordsOf(query), ...wordsOf(inParts)].map(({ key }) => key));
  return (text) => {
    const matches = wordsOf(text).filter(({ key }) => wanted.has(key));
    return leadingSnippet(text.slice(startBefore(text, matches.length > 0 ? bestStart(matches) : 0)));
  };
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike) words.push({ key: keyOf(segment), start: index, end: index + segment.length });
  }
  return words;
}

/** Forms of a word have the same key. This coarse stemming of any language suffices to choose a window. */
function keyOf(word: string): string {
  const folded = wordForm(plainForm(word)).replace(/['’]s$/, "");
  return (folded.length > 3 ? folded.replace(/e?s?$/, "") : folded).slice(0, 6);
}

/** The start of the earliest window whose distinct words have the highest weight. */
function bestStart(matches: readonly Word[]): number {
  const total = new Map<string, number>();
  for (const { key } of matches) total.set(key, (total.get(key) ?? 0) + 1);
  const weightOf = (key: string) => key.length / Math.sqrt(total.get(key) ?? 1);
  const inside = new Map<string, number>();
  let sum = 0;
  let last = 0;
  let best = { start: 0, sum: 0 };
  for (const [index, { key, start }] of matches.entries()) {
    for (let entering = matches[last]; entering; entering = matches[last]) {
      // The first word of a window is in it, even if it is longer than the window.
      if (last !== index && entering.end > start + LENGTH - MAX_LEAD) break;
      last++;
      const count = inside.get(entering.key) ?? 0;
      if (count === 0) sum += weightOf(entering.key);
      inside.set(entering.key, count + 1);
    }
    if (sum > best.sum + 1e-9) best = { start, sum };
    const left = (inside.get(key) ?? 1) - 1;
    inside.set(key, left);
    if (left === 0) sum -= weightOf(key);
  }
  return best.start;
}

/** The start of the sentence, or else of a word, shortly before `at`, but early enough for a summary of full length. */
function startBefore(text: string, at: number): number {
  const end = text.trimEnd().length;
  if (at <= MAX_LEAD || end <= LENGTH) return 0;
  const from = at - MAX_LEAD;
  const [sentence] = [...text.slice(from, at).matchAll(SENTENCE_END)].slice(-1);
  const start = sentence ? from + sentence.index + sentence[0].length : end;
  if (start <= end - MIN_LENGTH) return start;
  const early = Math.min(from, end - LENGTH);
  const space = /\s+/u.exec(text.slice(early, at));
  return space ? early + space.index + space[0].length : at;
}
