// Posting lists of the word index, cached and brought up to date when the index changes. It uses ordinals of the live index
// and must not know scores.

import type { Database } from "bun:sqlite";
import type { LiveView, Segment } from "./live-index.ts";
import type { QueryTerm } from "./words.ts";

/** The live chunks of a user that contain a term, and how often. Parallel arrays; each ordinal is there once. */
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

/** Cached postings may be this many states of the index old: each state is a list of all segments of a user. */
const MAX_STATES = 16;

/** Postings of the chunks of some segments. */
interface Cached {
  segments: readonly Segment[];
  /** Occurrences that were read for them, also those in other chunks. */
  count: number;
  postings: Postings;
}

const NOTHING: Cached = {
  segments: [],
  count: 0,
  postings: { ordinals: new Uint32Array(), frequencies: new Uint8Array() },
};

interface Row {
  /** One number per occurrence: twice the chunk's key, plus 1 in title or heading. Joined by commas, keys ascending. */
  occurrences: string | null;
  count: number;
}

const NO_ROW: Row = { occurrences: null, count: 0 };

/** Creates temporary tables on the handle, which may be read-only. */
export function openPostings(database: Database): PostingsReader {
  const read = openOccurrences(database);
  database.run("CREATE VIRTUAL TABLE temp.word_counts USING fts5vocab (main, chunk_words, 'row')");
  const chunksOf = database.query<{ chunks: number }, [string]>(
    "SELECT doc AS chunks FROM temp.word_counts WHERE term = ?",
  );
  const frequencies = new Map<string, number>();
  let frequenciesFor = -1;
  const cache = new Map<string, Cached>();
  let cachedPostings = 0;
  let changes = changesBetween([], []);
  const states: (readonly Segment[])[] = [];
  /** Drops the postings that no search has used since MAX_STATES states of the index. */
  const enterState = (segments: readonly Segment[]) => {
    states.push(segments);
    const oldest = states.length > MAX_STATES ? states.shift() : undefined;
    for (const [key, cached] of cache) {
      if (cached.segments !== oldest) continue;
      cache.delete(key);
      cachedPostings -= cached.postings.ordinals.length;
    }
  };
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
    find({ segments }, term) {
      const cacheKey = `${term.kind} ${term.text}`;
      // The list of segments is replaced whenever a generation of the user is added or removed.
      if (states.at(-1) !== segments) enterState(segments);
      const cached = cache.get(cacheKey) ?? NOTHING;
      if (cached.segments === segments) return cached.postings;
      if (changes.before !== cached.segments || changes.after !== segments)
        changes = changesBetween(cached.segments, segments);
      const { added, isRemoved } = changes;
      const [first] = added;
      const { occurrences, count } = first ? read(term, first.firstChunk) : NO_ROW;
      if (cached.count + count >= MAX_OCCURRENCES) return undefined;
      const postings = merged(cached.postings, isRemoved, parsePostings(added, occurrences ?? ""));
      cachedPostings += postings.ordinals.length - cached.postings.ordinals.length;
      if (cachedPostings > MAX_CACHED) {
        cache.clear();
        cachedPostings = postings.ordinals.length;
      }
      cache.set(cacheKey, { segments, count: cached.count + count, postings });
      return postings;
    },
  };
}

interface Changes {
  before: readonly Segment[];
  after: readonly Segment[];
  /** In the order of their chunk keys. */
  added: readonly Segment[];
  /** 1 at the ordinals of removed segments. */
  isRemoved: Uint8Array;
}

/** Compares two lists of segments that are both in the order of their chunk keys. */
function changesBetween(before: readonly Segment[], after: readonly Segment[]): Changes {
  const kept = new Set(before).intersection(new Set(after));
  const removed = before.filter((segment) => !kept.has(segment));
  const ends = removed.map(({ firstOrdinal, chunkCount }) => firstOrdinal + chunkCount);
  const isRemoved = new Uint8Array(ends.reduce((largest, end) => Math.max(largest, end), 0));
  for (const { firstOrdinal, chunkCount } of removed)
    isRemoved.fill(1, firstOrdinal, firstOrdinal + chunkCount);
  return { before, after, added: after.filter((segment) => !kept.has(segment)), isRemoved };
}

/** The postings without removed ordinals, followed by the new ones. */
function merged(postings: Postings, isRemoved: Uint8Array, added: Postings): Postings {
  const ordinals = new Uint32Array(postings.ordinals.length + added.ordinals.length);
  const frequencies = new Uint8Array(ordinals.length);
  let count = 0;
  for (let i = 0; i < postings.ordinals.length; i++) {
    if (isRemoved[postings.ordinals[i]!]) continue;
    ordinals[count] = postings.ordinals[i]!;
    frequencies[count++] = postings.frequencies[i]!;
  }
  ordinals.set(added.ordinals, count);
  frequencies.set(added.frequencies, count);
  count += added.ordinals.length;
  return { ordinals: ordinals.subarray(0, count), frequencies: frequencies.subarray(0, count) };
}

/** The occurrences of a term in chunks whose key is at least `firstChunk`. */
function openOccurrences(database: Database): (term: QueryTerm, firstChunk: number) => Row {
  database.run("CREATE VIRTUAL TABLE temp.word_occurrences USING fts5vocab (main, chunk_words, 'instance')");
  // FTS5 visits all occurrences of a term anyway, but those that are not needed cost less than half.
  // One string of numbers is read twice as fast as one row per number.
  const select = (condition: string) =>
    `SELECT group_concat(occurrence) AS occurrences, count(*) AS count FROM (
       SELECT doc * 2 + (col = 'context') AS occurrence FROM temp.word_occurrences WHERE doc >= ? AND ${condition})`;
  const byTerm = database.query<Row, [number, string, number]>(select("term = ? LIMIT ?"));
  // Several terms may share a prefix, so their occurrences have to be sorted.
  const byPrefix = database.query<Row, [number, string, string, number]>(
    select("term >= ? AND term < ? ORDER BY occurrence LIMIT ?"),
  );
  return ({ kind, text }, firstChunk) =>
    kind === "prefix"
      ? byPrefix.get(firstChunk, text, `${text}\u{10ffff}`, MAX_OCCURRENCES)!
      : byTerm.get(firstChunk, text, MAX_OCCURRENCES)!;
}

/** Parses comma-separated occurrences and merges them with the segments; other chunks are skipped. */
function parsePostings(segments: readonly Segment[], occurrences: string): Postings {
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
