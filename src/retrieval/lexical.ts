// The lexical leg: how much of what a question asks for a chunk says, by BM25 over the word index. The score is a share of
// what the question could reach, so it means the same for every question and every corpus.

import type { Database } from "bun:sqlite";
import type { LiveView } from "./live-index.ts";
import { openPostings, type Postings } from "./postings.ts";
import { openQueryReader, type QueryTerm } from "./words.ts";

/** What one question found. Shares are from 0 to 1. */
export interface LexicalScores {
  /**
   * The share of the question's terms that are codes (letters and digits in one word: `E1009`) and stand nowhere. Their
   * vectors are near to those of any other code, so that meaning says nothing of them.
   */
  unknownCodes: number;
  /** The share of a chunk, by its ordinal in the view. */
  shareOf(ordinal: number): number;
  /** Keys of the `count` chunks with the largest shares, best first, ties by key. */
  best(count: number): number[];
}

export interface LexicalSearch {
  search(view: LiveView, query: string): LexicalScores;
}

/** Robertson & Zaragoza, The Probabilistic Relevance Framework (2009): how fast a repeated word saturates, and how much length counts. */
const K1 = 1.2;
const B = 0.75;

/**
 * The length of a passage, in words, that gets neither bonus nor malus. A constant, so that a score does not depend on
 * what else is stored; from 110 to 180 five collections hardly differ.
 */
const USUAL_LENGTH = 150;

/** A question's reach is what its heaviest terms weigh: nobody expects one passage to say all of a long question. */
const REACHING_TERMS = 6;
/** But never less than half of one word that stands nowhere: a question of common words alone reaches little. */
const LEAST_REACH = 0.5;

/** The heaviest terms take part; beyond these a long question only gets slower. */
const MAX_TERMS = 32;
/**
 * A word's rarity is judged as if so many chunks about something else were stored too: in a store about one topic its name
 * would else weigh nothing.
 */
const PRIOR_CHUNKS = 20;

/** Pairs of characters that stand nowhere are mostly no words: they count so much in a question's reach. */
const UNKNOWN_PAIR = 0.25;

export function openLexicalSearch(database: Database): LexicalSearch {
  const reader = openQueryReader(database);
  const places = openPostings(database);
  return {
    search(view, query) {
      const chunks = view.segments.reduce((sum, { chunkCount }) => sum + Math.max(1, chunkCount - 1), 0);
      const weigh = (term: QueryTerm, holding: number) =>
        term.count * inverseFrequency(chunks, Math.min(holding, chunks));
      const terms = reader.terms(query);
      // How many chunks of everybody hold a term tells well enough which terms are worth looking at.
      const rarities = new Map(
        terms.length > MAX_TERMS ? terms.map((term) => [term, weigh(term, places.holding(term))]) : [],
      );
      const heaviest = terms
        .toSorted((a, b) => (rarities.get(b) ?? 0) - (rarities.get(a) ?? 0))
        .slice(0, MAX_TERMS);
      const weighed = heaviest.flatMap((term) => {
        const postings = places.find(view, term);
        return postings ? [{ term, postings, weight: weigh(term, postings.ordinals.length) }] : [];
      });
      const reach = Math.max(reachOf(weighed), LEAST_REACH * inverseFrequency(chunks, 0));
      const shares = new Float32Array(view.ordinals);
      for (const { postings, weight } of weighed) addShares(shares, view, postings, weight / reach);
      return {
        unknownCodes: weighed.filter(isUnknownCode).length / Math.max(1, weighed.length),
        shareOf: (ordinal) => Math.min(1, shares[ordinal]),
        best: (count) => best(shares, view, count),
      };
    },
  };
}

function isUnknownCode({ term, postings }: { term: QueryTerm; postings: Postings }): boolean {
  const isCode = /\p{L}/u.test(term.text) && /\p{N}/u.test(term.text);
  return term.kind === "word" && isCode && postings.ordinals.length === 0;
}

/** What the heaviest terms would add to a chunk that says each of them for ever. */
function reachOf(weighed: readonly { term: QueryTerm; postings: Postings; weight: number }[]): number {
  return weighed
    .map(({ term, postings, weight }) =>
      term.kind === "pair" && postings.ordinals.length === 0 ? UNKNOWN_PAIR * weight : weight,
    )
    .sort((a, b) => b - a)
    .slice(0, REACHING_TERMS)
    .reduce((sum, weight) => sum + weight, 0);
}

/** The idf that is never negative (Lucene's BM25Similarity). */
function inverseFrequency(chunks: number, holding: number): number {
  return Math.log(1 + (chunks + PRIOR_CHUNKS - holding + 0.5) / (holding + 0.5));
}

function addShares(
  shares: Float32Array,
  view: LiveView,
  { ordinals, frequencies }: Postings,
  weight: number,
): void {
  for (let i = 0; i < ordinals.length; i++) {
    const norm = K1 * (1 - B + (B * view.lengthOf(ordinals[i])) / USUAL_LENGTH);
    shares[ordinals[i]] += (weight * frequencies[i]) / (frequencies[i] + norm);
  }
}

/** Shares are told apart in so many steps before the best are sorted. */
const STEPS = 1_000;

function best(shares: Float32Array, view: LiveView, count: number): number[] {
  const histogram = new Uint32Array(STEPS + 1);
  const stepOf = (share: number) => Math.floor(Math.min(1, share) * STEPS);
  const allowed = view.segments.filter((segment) => view.isAllowed(segment));
  for (const { firstOrdinal, chunkCount } of allowed) {
    for (let ordinal = firstOrdinal; ordinal < firstOrdinal + chunkCount; ordinal++) {
      if (shares[ordinal] > 0) histogram[stepOf(shares[ordinal])]++;
    }
  }
  let least = STEPS;
  for (let taken = histogram[least]; taken < count && least > 0; ) taken += histogram[--least];
  const found: { key: number; share: number }[] = [];
  for (const { firstOrdinal, firstChunk, chunkCount } of allowed) {
    for (let i = 0; i < chunkCount; i++) {
      const share = shares[firstOrdinal + i];
      if (share > 0 && stepOf(share) >= least) found.push({ key: firstChunk + i, share });
    }
  }
  return found
    .sort((a, b) => b.share - a.share || a.key - b.key)
    .slice(0, count)
    .map(({ key }) => key);
}
