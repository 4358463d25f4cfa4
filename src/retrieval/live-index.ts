// A copy of the live index in the memory of the scan thread: generations, the sign bits of their vectors and the lengths of
// their chunks in words. The tables are authoritative; the copy is brought up to date before every search.

import type { Database } from "bun:sqlite";
import { type Filter, liveGenerations } from "./filter.ts";
import { ResidentVectors, type StoredBits } from "./resident-vectors.ts";

/**
 * One live generation. Its chunks have consecutive keys from `firstChunk` on and consecutive ordinals from `firstOrdinal`
 * on; its vectors have consecutive positions from `firstPosition` on.
 */
export interface Segment {
  index: number;
  documentId: string;
  userId: string;
  spaceId: number;
  firstChunk: number;
  chunkCount: number;
  firstOrdinal: number;
  firstPosition: number;
  vectorCount: number;
}

/** A vector of a chunk. */
export interface VectorMatch {
  vectorKey: number;
  chunkKey: number;
  segment: Segment;
}

/** The index of one user, with a filter. Valid inside the read transaction in which it was created. */
export interface LiveView {
  /** Differs when the set of live generations, of all users, does. */
  readonly version: number;
  /** All live generations of the user in the order of their chunk keys, whether the filter allows them or not. */
  readonly segments: readonly Segment[];
  /** Every ordinal is below this number. */
  readonly ordinals: number;
  /** Whether the filter allows a segment. */
  isAllowed(segment: Segment): boolean;
  /** Number of words of a chunk, including title and headings; at most 65,535. */
  lengthOf(ordinal: number): number;
  /** The segment of a chunk; undefined when it is not live or another user's. */
  segmentOf(chunkKey: number): Segment | undefined;
  /**
   * The `count` vectors of a space nearest to `bits` by Hamming distance among those that the filter allows, nearest
   * first, ties by key.
   */
  nearest(bits: Uint8Array, spaceId: number, count: number): VectorMatch[];
  /** All vectors of these chunks, whether the filter allows them or not. */
  vectorsOf(chunkKeys: ReadonlySet<number>): VectorMatch[];
}

export interface LiveIndex {
  /** Updates the copy and returns what the filter's user can see. Call it inside a read transaction. */
  view(filter: Filter): LiveView;
  /**
   * Reads the live index before it is needed, one generation for each step of the iteration, outside a transaction. Views
   * may be created in between; it ends with the first one, which reads the rest.
   */
  preload(): Iterable<void>;
}

interface LiveRow {
  id: number;
  documentId: string;
  userId: string;
  spaceId: number;
  firstChunk: number;
  chunkCount: number;
}

const LIVE_ROW = `id, document_id AS documentId, user_id AS userId, space_id AS spaceId, first_chunk AS firstChunk,
  chunk_count AS chunkCount`;

/** The version of a copy that no view has compared with the tables. */
const NOT_COMPARED = -1;

/** Number of generations that preloading reads at a time. */
const PAGE = 256;

/** Everything is read again to free memory when there are more dead chunks than this and than live ones. */
const MIN_DEAD = 4_096;

/** The live index of a read handle, empty until the first view. */
export function openLiveIndex(database: Database): LiveIndex {
  const changes = database.query<{ number: number }, []>("SELECT number FROM index_changes");
  // Ids alone, in any order: SQLite finds them in an index that contains live generations only.
  const liveIds = database.query<{ id: number }, []>("SELECT id FROM index_generations WHERE state = 'live'");
  const rowsOf = database.query<LiveRow, [string]>(
    `SELECT ${LIVE_ROW} FROM index_generations WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  );
  const nextLiveRows = database.query<LiveRow, [number]>(
    `SELECT ${LIVE_ROW} FROM index_generations WHERE state = 'live' AND id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  const bitsOf = database.query<StoredBits, [number]>(
    "SELECT vector_key AS vectorKey, chunk_key AS chunkKey, bits FROM chunk_bits WHERE generation_id = ?",
  );
  // A private table of FTS5 with the number of tokens of each row and column, which it offers in no other way. A test pins
  // its layout (docsize.test.ts).
  const sizesOf = database.query<{ id: number; sz: Uint8Array }, [number, number]>(
    "SELECT id, sz FROM chunk_words_docsize WHERE id >= ? AND id < ?",
  );
  let copy = new ResidentIndex();

  const load = (row: LiveRow) => {
    if (copy.segments.has(row.id)) return;
    const end = row.firstChunk + row.chunkCount;
    copy.add(row, bitsOf.iterate(row.id), sizesOf.iterate(row.firstChunk, end));
  };

  const update = () => {
    const { number } = changes.get()!;
    if (number === copy.version) return;
    const live = new Set(liveIds.all().map(({ id }) => id));
    copy.retireAllExcept(live);
    if (copy.deadChunks > MIN_DEAD && copy.deadChunks > copy.chunks - copy.deadChunks)
      copy = new ResidentIndex();
    const missing = [...live].filter((id) => !copy.segments.has(id));
    for (const row of rowsOf.all(JSON.stringify(missing))) load(row);
    copy.version = number;
  };
  return {
    view(filter) {
      update();
      return viewOf(copy, filter, allowedSegments(database, copy, filter));
    },
    *preload() {
      let last = 0;
      for (let rows = nextLiveRows.all(last); rows.length > 0; rows = nextLiveRows.all(last)) {
        for (const row of rows) {
          if (copy.version !== NOT_COMPARED) return;
          // A generation that died since it was read may be incomplete; the first view removes it.
          load(row);
          last = row.id;
          yield;
        }
      }
    },
  };
}

function viewOf(copy: ResidentIndex, { userId }: Filter, isAllowed: Uint8Array): LiveView {
  const { vectors } = copy;
  const segments = copy.segmentsOf(userId);
  const match = (position: number): VectorMatch => ({
    vectorKey: vectors.vectorKey(position),
    chunkKey: vectors.chunkKey(position),
    segment: copy.byIndex[vectors.segment(position)]!,
  });
  const view: LiveView = {
    version: copy.version,
    segments,
    ordinals: copy.chunks,
    isAllowed: ({ index }) => isAllowed[index] === 1,
    lengthOf: (ordinal) => copy.lengths[ordinal] ?? 0,
    segmentOf: (chunkKey) => segmentOf(segments, chunkKey),
    nearest(bits, spaceId, count) {
      const inSpace = new Uint8Array(isAllowed.length);
      for (const { index, spaceId: its } of segments) if (its === spaceId) inSpace[index] = isAllowed[index]!;
      return vectors.nearest(bits, count, inSpace).map(match);
    },
    vectorsOf(chunkKeys) {
      const containing = new Set<Segment>();
      for (const key of chunkKeys) {
        const segment = view.segmentOf(key);
        if (segment) containing.add(segment);
      }
      const found: VectorMatch[] = [];
      for (const { firstPosition, vectorCount } of containing) {
        for (let position = firstPosition; position < firstPosition + vectorCount; position++) {
          if (chunkKeys.has(vectors.chunkKey(position))) found.push(match(position));
        }
      }
      return found;
    },
  };
  return view;
}

/** 1 at the index of each segment that the filter allows, else 0. */
function allowedSegments(database: Database, copy: ResidentIndex, filter: Filter): Uint8Array {
  const isAllowed = new Uint8Array(copy.byIndex.length);
  const { userId, tags, documentId, collectionId } = filter;
  if (tags.length === 0 && documentId === undefined && collectionId === undefined) {
    for (const segment of copy.segmentsOf(userId)) isAllowed[segment.index] = 1;
    return isAllowed;
  }
  const live = liveGenerations(filter);
  const rows = database.query<{ id: number }, string[]>(
    `SELECT g.id FROM index_generations AS g WHERE ${live.sql}`,
  );
  for (const { id } of rows.all(...live.parameters)) {
    const segment = copy.segments.get(id);
    if (segment) isAllowed[segment.index] = 1;
  }
  return isAllowed;
}

/** Binary search for the segment of a chunk; `segments` are in the order of their chunk keys. */
function segmentOf(segments: readonly Segment[], chunkKey: number): Segment | undefined {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (segments[middle]!.firstChunk <= chunkKey) low = middle + 1;
    else high = middle;
  }
  const segment = segments[low - 1];
  return segment && chunkKey < segment.firstChunk + segment.chunkCount ? segment : undefined;
}

/** The copy itself. Segments are only appended; retired ones stay as dead ranges of ordinals and positions. */
class ResidentIndex {
  /** The number in index_changes that it was last compared with. */
  version = NOT_COMPARED;
  /** By id of the generation. */
  readonly segments = new Map<number, Segment>();
  readonly byIndex: Segment[] = [];
  readonly vectors = new ResidentVectors();
  /** Words of each chunk, by ordinal. */
  lengths = new Uint16Array(1024);
  chunks = 0;
  deadChunks = 0;
  #ofUser = new Map<string, Segment[]>();

  add(
    { id, ...row }: LiveRow,
    vectors: Iterable<StoredBits>,
    sizes: Iterable<{ id: number; sz: Uint8Array }>,
  ): void {
    const index = this.byIndex.length;
    const firstPosition = this.vectors.size;
    this.vectors.add(index, vectors);
    const segment: Segment = {
      ...row,
      index,
      firstOrdinal: this.chunks,
      firstPosition,
      vectorCount: this.vectors.size - firstPosition,
    };
    this.chunks += row.chunkCount;
    if (this.chunks > this.lengths.length) {
      const larger = new Uint16Array(Math.max(this.chunks, this.lengths.length * 2));
      larger.set(this.lengths);
      this.lengths = larger;
    }
    for (const { id: key, sz } of sizes) {
      this.lengths[segment.firstOrdinal + key - row.firstChunk] = Math.min(65_535, sumOfVarints(sz));
    }
    this.byIndex.push(segment);
    this.segments.set(id, segment);
    this.#ofUser.delete(row.userId);
  }

  retireAllExcept(live: ReadonlySet<number>): void {
    for (const [id, { chunkCount, userId }] of this.segments) {
      if (live.has(id)) continue;
      this.segments.delete(id);
      this.deadChunks += chunkCount;
      this.#ofUser.delete(userId);
    }
  }

  segmentsOf(userId: string): Segment[] {
    let own = this.#ofUser.get(userId);
    if (!own) {
      own = [...this.segments.values()].filter((segment) => segment.userId === userId);
      own.sort((a, b) => a.firstChunk - b.firstChunk);
      this.#ofUser.set(userId, own);
    }
    return own;
  }
}

/** The sum of the variable-length integers in a blob (sqlite.org/fileformat2.html, section 1.6), each below 2^28 here. */
function sumOfVarints(bytes: Uint8Array): number {
  let sum = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 7) | (byte & 0x7f);
    if (byte & 0x80) continue;
    sum += value;
    value = 0;
  }
  return sum;
}
