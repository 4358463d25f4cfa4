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
const REACHING_TERMS = 6;
/** But never less than half of one word that stands nowhere: a question of common words alone reaches little. */
const LEAST_REACH = 0.5;

/** The heaviest terms take part; beyond these a long question only gets slower. */
const MAX_TERMS = 32;
/** So many places of one term are looked at, the oldest chunks first: a word that stands more often tells nothing. */
const MAX_PLACES = 100_000;

/** Postings kept from one search to the next, as long as the index stays as it is: 5 bytes each. */
const MAX_KEPT = 4_000_000;

/** The live chunks of a user that hold a term, ordinals rising, and how often they do. */
interface Postings {
  ordinals: Uint32Array;
  frequencies: Uint8Array;
}

/** A chunk's key twice, plus 1 where the occurrence is in title or heading; occurrences in the order of keys. */
type Places = string;

export function openLexicalSearch(database: Database): LexicalSearch {
  const reader = openQueryReader(database);
  database.run("CREATE VIRTUAL TABLE temp.word_places USING fts5vocab (main, chunk_words, 'instance')");
  database.run("CREATE VIRTUAL TABLE temp.word_counts USING fts5vocab (main, chunk_words, 'row')");
  database.run("CREATE VIRTUAL TABLE temp.trigram_places USING fts5vocab (main, chunk_trigrams, 'instance')");
  const countOf = database.query<{ doc: number }, [string]>(
    "SELECT doc FROM temp.word_counts WHERE term = ?",
  );
  // One string of numbers takes half the time of as many rows.
  const placesOfWord = database.query<{ places: Places | null }, [string, number]>(
    `SELECT group_concat(place) AS places
     FROM (SELECT doc * 2 + (col = 'context') AS place FROM temp.word_places WHERE term = ? LIMIT ?)`,
  );
  const placesOfCharacters = database.query<{ places: Places | null }, [string, string, number]>(
    `SELECT group_concat(doc * 2) AS places
     FROM (SELECT DISTINCT doc FROM temp.trigram_places WHERE term >= ? AND term < ? ORDER BY doc LIMIT ?)`,
  );
  const kept = new Map<string, Postings>();
  let keptCount = 0;
  let keptOf: unknown;

  const read = (view: LiveView, { kind, text }: QueryTerm): Postings => {
    const row =
      kind === "word"
        ? placesOfWord.get(text, MAX_PLACES)
        : placesOfCharacters.get(text, `${text}\u{10ffff}`, MAX_PLACES);
    return postingsOf(view, row?.places ?? "");
  };
  const find = (view: LiveView, term: QueryTerm): Postings => {
    // A list of segments is made anew whenever one of the user's generations comes or goes.
    if (keptOf !== view.segments || keptCount > MAX_KEPT) {
      kept.clear();
      keptCount = 0;
      keptOf = view.segments;
    }
    const name = `${term.kind} ${term.text}`;
    const known = kept.get(name);
    if (known) return known;
    const postings = read(view, term);
    kept.set(name, postings);
    keptCount += postings.ordinals.length;
    return postings;
  };

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
      const chunks = view.segments.reduce((sum, { chunkCount }) => sum + Math.max(1, chunkCount - 1), 0);
      const weighed = heaviest(reader.terms(query), chunks).map((term) => {
        const postings = find(view, term);
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

function postingsOf(view: LiveView, places: Places): Postings {
  const { segments } = view;
  const ordinals = new Uint32Array(Math.ceil(places.length / 2));
  const frequencies = new Uint8Array(ordinals.length);
  let count = 0;
  let at = 0;
  let place = 0;
  for (let i = 0; i <= places.length && places.length > 0; i++) {
    const digit = places.charCodeAt(i) - 48;
    if (digit >= 0) {
      place = place * 10 + digit;
      continue;
    }
    const key = Math.floor(place / 2);
    const frequency = place % 2 === 1 ? CONTEXT_WEIGHT : 1;
    place = 0;
    while (at < segments.length && segments[at].firstChunk + segments[at].chunkCount <= key) at++;
    if (at === segments.length) break;
    const { firstChunk, firstOrdinal } = segments[at];
    if (key < firstChunk) continue;
    const ordinal = firstOrdinal + key - firstChunk;
    if (count === 0 || ordinals[count - 1] !== ordinal) ordinals[count++] = ordinal;
    frequencies[count - 1] = Math.min(255, frequencies[count - 1] + frequency);
  }
  return { ordinals: ordinals.slice(0, count), frequencies: frequencies.slice(0, count) };
}

function addShares(
  shares: Float32Array,
  view: LiveView,
  { ordinals, frequencies }: Postings,
  weight: number,
): void {
  for (let i = 0; i < ordinals.length; i++) {
    // A document's own chunk has no words of its own and a title and preview of characters.
    const length = view.lengthOf(ordinals[i]) || USUAL_LENGTH;
    const norm = K1 * (1 - B + (B * length) / USUAL_LENGTH);
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
