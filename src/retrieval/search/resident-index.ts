// A copy of the live index of all users in memory, by segments: which chunks and vectors there are, and what changed
// since a reader last looked.

import { type Range, Ranges } from "../vectors/ranges.ts";
import { ResidentVectors, type StoredBits } from "../vectors/resident-vectors.ts";

/**
 * One live generation. Its chunks have consecutive keys from `firstChunk` on and consecutive ordinals from
 * `firstOrdinal` on; its vectors have consecutive positions from `firstPosition` on.
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

/** What a generation's segment is made of. */
export interface SegmentSource {
  id: number;
  documentId: string;
  userId: string;
  spaceId: number;
  firstChunk: number;
  chunkCount: number;
}

/** Lengths of a chunk: a row of FTS5's table of row sizes. */
export interface StoredLength {
  id: number;
  sz: Uint8Array;
}

/** A state of the index of one user, to compare later ones with. */
export interface IndexState {
  readonly index: UserIndex;
  readonly added: number;
  readonly removed: number;
}

/** Whether nothing was added or removed between two states of one user's index. */
export function isSameState(a: IndexState | undefined, b: IndexState | undefined): boolean {
  return a?.index === b?.index && a?.added === b?.added && a?.removed === b?.removed;
}

/** What was added or removed between two states. */
export interface IndexChanges {
  /** Chunk keys; key plus offset is the ordinal. */
  added: readonly Range[];
  removed: readonly Segment[];
}

/**
 * The live segments of one user. Everything is updated in place: the cost of a change does not depend on what is
 * stored.
 */
export class UserIndex {
  /** In the order of their chunk keys. */
  readonly segments: Segment[] = [];
  /** Number of chunks with words: a document's own chunk has none unless it is the only one. */
  wordChunks = 0;
  readonly #added: Segment[] = [];
  readonly #removed: Segment[] = [];
  /** All chunk keys with their ordinals. */
  readonly #chunks = new Ranges();
  /** By space. */
  readonly #positions = new Map<number, Ranges>();

  get state(): IndexState {
    return { index: this, added: this.#added.length, removed: this.#removed.length };
  }

  /**
   * The changes since an earlier state; all segments are new without one, or if it is from another copy of the index.
   */
  changesSince(state: IndexState | undefined): IndexChanges {
    if (state?.index !== this) return { added: this.#chunks.list, removed: [] };
    const removed = this.#removed.slice(state.removed);
    const gone = new Set(removed);
    const added = new Ranges();
    for (const segment of this.#added.slice(state.added))
      if (!gone.has(segment)) added.add(chunksOf(segment));
    return { added: added.list, removed };
  }

  /** The positions of all vectors of a space. */
  positions(spaceId: number): readonly Range[] {
    return this.#positions.get(spaceId)?.list ?? [];
  }

  add(segment: Segment): void {
    this.segments.splice(segmentsUpTo(this.segments, segment.firstChunk), 0, segment);
    this.#added.push(segment);
    this.wordChunks += wordChunksOf(segment);
    this.#chunks.add(chunksOf(segment));
    const positions = this.#positions.get(segment.spaceId) ?? new Ranges();
    positions.add(positionsOf(segment));
    this.#positions.set(segment.spaceId, positions);
  }

  remove(segment: Segment): void {
    this.segments.splice(segmentsUpTo(this.segments, segment.firstChunk) - 1, 1);
    this.#removed.push(segment);
    this.wordChunks -= wordChunksOf(segment);
    const chunks = chunksOf(segment);
    this.#chunks.remove(chunks.first, chunks.end);
    const positions = positionsOf(segment);
    this.#positions.get(segment.spaceId)!.remove(positions.first, positions.end);
  }

  /** The segment of a chunk; undefined when there is none. */
  segmentOf(chunkKey: number): Segment | undefined {
    const segment = this.segments[segmentsUpTo(this.segments, chunkKey) - 1];
    return segment && chunkKey < segment.firstChunk + segment.chunkCount ? segment : undefined;
  }
}

/** The copy itself. Segments are only appended; retired ones stay as dead ranges of ordinals and positions. */
export class ResidentIndex {
  readonly vectors = new ResidentVectors();
  /** Words of each chunk, by ordinal; at most 65,535. */
  lengths = new Uint16Array(1024);
  chunks = 0;
  deadChunks = 0;
  /** All segments ever added, in the order of their ordinals. */
  readonly byIndex: Segment[] = [];
  /** Live segments by id of the generation. */
  readonly #segments = new Map<number, Segment>();
  readonly #users = new Map<string, UserIndex>();

  get ids(): IterableIterator<number> {
    return this.#segments.keys();
  }

  /** The live segment of a generation. */
  segment(id: number): Segment | undefined {
    return this.#segments.get(id);
  }

  /** The segments of a user; an empty index for one without documents. */
  ofUser(userId: string): UserIndex {
    return this.#users.get(userId) ?? new UserIndex();
  }

  add(
    { id, ...source }: SegmentSource,
    vectors: Iterable<StoredBits>,
    lengths: Iterable<StoredLength>,
  ): void {
    const index = this.byIndex.length;
    const firstPosition = this.vectors.size;
    this.vectors.add(index, vectors);
    const vectorCount = this.vectors.size - firstPosition;
    const segment = { ...source, index, firstOrdinal: this.chunks, firstPosition, vectorCount };
    this.chunks += source.chunkCount;
    if (this.chunks > this.lengths.length) {
      const larger = new Uint16Array(Math.max(this.chunks, this.lengths.length * 2));
      larger.set(this.lengths);
      this.lengths = larger;
    }
    for (const { id: key, sz } of lengths)
      this.lengths[segment.firstOrdinal + key - source.firstChunk] = Math.min(65_535, sumOfVarints(sz));
    this.byIndex.push(segment);
    this.#segments.set(id, segment);
    const user = this.ofUser(source.userId);
    this.#users.set(source.userId, user);
    user.add(segment);
  }

  /** Removes the segment of a generation, if there is one. */
  retire(id: number): void {
    const segment = this.#segments.get(id);
    if (!segment) return;
    this.#segments.delete(id);
    this.#users.get(segment.userId)!.remove(segment);
    this.deadChunks += segment.chunkCount;
  }

  /** Key of the chunk with this ordinal. */
  keyOf(ordinal: number): number {
    let low = 0;
    for (let high = this.byIndex.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (this.byIndex[middle]!.firstOrdinal <= ordinal) low = middle;
      else high = middle;
    }
    const { firstChunk, firstOrdinal } = this.byIndex[low]!;
    return firstChunk + ordinal - firstOrdinal;
  }
}

/** How many of these segments, which are in the order of their chunk keys, start at or before a key. */
function segmentsUpTo(segments: readonly Segment[], chunkKey: number): number {
  let low = 0;
  for (let high = segments.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (segments[middle]!.firstChunk <= chunkKey) low = middle + 1;
    else high = middle;
  }
  return low;
}

const chunksOf = ({ firstChunk, chunkCount, firstOrdinal }: Segment): Range => ({
  first: firstChunk,
  end: firstChunk + chunkCount,
  offset: firstOrdinal - firstChunk,
});

/** The positions of a segment's vectors. */
export const positionsOf = ({ firstPosition, vectorCount }: Segment): Range => ({
  first: firstPosition,
  end: firstPosition + vectorCount,
  offset: 0,
});

const wordChunksOf = ({ chunkCount }: Segment) => Math.max(1, chunkCount - 1);

/**
 * The sum of the variable-length integers in a blob (sqlite.org/fileformat2.html, section 1.6), each below 2^28 here.
 */
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
