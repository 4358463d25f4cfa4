// Posting lists of the word index, cached and brought up to date when the index changes. It uses ordinals of the live
// index.

import type { Database } from "bun:sqlite";
import { openDoclists } from "../words/doclists.ts";
import type { Doclist } from "../words/vocabulary.ts";
import { UnexpectedBytes } from "../words/fts5-leaf.ts";
import type { LiveView } from "./live-index.ts";
import type { Range } from "../vectors/ranges.ts";
import { type IndexChanges, type IndexState, isSameState, type Segment } from "./resident-index.ts";
import { readVocabulary } from "../words/vocabulary.ts";
import type { IndexTerm, QueryTerm } from "../words/words.ts";

/** The live chunks of a user that contain a term, and how often. Parallel arrays; each ordinal is there once. */
export interface Postings {
  ordinals: Uint32Array;
  /** At most 255; see Doclist. */
  frequencies: Uint8Array;
}

export interface PostingsReader {
  /**
   * The chunks with a term or one of its other notations. Undefined for a term with too many occurrences. Call it
   * inside the view's transaction.
   */
  find(view: LiveView, term: QueryTerm): Postings | undefined;
}

/** A term with more occurrences than this, in all users' texts, is ignored. Reading 30,000 occurrences takes 0.6 ms. */
const MAX_OCCURRENCES = 1_000_000;

/** Maximum number of cached postings, 5 bytes each: this, or so many for each chunk of the index. */
const MAX_CACHED = 4_000_000;
const MAX_CACHED_A_CHUNK = 8;

/** Maximum number of terms with cached postings. */
const MAX_TERMS = 20_000;

/** Postings of the live chunks in one state of the index. */
interface Cached {
  state: IndexState | undefined;
  /** Occurrences that were read for them, also those in other chunks. */
  count: number;
  postings: Postings;
}

const NO_POSTINGS: Postings = { ordinals: new Uint32Array(), frequencies: new Uint8Array() };
const NOTHING: Cached = { state: undefined, count: 0, postings: NO_POSTINGS };

/** Receives a problem of the word index that costs only time. */
export type ReportProblem = (problem: string) => void;

/** Outside the server nobody reads such a report. */
export const failOnProblem: ReportProblem = (problem) => {
  throw new Error(problem);
};

/**
 * The postings on one read handle. If the fast reader cannot read the index, the slow one of SQLite is used, and
 * `report` is called once.
 */
export function openPostings(database: Database, report: ReportProblem = failOnProblem): PostingsReader {
  const readLists = openDoclists(database);
  let hasReported = false;
  /** The lists of a term from `firstKey` on, until they have MAX_OCCURRENCES with the `count` that were read before. */
  const read = (term: IndexTerm, firstKey: number, count: number): Doclist[] => {
    const lists: Doclist[] = [];
    let occurrences = count;
    try {
      for (const list of readLists(term, firstKey)) {
        lists.push(list);
        occurrences += list.occurrences;
        if (occurrences >= MAX_OCCURRENCES) break;
      }
      return lists;
    } catch (error) {
      if (!(error instanceof UnexpectedBytes)) throw error;
      if (!hasReported) report(`words are searched slowly: ${error.message}`);
      hasReported = true;
      return [readVocabulary(database, term, firstKey, MAX_OCCURRENCES - count)];
    }
  };
  const cache = new Map<string, Cached>();
  let cachedPostings = 0;
  const remove = (key: string) => {
    cachedPostings -= cache.get(key)?.postings.ordinals.length ?? 0;
    cache.delete(key);
  };
  /** Stores an entry as the last used one, and drops those that have not been used for the longest time. */
  const store = (key: string, cached: Cached, maximum: number) => {
    remove(key);
    cache.set(key, cached);
    cachedPostings += cached.postings.ordinals.length;
    for (const oldest of cache.keys()) {
      if (cachedPostings <= maximum && cache.size <= MAX_TERMS) break;
      remove(oldest);
    }
  };
  // All terms of a query are usually in the same state.
  let changesOf: { before: IndexState | undefined; after: IndexState; changes: IndexChanges } | undefined;
  const changesBetween = (before: IndexState | undefined, view: LiveView): IndexChanges => {
    if (!changesOf || !isSameState(changesOf.before, before) || !isSameState(changesOf.after, view.state))
      changesOf = { before, after: view.state, changes: view.changesSince(before) };
    return changesOf.changes;
  };
  const findOne = (view: LiveView, term: IndexTerm): Postings | undefined => {
    const cacheKey = `${view.userId} ${term.kind} ${term.text}`;
    const found = cache.get(cacheKey);
    // Ordinals of another copy of the index mean other chunks.
    const cached = found?.state?.index === view.state.index ? found : NOTHING;
    let { count } = cached;
    let { postings } = cached;
    if (!isSameState(cached.state, view.state) && count < MAX_OCCURRENCES) {
      const { added, removed } = changesBetween(cached.state, view);
      const lists = added[0] ? read(term, added[0].first, count) : [];
      for (const { occurrences } of lists) count += occurrences;
      postings =
        count < MAX_OCCURRENCES ? merged(postings, removed, postingsOf(lists, added, term)) : NO_POSTINGS;
    }
    const maximum = Math.max(MAX_CACHED, MAX_CACHED_A_CHUNK * view.ordinals);
    store(cacheKey, { state: view.state, count, postings }, maximum);
    return count < MAX_OCCURRENCES ? postings : undefined;
  };
  return {
    find(view, { text, kind, also = [] }) {
      const found = findOne(view, { text, kind });
      const others = also.flatMap((term) => findOne(view, term) ?? []);
      const known = others.filter(({ ordinals }) => ordinals.length > 0);
      return found && known.reduce(together, found);
    },
  };
}

/** The chunks of either postings. */
function together(one: Postings, other: Postings): Postings {
  const { ordinals, frequencies } = merged(one, [], other);
  return summed({ ordinals, frequencies });
}

/** The postings without those of removed segments, followed by the new ones. */
function merged(postings: Postings, removed: readonly Segment[], added: Postings): Postings {
  const kept = removed.length > 0 ? without(postings, removed) : postings;
  if (added.ordinals.length === 0) return kept;
  const ordinals = new Uint32Array(kept.ordinals.length + added.ordinals.length);
  const frequencies = new Uint8Array(ordinals.length);
  ordinals.set(kept.ordinals);
  ordinals.set(added.ordinals, kept.ordinals.length);
  frequencies.set(kept.frequencies);
  frequencies.set(added.frequencies, kept.ordinals.length);
  return { ordinals, frequencies };
}

function without({ ordinals, frequencies }: Postings, removed: readonly Segment[]): Postings {
  const end = Math.max(...removed.map(({ firstOrdinal, chunkCount }) => firstOrdinal + chunkCount));
  const isRemoved = new Uint8Array(end);
  for (const { firstOrdinal, chunkCount } of removed)
    isRemoved.fill(1, firstOrdinal, firstOrdinal + chunkCount);
  const isKept = (_: number, index: number) => isRemoved[ordinals[index]!] !== 1;
  return { ordinals: ordinals.filter(isKept), frequencies: frequencies.filter(isKept) };
}

/** The postings of the chunks with keys in these ranges; other chunks are skipped. */
function postingsOf(lists: readonly Doclist[], chunks: readonly Range[], { kind }: IndexTerm): Postings {
  const length = lists.reduce((sum, { keys }) => sum + keys.length, 0);
  const ordinals = new Uint32Array(length);
  const frequencies = new Uint8Array(length);
  let count = 0;
  for (const { keys, frequencies: of } of lists) {
    let next = -1;
    let [first, end, offset] = [0, 0, 0];
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      if (key >= end) {
        next = firstEndingAfter(chunks, key, next + 1);
        const range = chunks[next];
        if (!range) break;
        ({ first, end, offset } = range);
      }
      if (key < first) continue;
      ordinals[count] = key + offset;
      frequencies[count++] = of[i]!;
    }
  }
  const postings = { ordinals: ordinals.slice(0, count), frequencies: frequencies.slice(0, count) };
  // Only chunks of different terms can be the same.
  return kind === "prefix" ? summed(postings) : postings;
}

/** The index of the first range from `from` on that ends after a key: steps that double, then a binary search. */
function firstEndingAfter(ranges: readonly Range[], key: number, from: number): number {
  let low = from;
  let high = from;
  for (let step = 1; high < ranges.length && ranges[high]!.end <= key; step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, ranges.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end > key) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Adds up the frequencies of the same ordinal. */
function summed({ ordinals, frequencies }: Postings): Postings {
  const sums = new Map<number, number>();
  for (const [index, ordinal] of ordinals.entries())
    sums.set(ordinal, Math.min(255, (sums.get(ordinal) ?? 0) + frequencies[index]!));
  return { ordinals: Uint32Array.from(sums.keys()), frequencies: Uint8Array.from(sums.values()) };
}
