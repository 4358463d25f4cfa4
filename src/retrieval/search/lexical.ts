// The lexical score of chunks: BM25 over the word index, as a fraction of the maximum that the query could reach. So a
// score means the same for every query and every corpus.

import type { Database } from "bun:sqlite";
import type { LiveView } from "./live-index.ts";
import { failOnProblem, openPostings, type Postings, type ReportProblem } from "./postings.ts";
import { type IndexState, isSameState } from "./resident-index.ts";
import { largest } from "../vectors/top-values.ts";
import { openQueryTokenizer, type QueryTerm } from "../words/words.ts";

/** The lexical scores for one query, from 0 to 1. Valid until the next search. */
export interface LexicalScores {
  /**
   * The fraction of the query's terms that are codes (letters and digits in one word: `E1009`) and not in a chunk, by
   * its ordinal in the view. The vectors of all codes are similar, so the dense score of such a chunk means little.
   */
  missingCodes(ordinal: number): number;
  /** Whether a chunk contains all terms of a short query, or all codes of any query. */
  containsAll(ordinal: number): boolean;
  /** The score of a chunk. */
  scoreOf(ordinal: number): number;
  /**
   * Keys of the `count` best chunks with a score above 0 that the filter allows: those that contain all terms, then
   * those with the highest scores; ties by key.
   */
  best(count: number): number[];
}

export interface LexicalSearch {
  /**
   * Scores all chunks of the view. Call it inside the view's transaction. The scores are used again if the last search
   * was for the same words in the same state of the index.
   */
  search(view: LiveView, query: string): LexicalScores;
}

/** BM25's saturation of repeated words and weight of the length (Robertson & Zaragoza 2009). */
const K1 = 1.2;
const B = 0.75;

/**
 * The passage length, in words, that BM25 neither favours nor penalizes. A constant instead of the corpus average, so
 * that a score does not depend on what else is stored; from 110 to 180 five collections hardly differ.
 */
const TYPICAL_LENGTH = 150;

/** The maximum score is the sum of this many of the heaviest terms: no single passage contains all of a long query. */
const MAX_EXPECTED_TERMS = 6;
/** Minimum of the maximum score, in weights of an unknown word: a query of common words alone scores low. */
const MIN_EXPECTED_WEIGHT = 0.5;

/** Only the heaviest terms of a query are scored; more terms only cost time. Each has a bit in 32. */
const MAX_TERMS = 32;

/**
 * Added to the number of chunks in the inverse document frequency: without it, the topic of a database about one topic
 * would weigh nothing.
 */
const PRIOR_CHUNKS = 20;

/** Weight of a bigram that is not in the index, in the maximum score: such bigrams are mostly not words. */
const UNKNOWN_BIGRAM = 0.25;

/** The scores of all chunks of a user for one query. */
interface Scored {
  query: string;
  state: IndexState;
  scores: Float32Array;
  /** For each chunk a bit for each term that it contains. */
  contained: Uint32Array;
  terms: readonly WeightedTerm[];
  masks: Masks;
}

interface WeightedTerm {
  term: QueryTerm;
  postings: Postings;
  weight: number;
}

/** The lexical search on one read handle. */
export function openLexicalSearch(database: Database, report: ReportProblem = failOnProblem): LexicalSearch {
  const tokenizer = openQueryTokenizer(database);
  const postings = openPostings(database, report);
  let buffer = new Float32Array();
  let bits = new Uint32Array();
  let last: Scored | undefined;
  const weighted = (view: LiveView, term: QueryTerm): WeightedTerm[] => {
    const found = postings.find(view, term);
    if (!found) return [];
    const frequency = found.ordinals.length;
    return [{ term, postings: found, weight: term.count * inverseFrequency(view.wordChunks, frequency) }];
  };
  /** A term as it is searched: itself, or the terms that stand for it. */
  const resolved = (view: LiveView, term: QueryTerm): WeightedTerm[] => {
    const [whole] = weighted(view, term);
    if (!whole || whole.postings.ordinals.length > 0) return whole ? [whole] : [];
    for (const split of term.splits ?? []) {
      const parts: WeightedTerm[] = [];
      for (const part of split) {
        const [known] = weighted(view, { ...part, count: term.count });
        if (!known || known.postings.ordinals.length === 0) break;
        parts.push(known);
      }
      if (parts.length === split.length) return parts;
    }
    return [whole];
  };
  const score = (view: LiveView, query: string): Scored => {
    const terms = heaviest(tokenizer.terms(query).flatMap((term) => resolved(view, term)));
    const leastMaximum = MIN_EXPECTED_WEIGHT * inverseFrequency(view.wordChunks, 0);
    const maximum = Math.max(maximumScore(terms), leastMaximum);
    if (buffer.length < view.ordinals) {
      buffer = new Float32Array(view.ordinals * 1.25);
      bits = new Uint32Array(buffer.length);
    }
    const scores = buffer.subarray(0, view.ordinals).fill(0);
    const contained = bits.subarray(0, view.ordinals).fill(0);
    for (const [index, { postings, weight }] of terms.entries())
      addTermScores({ scores, contained }, view.lengths, {
        postings,
        weight: weight / maximum,
        bit: 1 << index,
      });
    return { query, state: view.state, scores, contained, terms, masks: masksOf(terms) };
  };
  return {
    search(view, query) {
      if (last?.query !== query || !isSameState(last.state, view.state)) {
        // The buffer is written, even if reading the postings fails.
        last = undefined;
        last = score(view, query);
      }
      const { scores, contained, terms, masks } = last;
      const scored = last;
      return {
        missingCodes: (ordinal) => bitCount(masks.codes & ~contained[ordinal]!) / Math.max(1, terms.length),
        containsAll: (ordinal) => isComplete(contained[ordinal]!, masks),
        scoreOf: (ordinal) => Math.min(1, scores[ordinal] ?? 0),
        best: (count) => bestChunks(scored, view, count),
      };
    },
  };
}

/**
 * More words are a question or a description: a chunk may contain all of them by chance. Words of scripts without
 * spaces are several bigrams.
 */
const MAX_WORDS_LOOKED_UP = 3;
/** A longer text mentions a code; a shorter one is about it. */
const MAX_WORDS_ABOUT_CODE = 8;

/** The bits of all terms of a query that looks something up, and of the terms that are codes. */
interface Masks {
  all: number;
  codes: number;
  /** The codes, if the query is about them. */
  lookedUp: number;
}

function masksOf(terms: readonly WeightedTerm[]): Masks {
  const masks = { all: 0, codes: 0 };
  for (const [index, { term }] of terms.entries()) {
    masks.all |= 1 << index;
    if (term.isCode) masks.codes |= 1 << index;
  }
  const words = terms.filter(({ term }) => term.kind !== "bigram").length;
  return {
    all: words <= MAX_WORDS_LOOKED_UP ? masks.all : 0,
    codes: masks.codes,
    lookedUp: words <= MAX_WORDS_ABOUT_CODE ? masks.codes : 0,
  };
}

const isComplete = (contained: number, { all, lookedUp }: Masks) =>
  (all !== 0 && (contained & all) === all) || (lookedUp !== 0 && (contained & lookedUp) === lookedUp);

/** Ordinals of the chunks that contain all terms of a query, or all of its codes. */
function completeChunks({ terms, contained, masks }: Scored): Uint32Array {
  if (masks.all === 0 && masks.lookedUp === 0) return new Uint32Array();
  const needed = masks.lookedUp === 0 ? terms : terms.filter(({ term }) => term.isCode);
  const lengths = needed.map(({ postings }) => postings.ordinals.length);
  const rarest = needed[lengths.indexOf(Math.min(...lengths))]?.postings.ordinals ?? new Uint32Array();
  return rarest.filter((ordinal) => isComplete(contained[ordinal]!, masks));
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/** The MAX_TERMS terms of the largest weight. */
function heaviest(terms: WeightedTerm[]): WeightedTerm[] {
  if (terms.length <= MAX_TERMS) return terms;
  return terms.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_TERMS);
}

/** The score of a chunk that repeats each of the heaviest terms endlessly. */
function maximumScore(terms: readonly WeightedTerm[]): number {
  return terms
    .map(({ term, postings, weight }) =>
      term.kind === "bigram" && postings.ordinals.length === 0 ? UNKNOWN_BIGRAM * weight : weight,
    )
    .sort((a, b) => b - a)
    .slice(0, MAX_EXPECTED_TERMS)
    .reduce((sum, weight) => sum + weight, 0);
}

/** The inverse document frequency that is never negative (Lucene's BM25Similarity). */
function inverseFrequency(chunks: number, frequency: number): number {
  return Math.log(1 + (chunks + PRIOR_CHUNKS - frequency + 0.5) / (frequency + 0.5));
}

/** The part of BM25's denominator that depends on the length of a chunk, by length. */
const NORMS = Float64Array.from(
  { length: 65_536 },
  (_, length) => K1 * (1 - B + (B * length) / TYPICAL_LENGTH),
);

function addTermScores(
  { scores, contained }: { scores: Float32Array; contained: Uint32Array },
  lengths: Uint16Array,
  {
    postings: { ordinals, frequencies },
    weight,
    bit,
  }: Pick<WeightedTerm, "postings" | "weight"> & { bit: number },
): void {
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i]!;
    const frequency = frequencies[i]!;
    scores[ordinal]! += (weight * frequency) / (frequency + NORMS[lengths[ordinal]!]!);
    contained[ordinal]! |= bit;
  }
}

function bestChunks(scored: Scored, view: LiveView, count: number): number[] {
  const scores = view.isComplete ? scored.scores : scoresIn(view, scored.scores);
  const complete = completeChunks(scored).filter((ordinal) => scores[ordinal]! > 0);
  const inOrder = (ordinals: Iterable<number>) =>
    Array.from(ordinals, (ordinal) => ({ key: view.keyOf(ordinal), score: scores[ordinal]! })).sort(
      (a, b) => b.score - a.score || a.key - b.key,
    );
  const keys = [...inOrder(complete), ...inOrder(largest(scores, count))].map(({ key }) => key);
  return [...new Set(keys)].slice(0, count);
}

/** The scores of the chunks that the filter allows; those of the others are 0. */
function scoresIn({ allowed }: LiveView, scores: Float32Array): Float32Array {
  const found = new Float32Array(scores.length);
  for (const { firstOrdinal, chunkCount } of allowed) {
    for (let i = firstOrdinal; i < firstOrdinal + chunkCount; i++) found[i] = scores[i]!;
  }
  return found;
}
