// Posting lists of the word index, cached while the index does not change. It uses ordinals of the live index and must
// not know scores.

import type { Database } from "bun:sqlite";
import type { LiveView, Segment } from "./live-index.ts";
import type { QueryTerm } from "./words.ts";

/** The live chunks of a user that contain a term, and how often. Parallel arrays, ordinals ascending. */
export interface Postings {
  ordinals: Uint32Array;
  /** At most 255; an occurrence in title or heading counts CONTEXT_WEIGHT times. */
  frequencies: Uint8Array;
}

export interface PostingsReader {
  /** How many chunks of all users contain a term; 0 for a prefix. Call it inside the view's transaction. */
  chunkFrequency(view: LiveView, term: QueryTerm): number;
  /** Undefined for a term with too many occurrences. Call it inside the view's transaction. */
  find(view: LiveView, term: QueryTerm): Postings | undefined;
}

/** Weight of an occurrence in title or heading, compared with one in the text. */
const CONTEXT_WEIGHT = 2;

/** A term with more occurrences than this, in all users' texts, is ignored. Reading 30,000 occurrences takes 2 ms. */
const MAX_OCCURRENCES = 1_000_000;

/** Maximum number of cached postings, 5 bytes each. */
const MAX_CACHED = 4_000_000;

/** Maximum number of cached chunk frequencies. */
const MAX_FREQUENCIES = 10_000;

interface Row {
  /** One number per occurrence: twice the chunk's key, plus 1 in title or heading. Joined by commas, keys ascending. */
  occurrences: string | null;
  count: number;
}

/** Creates temporary tables on the handle, which may be read-only. */
export function openPostings(database: Database): PostingsReader {
  const read = openOccurrences(database);
  database.run("CREATE VIRTUAL TABLE temp.word_counts USING fts5vocab (main, chunk_words, 'row')");
  const chunksOf = database.query<{ chunks: number }, [string]>(
    "SELECT doc AS chunks FROM temp.word_counts WHERE term = ?",
  );
  const frequencies = new Map<string, number>();
  let frequenciesFor = -1;
  let cache = new Map<string, Postings>();
  let cachedPostings = 0;
  let cachedFor: readonly Segment[] | undefined;
  return {
    chunkFrequency(view, { kind, text }) {
      if (kind === "prefix") return 0;
      if (frequenciesFor !== view.version || frequencies.size >= MAX_FREQUENCIES) {
        frequencies.clear();
        frequenciesFor = view.version;
      }
      let frequency = frequencies.get(text);
      if (frequency === undefined) {
        frequency = chunksOf.get(text)?.chunks ?? 0;
        frequencies.set(text, frequency);
      }
      return frequency;
    },
    find(view, term) {
      // The list of segments is replaced whenever a generation of the user is added or removed.
      if (cachedFor !== view.segments || cachedPostings > MAX_CACHED) {
        cache = new Map();
        cachedPostings = 0;
        cachedFor = view.segments;
      }
      const cacheKey = `${term.kind} ${term.text}`;
      const cached = cache.get(cacheKey);
      if (cached) return cached;
      const { occurrences, count } = read(term);
      if (count >= MAX_OCCURRENCES) return undefined;
      const postings = parsePostings(view, occurrences ?? "");
      cache.set(cacheKey, postings);
      cachedPostings += postings.ordinals.length;
      return postings;
    },
  };
}

function openOccurrences(database: Database): (term: QueryTerm) => Row {
  database.run("CREATE VIRTUAL TABLE temp.word_occurrences USING fts5vocab (main, chunk_words, 'instance')");
  // One string of numbers is read twice as fast as one row per number.
  const select = (condition: string) =>
    `SELECT group_concat(occurrence) AS occurrences, count(*) AS count FROM (
       SELECT doc * 2 + (col = 'context') AS occurrence FROM temp.word_occurrences WHERE ${condition})`;
  const byTerm = database.query<Row, [string, number]>(select("term = ? LIMIT ?"));
  // Several terms may share a prefix, so their occurrences have to be sorted.
  const byPrefix = database.query<Row, [string, string, number]>(
    select("term >= ? AND term < ? ORDER BY occurrence LIMIT ?"),
  );
  return ({ kind, text }) =>
    kind === "prefix"
      ? byPrefix.get(text, `${text}\u{10ffff}`, MAX_OCCURRENCES)!
      : byTerm.get(text, MAX_OCCURRENCES)!;
}

/** Parses comma-separated occurrences and merges them with the user's segments; other chunks are skipped. */
function parsePostings({ segments }: LiveView, occurrences: string): Postings {
  const ordinals = new Uint32Array(Math.ceil(occurrences.length / 2));
  const frequencies = new Uint8Array(ordinals.length);
  let count = 0;
  let next = 0;
  let occurrence = 0;
  for (let i = 0; i <= occurrences.length && occurrences.length > 0; i++) {
    // NaN at the end of the string: the last number ends like one before a comma.
    const digit = occurrences.charCodeAt(i) - 48;
    if (digit >= 0) {
      occurrence = occurrence * 10 + digit;
      continue;
    }
    const key = Math.floor(occurrence / 2);
    const weight = occurrence % 2 === 1 ? CONTEXT_WEIGHT : 1;
    occurrence = 0;
    let segment = segments[next];
    while (segment && segment.firstChunk + segment.chunkCount <= key) segment = segments[++next];
    if (!segment) break;
    if (key < segment.firstChunk) continue;
    const ordinal = segment.firstOrdinal + key - segment.firstChunk;
    if (count === 0 || ordinals[count - 1] !== ordinal) ordinals[count++] = ordinal;
    frequencies[count - 1] = Math.min(255, frequencies[count - 1]! + weight);
  }
  return { ordinals: ordinals.slice(0, count), frequencies: frequencies.slice(0, count) };
}
