// The lexical score of chunks: BM25 over the word index, as a fraction of the maximum that the query could reach. So a
// score means the same for every query and every corpus.

import type { Database } from "bun:sqlite";
import type { LiveView, Segment } from "./live-index.ts";
import { openPostings, type Postings } from "./postings.ts";
import { openQueryTokenizer, type QueryTerm } from "./words.ts";

/** The lexical scores for one query, from 0 to 1. */
export interface LexicalScores {
  /**
   * The fraction of the query's terms that are codes (letters and digits in one word: `E1009`) and not in the index. The
   * vectors of all codes are similar, so the dense score of such a query means little.
   */
  unknownCodes: number;
  /** The score of a chunk, by its ordinal in the view. */
  scoreOf(ordinal: number): number;
  /** Keys of the `count` chunks with the highest scores above 0 that the filter allows; best first, ties by key. */
  best(count: number): number[];
}

export interface LexicalSearch {
  /** Scores all chunks of the view. Call it inside the view's transaction. */
  search(view: LiveView, query: string): LexicalScores;
}

/** BM25's saturation of repeated words and weight of the length (Robertson & Zaragoza 2009). */
const K1 = 1.2;
const B = 0.75;

/**
 * The passage length, in words, that BM25 neither favours nor penalizes. A constant instead of the corpus average, so that
 * a score does not depend on what else is stored; from 110 to 180 five collections hardly differ.
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

interface WeightedTerm {
  term: QueryTerm;
  postings: Postings;
  weight: number;
}

/** The lexical search on one read handle. */
export function openLexicalSearch(database: Database): LexicalSearch {
  const tokenizer = openQueryTokenizer(database);
  const postings = openPostings(database);
  return {
    search(view, query) {
      // A document's own chunk has no words of its own unless it is the only one.
      const chunks = view.segments.reduce((sum, { chunkCount }) => sum + Math.max(1, chunkCount - 1), 0);
      const weigh = (term: QueryTerm, frequency: number) =>
        term.count * inverseFrequency(chunks, Math.min(frequency, chunks));
      const heaviest = heaviestTerms(tokenizer.terms(query), (term) =>
        weigh(term, postings.chunkFrequency(view, term)),
      );
      const terms = heaviest.flatMap((term): WeightedTerm[] => {
        const found = postings.find(view, term);
        return found ? [{ term, postings: found, weight: weigh(term, found.ordinals.length) }] : [];
      });
      const maximum = Math.max(maximumScore(terms), MIN_EXPECTED_WEIGHT * inverseFrequency(chunks, 0));
      const scores = new Float32Array(view.ordinals);
      for (const { postings, weight } of terms)
        addTermScores(scores, view, { postings, weight: weight / maximum });
      return {
        unknownCodes: terms.filter(isUnknownCode).length / Math.max(1, terms.length),
        scoreOf: (ordinal) => Math.min(1, scores[ordinal] ?? 0),
        best: (count) => bestChunks(scores, view, count),
      };
    },
  };
}

/**
 * The MAX_TERMS terms of the largest weight. How many chunks of all users contain a term is precise enough for this choice.
 */
function heaviestTerms(terms: QueryTerm[], weightOf: (term: QueryTerm) => number): QueryTerm[] {
  if (terms.length <= MAX_TERMS) return terms;
  return terms
    .map((term) => ({ term, weight: weightOf(term) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_TERMS)
    .map(({ term }) => term);
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

function addTermScores(
  scores: Float32Array,
  view: LiveView,
  { postings: { ordinals, frequencies }, weight }: Pick<WeightedTerm, "postings" | "weight">,
): void {
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i]!;
    const frequency = frequencies[i]!;
    const norm = K1 * (1 - B + (B * view.lengthOf(ordinal)) / TYPICAL_LENGTH);
    scores[ordinal]! += (weight * frequency) / (frequency + norm);
  }
}

/** Resolution of the histogram by which low scores are skipped before sorting. */
const STEPS = 1_000;

function stepOf(score: number): number {
  return Math.floor(Math.min(1, score) * STEPS);
}

function bestChunks(scores: Float32Array, view: LiveView, count: number): number[] {
  const allowed = view.segments.filter((segment) => view.isAllowed(segment));
  const minStep = stepOfRank(scores, allowed, count);
  const found: { key: number; score: number }[] = [];
  for (const { firstOrdinal, firstChunk, chunkCount } of allowed) {
    for (let i = 0; i < chunkCount; i++) {
      const score = scores[firstOrdinal + i]!;
      if (score > 0 && stepOf(score) >= minStep) found.push({ key: firstChunk + i, score });
    }
  }
  return found
    .sort((a, b) => b.score - a.score || a.key - b.key)
    .slice(0, count)
    .map(({ key }) => key);
}

/** The highest step at or above which there are `count` scores; 0 if there are fewer. */
function stepOfRank(scores: Float32Array, segments: readonly Segment[], count: number): number {
  const histogram = new Uint32Array(STEPS + 1);
  for (const { firstOrdinal, chunkCount } of segments) {
    for (let i = 0; i < chunkCount; i++) {
      const score = scores[firstOrdinal + i]!;
      if (score > 0) histogram[stepOf(score)]!++;
    }
  }
  let step = STEPS;
  for (let above = histogram[step]!; above < count && step > 0; ) above += histogram[--step]!;
  return step;
}
