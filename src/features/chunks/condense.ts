// Summaries: about 200 characters of a chunk, chosen so that they show why it was found.

import { LIMITS } from "../../kernel/limits.ts";
import { fold } from "../../kernel/text.ts";
import { leadingSnippet } from "../../retrieval/snippet.ts";

const LENGTH = LIMITS.highlight.characters;
/** How far before the first matching word a summary may begin, to begin with its sentence. */
const LEAD = 80;
/** Nearer to the end of a text a summary does not begin, even where a sentence does. */
const LEAST = 100;
const SENTENCE_END = /[.!?]["')\]]*\s+|[。！？]|\n\s*/gu;

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

interface Word {
  key: string;
  start: number;
  end: number;
}

/**
 * Makes summaries for one query: of each text the window that holds the most words of the query, from the beginning of
 * its sentence where that is near; the leading part when there is none. Words that stand everywhere in a text, and short
 * ones, say little about any part of it: a word of n occurrences counts its length through √n.
 */
export function condenseFor(query: string): (text: string) => string {
  const wanted = new Set(wordsOf(query).map(({ key }) => key));
  return (text) => {
    const matches = wordsOf(text).filter(({ key }) => wanted.has(key));
    return leadingSnippet(text.slice(startAround(text, matches.length > 0 ? bestStart(matches) : 0)));
  };
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike) words.push({ key: keyOf(segment), start: index, end: index + segment.length });
  }
  return words;
}

/** Forms of a word share a key: it only chooses what to show, so a coarse one that knows no language will do. */
function keyOf(word: string): string {
  const folded = fold(word).replace(/['’]s$/, "");
  return (folded.length > 3 ? folded.replace(/e?s?$/, "") : folded).slice(0, 6);
}

/** Where the best window begins: the earliest of those whose distinct words weigh most. */
function bestStart(matches: Word[]): number {
  const total = new Map<string, number>();
  for (const { key } of matches) total.set(key, (total.get(key) ?? 0) + 1);
  const weight = (key: string) => key.length / Math.sqrt(total.get(key)!);
  const inside = new Map<string, number>();
  let sum = 0;
  let last = 0;
  let best = { start: 0, sum: 0 };
  for (const [index, { key, start }] of matches.entries()) {
    // A word longer than the window still is in its own.
    while (last === index || matches[last]?.end <= start + LENGTH - LEAD) {
      const entering = matches[last++].key;
      const count = inside.get(entering) ?? 0;
      if (count === 0) sum += weight(entering);
      inside.set(entering, count + 1);
    }
    if (sum > best.sum + 1e-9) best = { start, sum };
    const left = inside.get(key)! - 1;
    inside.set(key, left);
    if (left === 0) sum -= weight(key);
  }
  return best.start;
}

/** The beginning of the sentence, or else of a word, shortly before `at`; in time for the summary not to be short. */
function startAround(text: string, at: number): number {
  const end = text.trimEnd().length;
  if (at <= LEAD || end <= LENGTH) return 0;
  const from = at - LEAD;
  const [sentence] = [...text.slice(from, at).matchAll(SENTENCE_END)].slice(-1);
  const begin = sentence ? from + sentence.index + sentence[0].length : end;
  if (begin <= end - LEAST) return begin;
  const early = Math.min(from, end - LENGTH);
  const space = /\s+/u.exec(text.slice(early, at));
  return space ? early + space.index + space[0].length : at;
}
