// What is live in the index, resident in the scan thread: generations with their sign bits and the lengths of their chunks
// in words. The tables are the truth; this copy follows them from one search to the next.

import type { Database } from "bun:sqlite";
import { type Filter, liveGenerations } from "./filter.ts";
import { ResidentVectors, type StoredBits } from "./resident-vectors.ts";

/** One live generation. Its chunks have the keys from `firstChunk` on, and here the ordinals from `firstOrdinal` on. */
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

export interface Candidate {
  vectorKey: number;
  chunkKey: number;
  segment: Segment;
}

/** The index as one filter shows it, at one moment: use it inside the read transaction that made it. */
export interface LiveView {
  /** All live generations of the user, whatever else the filter says, in the order of their chunk keys. */
  readonly segments: readonly Segment[];
  /** Ordinals are below this number. */
  readonly ordinals: number;
  isAllowed(segment: Segment): boolean;
  /** Words of a chunk with its title and headings. */
  lengthOf(ordinal: number): number;
  /** The segment of a chunk of the user's; undefined when it is not live. */
  segmentOf(chunkKey: number): Segment | undefined;
  /**
   * The `count` vectors of a space nearest to `bits` by Hamming distance among those the filter lets through, nearest
   * first, ties by key.
   */
  nearest(bits: Uint8Array, spaceId: number, count: number): Candidate[];
  /** All vectors of these chunks. */
  vectorsOf(chunkKeys: ReadonlySet<number>): Candidate[];
}

export interface LiveIndex {
  view(filter: Filter): LiveView;
}

interface LiveRow {
  id: number;
  documentId: string;
  userId: string;
  spaceId: number;
  firstChunk: number;
  chunkCount: number;
}

/** Dead chunks are reclaimed by reading everything again, when they are this many and outnumber the live ones. */
const MIN_DEAD = 4_096;

export function openLiveIndex(database: Database): LiveIndex {
  const changes = database.query<{ number: number }, []>("SELECT number FROM index_changes");
  const liveRows = database.query<LiveRow, []>(
    `SELECT id, document_id AS documentId, user_id AS userId, space_id AS spaceId,
       first_chunk AS firstChunk, chunk_count AS chunkCount
     FROM index_generations WHERE state = 'live' ORDER BY first_chunk`,
  );
  const bitsOf = database.query<StoredBits, [number]>(
    "SELECT vector_key AS vectorKey, chunk_key AS chunkKey, bits FROM chunk_bits WHERE generation_id = ?",
  );
  // FTS5 keeps the number of tokens of every row and column in this table of its own; nothing else tells it.
  const sizesOf = database.query<{ id: number; sz: Uint8Array }, [number, number]>(
    "SELECT id, sz FROM chunk_words_docsize WHERE id >= ? AND id < ?",
  );
  let copy = new Copy();
  let version = -1;

  const follow = () => {
    const { number } = changes.get()!;
    if (number === version) return;
    const live = new Map(liveRows.all().map((row) => [row.id, row]));
    copy.retireAllBut(live);
    if (copy.deadChunks > MIN_DEAD && copy.deadChunks > copy.chunks - copy.deadChunks) copy = new Copy();
    for (const row of live.values()) {
      if (copy.segments.has(row.id)) continue;
      const end = row.firstChunk + row.chunkCount;
      copy.add(row, bitsOf.iterate(row.id), sizesOf.iterate(row.firstChunk, end));
    }
    version = number;
  };
  return {
    view(filter) {
      follow();
      return viewOf(copy, filter, allowedSegments(database, copy, filter));
    },
  };
}

function viewOf(copy: Copy, { userId }: Filter, isAllowed: Uint8Array): LiveView {
  const { vectors } = copy;
  const segments = copy.segmentsOf(userId);
  const candidate = (position: number): Candidate => ({
    vectorKey: vectors.vectorKey(position),
    chunkKey: vectors.chunkKey(position),
    segment: copy.byIndex[vectors.run(position)],
  });
  const view: LiveView = {
    segments,
    ordinals: copy.chunks,
    isAllowed: ({ index }) => isAllowed[index] === 1,
    lengthOf: (ordinal) => copy.lengths[ordinal],
    segmentOf: (chunkKey) => segmentOf(segments, chunkKey),
    nearest(bits, spaceId, count) {
      const inSpace = Uint8Array.from(isAllowed, (allowed, index) =>
        copy.byIndex[index].spaceId === spaceId ? allowed : 0,
      );
      return vectors.nearest(bits, count, inSpace).map(candidate);
    },
    vectorsOf(chunkKeys) {
      const holding = new Set<Segment>();
      for (const key of chunkKeys) {
        const segment = view.segmentOf(key);
        if (segment) holding.add(segment);
      }
      const found: Candidate[] = [];
      for (const { firstPosition, vectorCount } of holding) {
        for (let position = firstPosition; position < firstPosition + vectorCount; position++) {
          if (chunkKeys.has(vectors.chunkKey(position))) found.push(candidate(position));
        }
      }
      return found;
    },
  };
  return view;
}

/** By index of the segment: 1 where the filter lets it through. */
function allowedSegments(database: Database, copy: Copy, filter: Filter): Uint8Array {
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

/** The segment that holds a chunk, of segments in the order of their chunks. */
function segmentOf(segments: readonly Segment[], chunkKey: number): Segment | undefined {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (segments[middle].firstChunk <= chunkKey) low = middle + 1;
    else high = middle;
  }
  const segment = segments[low - 1];
  return segment && chunkKey < segment.firstChunk + segment.chunkCount ? segment : undefined;
}

class Copy {
  /** By generation. */
  readonly segments = new Map<number, Segment>();
  readonly byIndex: Segment[] = [];
  readonly vectors = new ResidentVectors();
  /** By ordinal. */
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

  retireAllBut(live: ReadonlyMap<number, unknown>): void {
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

/** The sum of SQLite's variable-length integers in a record (sqlite.org/fileformat2.html, 1.6), each below 2^28 here. */
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
