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
   * The fraction of the query's terms that are codes (letters and digits in one word: `E1009`) and not in the index.
   * The vectors of all codes are similar, so the dense score of such a query means little.
   */
  unknownCodes: number;
  /** The score of a chunk, by its ordinal in the view. */
  scoreOf(ordinal: number): number;
  /** Keys of the `count` chunks with the highest scores above 0 that the filter allows; best first, ties by key. */
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

/** Only the heaviest terms of a query are scored; more terms only cost time. */
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
  unknownCodes: number;
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
  let last: Scored | undefined;
  const score = (view: LiveView, query: string): Scored => {
    const chunks = view.wordChunks;
    const terms = heaviest(
      tokenizer.terms(query).flatMap((term): WeightedTerm[] => {
        const found = postings.find(view, term);
        if (!found) return [];
        return [
          { term, postings: found, weight: term.count * inverseFrequency(chunks, found.ordinals.length) },
        ];
      }),
    );
    const maximum = Math.max(maximumScore(terms), MIN_EXPECTED_WEIGHT * inverseFrequency(chunks, 0));
    if (buffer.length < view.ordinals) buffer = new Float32Array(view.ordinals * 1.25);
    const scores = buffer.subarray(0, view.ordinals).fill(0);
    for (const { postings, weight } of terms)
      addTermScores(scores, view.lengths, { postings, weight: weight / maximum });
    const unknownCodes = terms.filter(isUnknownCode).length / Math.max(1, terms.length);
    return { query, state: view.state, scores, unknownCodes };
  };
  return {
    search(view, query) {
      if (last?.query !== query || !isSameState(last.state, view.state)) {
        // The buffer is written, even if reading the postings fails.
        last = undefined;
        last = score(view, query);
      }
      const { scores, unknownCodes } = last;
      return {
        unknownCodes,
        scoreOf: (ordinal) => Math.min(1, scores[ordinal] ?? 0),
        best: (count) => bestChunks(scores, view, count),
      };
    },
  };
}

/** The MAX_TERMS terms of the largest weight. */
function heaviest(terms: WeightedTerm[]): WeightedTerm[] {
  if (terms.length <= MAX_TERMS) return terms;
  return terms.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_TERMS);
}

function isUnknownCode({ term, postings }: WeightedTerm): boolean {
  const isCode = /\p{L}/u.test(term.text) && /\p{N}/u.test(term.text);
  return term.kind === "word" && isCode && postings.ordinals.length === 0;
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
  scores: Float32Array,
  lengths: Uint16Array,
  { postings: { ordinals, frequencies }, weight }: Pick<WeightedTerm, "postings" | "weight">,
): void {
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i]!;
    const frequency = frequencies[i]!;
    scores[ordinal]! += (weight * frequency) / (frequency + NORMS[lengths[ordinal]!]!);
  }
}

/** Keys of the chunks with the highest scores. */
function bestChunks(scores: Float32Array, view: LiveView, count: number): number[] {
  const allowed = view.isComplete ? scores : scoresIn(view, scores);
  return largest(allowed, count)
    .map((ordinal) => ({ key: view.keyOf(ordinal), score: scores[ordinal]! }))
    .sort((a, b) => b.score - a.score || a.key - b.key)
    .slice(0, count)
    .map(({ key }) => key);
}

/** The scores of the chunks that the filter allows; those of the others are 0. */
function scoresIn({ allowed }: LiveView, scores: Float32Array): Float32Array {
  const found = new Float32Array(scores.length);
  for (const { firstOrdinal, chunkCount } of allowed) {
    for (let i = firstOrdinal; i < firstOrdinal + chunkCount; i++) found[i] = scores[i]!;
  }
  return found;
}
