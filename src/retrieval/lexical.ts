// The lexical leg: how much of what a question asks for a chunk says, by BM25 over the word index. The score is a share of
// what the question could reach, so it means the same for every question and every corpus.

import type { Database } from "bun:sqlite";
import type { LiveView } from "./live-index.ts";
import { openQueryReader, type QueryTerm } from "./query-terms.ts";

/** What one question found. Shares are from 0 to 1. */
export interface LexicalScores {
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
 * what else is stored; from 75 to 200 the measured collections hardly differ.
 */
const USUAL_LENGTH = 150;

/** A word in title or heading counts as so many in the text. */
const CONTEXT_WEIGHT = 2;

/** A question's reach is what its heaviest terms weigh: nobody expects one passage to say all of a long question. */
const REACHING_TERMS = 8;
/** But never less than half of one word that stands nowhere: a question of common words alone reaches little. */
const LEAST_REACH = 0.5;

/** The heaviest terms take part; beyond these a long question only gets slower. */
const MAX_TERMS = 32;
/** And so many places in texts are looked at, the heaviest terms first: about 60 ms. */
const MAX_PLACES = 500_000;

/** The key of a chunk that holds a term, and 1 where it does so in title or heading. */
type Place = [key: number, inContext?: number];

/** The occurrences of a term in live chunks of the user: parallel lists, ordinals rising. */
interface Postings {
  ordinals: number[];
  frequencies: number[];
}

export function openLexicalSearch(database: Database): LexicalSearch {
  const reader = openQueryReader(database);
  database.run("CREATE VIRTUAL TABLE temp.word_places USING fts5vocab (main, chunk_words, 'instance')");
  database.run("CREATE VIRTUAL TABLE temp.word_counts USING fts5vocab (main, chunk_words, 'row')");
  database.run("CREATE VIRTUAL TABLE temp.trigram_places USING fts5vocab (main, chunk_trigrams, 'instance')");
  const countOf = database.query<{ doc: number }, [string]>(
    "SELECT doc FROM temp.word_counts WHERE term = ?",
  );
  const placesOfWord = database.query<unknown, [string, number]>(
    "SELECT doc, col = 'context' FROM temp.word_places WHERE term = ? LIMIT ?",
  );
  const placesOfCharacters = database.query<unknown, [string, string, number]>(
    "SELECT DISTINCT doc FROM temp.trigram_places WHERE term >= ? AND term < ? ORDER BY doc LIMIT ?",
  );

  const placesOf = ({ kind, text }: QueryTerm, most: number) =>
    (kind === "word"
      ? placesOfWord.values(text, most)
      : placesOfCharacters.values(text, `${text}\u{10ffff}`, most)) as Place[];

  /** The terms worth looking at. How many chunks of everybody hold a word tells well enough which those are. */
  const heaviest = (terms: QueryTerm[], chunks: number): QueryTerm[] => {
    if (terms.length <= MAX_TERMS) return terms;
    const weights = new Map(
      terms.map((term) => {
        const holding = term.kind === "word" ? (countOf.get(term.text)?.doc ?? 0) : 0;
        return [term, weightOf(term, chunks, Math.min(holding, chunks))];
      }),
    );
    return terms.toSorted((a, b) => weights.get(b)! - weights.get(a)!).slice(0, MAX_TERMS);
  };

  return {
    search(view, query) {
      const chunks = view.segments.reduce((sum, { chunkCount }) => sum + chunkCount, 0);
      const terms = heaviest(reader.terms(query), chunks);
      let left = MAX_PLACES;
      const weighed = terms.map((term) => {
        const places = placesOf(term, left);
        left -= places.length;
        const postings = postingsOf(view, places);
        return { postings, weight: weightOf(term, chunks, postings.ordinals.length) };
      });
      const heavy = weighed.map(({ weight }) => weight).toSorted((a, b) => b - a);
      const reach = Math.max(
        heavy.slice(0, REACHING_TERMS).reduce((sum, weight) => sum + weight, 0),
        LEAST_REACH * inverseFrequency(chunks, 0),
      );
      const shares = new Float32Array(view.ordinals);
      for (const { postings, weight } of weighed) addShares(shares, view, postings, weight / reach);
      return {
        shareOf: (ordinal) => Math.min(1, shares[ordinal]),
        best: (count) => best(shares, view, count),
      };
    },
  };
}

/** The idf that is never negative (Lucene's BM25Similarity). */
function inverseFrequency(chunks: number, holding: number): number {
  return Math.log(1 + (chunks - holding + 0.5) / (holding + 0.5));
}

function weightOf({ count }: QueryTerm, chunks: number, holding: number): number {
  return count * inverseFrequency(chunks, holding);
}

/** `places` are in the order of their keys, one for each occurrence. */
function postingsOf(view: LiveView, places: readonly Place[]): Postings {
  const { segments } = view;
  const ordinals: number[] = [];
  const frequencies: number[] = [];
  let at = 0;
  for (const [key, inContext] of places) {
    while (at < segments.length && segments[at].firstChunk + segments[at].chunkCount <= key) at++;
    if (at === segments.length) break;
    const { firstChunk, firstOrdinal } = segments[at];
    if (key < firstChunk) continue;
    const ordinal = firstOrdinal + key - firstChunk;
    const frequency = inContext === 1 ? CONTEXT_WEIGHT : 1;
    if (ordinals.at(-1) === ordinal) frequencies[frequencies.length - 1] += frequency;
    else {
      ordinals.push(ordinal);
      frequencies.push(frequency);
    }
  }
  return { ordinals, frequencies };
}

function addShares(
  shares: Float32Array,
  view: LiveView,
  { ordinals, frequencies }: Postings,
  weight: number,
): void {
  for (const [index, ordinal] of ordinals.entries()) {
    // A document's own chunk has no words of its own and a title and preview of characters.
    const length = view.lengthOf(ordinal) || USUAL_LENGTH;
    const norm = K1 * (1 - B + (B * length) / USUAL_LENGTH);
    shares[ordinal] += (weight * frequencies[index]) / (frequencies[index] + norm);
  }
}

function best(shares: Float32Array, view: LiveView, count: number): number[] {
  const found: { key: number; share: number }[] = [];
  for (const segment of view.segments) {
    if (!view.isAllowed(segment)) continue;
    for (let i = 0; i < segment.chunkCount; i++) {
      const share = shares[segment.firstOrdinal + i];
      if (share > 0) found.push({ key: segment.firstChunk + i, share });
    }
  }
  return found
    .sort((a, b) => b.share - a.share || a.key - b.key)
    .slice(0, count)
    .map(({ key }) => key);
}
