// The sign bits of all live vectors, resident in the scan thread: 192 bytes a vector, and a few words beside it. The table
// chunk_bits is the truth; this copy follows it from one search to the next.

import type { Database } from "bun:sqlite";
import { type Filter, liveGenerations } from "./filter.ts";
import { BITS_BYTES, createHammingKernel, type HammingKernel } from "./hamming-kernel.ts";

export interface Candidate {
  vectorKey: number;
  chunkKey: number;
  documentId: string;
}

export interface ResidentBits {
  /**
   * The `count` vectors of a space nearest to `bits` by Hamming distance among those the filter lets through, nearest
   * first, ties by key. Call it inside the read transaction of the search.
   */
  nearest(bits: Uint8Array, spaceId: number, filter: Filter, count: number): Candidate[];
}

/** The vectors of one live generation. */
interface Segment {
  index: number;
  documentId: string;
  userId: string;
  spaceId: number;
  size: number;
}

interface LiveRow {
  id: number;
  documentId: string;
  userId: string;
  spaceId: number;
}

/** Dead positions are reclaimed by reading everything again, when they are this many and outnumber the live ones. */
const MIN_DEAD = 4_096;

export function openResidentBits(database: Database): ResidentBits {
  const dataVersion = database.query<{ data_version: number }, []>("PRAGMA data_version");
  const liveRows = database.query<LiveRow, []>(
    `SELECT id, document_id AS documentId, user_id AS userId, space_id AS spaceId
     FROM index_generations WHERE state = 'live'`,
  );
  const bitsOf = database.query<{ vectorKey: number; chunkKey: number; bits: Uint8Array }, [number]>(
    "SELECT vector_key AS vectorKey, chunk_key AS chunkKey, bits FROM chunk_bits WHERE generation_id = ?",
  );
  let copy = new Copy();
  let version = -1;

  const follow = () => {
    const { data_version } = dataVersion.get()!;
    if (data_version === version) return;
    const live = new Map(liveRows.all().map((row) => [row.id, row]));
    copy.retireAllBut(live);
    if (copy.dead > MIN_DEAD && copy.dead > copy.size - copy.dead) copy = new Copy();
    for (const row of live.values()) {
      if (!copy.segments.has(row.id)) copy.add(row, bitsOf.iterate(row.id));
    }
    version = data_version;
  };

  return {
    nearest(bits, spaceId, filter, count) {
      follow();
      const isAllowed = allowedSegments(database, copy, spaceId, filter);
      return copy.nearest(bits, count, isAllowed);
    },
  };
}

/** By index of the segment: 1 where the filter lets it through. */
function allowedSegments(database: Database, copy: Copy, spaceId: number, filter: Filter): Uint8Array {
  const isAllowed = new Uint8Array(copy.segmentCount);
  const { userId, tags, documentId, collectionId } = filter;
  if (tags.length === 0 && documentId === undefined && collectionId === undefined) {
    for (const segment of copy.segments.values()) {
      if (segment.userId === userId && segment.spaceId === spaceId) isAllowed[segment.index] = 1;
    }
    return isAllowed;
  }
  const live = liveGenerations(filter);
  const rows = database.query<{ id: number }, (string | number)[]>(
    `SELECT g.id FROM index_generations AS g WHERE ${live.sql} AND g.space_id = ?`,
  );
  for (const { id } of rows.all(...live.parameters, spaceId)) {
    const segment = copy.segments.get(id);
    if (segment) isAllowed[segment.index] = 1;
  }
  return isAllowed;
}

/** Parallel arrays by position; positions are only ever appended. */
class Copy {
  readonly segments = new Map<number, Segment>();
  segmentCount = 0;
  size = 0;
  dead = 0;
  #kernel: HammingKernel = createHammingKernel();
  #documentIds: string[] = [];
  #segmentOf = new Uint32Array(1024);
  #vectorKeys = new Float64Array(1024);
  #chunkKeys = new Float64Array(1024);

  add(row: LiveRow, vectors: Iterable<{ vectorKey: number; chunkKey: number; bits: Uint8Array }>): void {
    const index = this.segmentCount++;
    this.#documentIds[index] = row.documentId;
    const from = this.size;
    for (const { vectorKey, chunkKey, bits } of vectors) {
      const position = this.size++;
      if (position >= this.#vectorKeys.length) this.#grow();
      this.#kernel.put(position, bits);
      this.#segmentOf[position] = index;
      this.#vectorKeys[position] = vectorKey;
      this.#chunkKeys[position] = chunkKey;
    }
    this.segments.set(row.id, { ...row, index, size: this.size - from });
  }

  retireAllBut(live: ReadonlyMap<number, unknown>): void {
    for (const [id, { size }] of this.segments) {
      if (live.has(id)) continue;
      this.segments.delete(id);
      this.dead += size;
    }
  }

  nearest(bits: Uint8Array, count: number, isAllowed: Uint8Array): Candidate[] {
    const distances = new Uint16Array(this.size);
    const histogram = new Uint32Array(BITS_BYTES * 8 + 1);
    const segmentOf = this.#segmentOf;
    this.#kernel.distances(bits, this.size, (position, distance) => {
      distances[position] = distance;
      histogram[distance] += isAllowed[segmentOf[position]];
    });
    let last = 0;
    for (let taken = histogram[0]; taken < count && last < histogram.length - 1; ) taken += histogram[++last];
    const near: number[] = [];
    for (let position = 0; position < this.size; position++) {
      if (distances[position] <= last && isAllowed[segmentOf[position]]) near.push(position);
    }
    const key = (position: number) => this.#vectorKeys[position];
    return near
      .sort((a, b) => distances[a] - distances[b] || key(a) - key(b))
      .slice(0, count)
      .map((position) => ({
        vectorKey: key(position),
        chunkKey: this.#chunkKeys[position],
        documentId: this.#documentIds[segmentOf[position]],
      }));
  }

  #grow(): void {
    const length = this.#vectorKeys.length * 2;
    const grown = <Kind extends Uint32Array | Float64Array>(array: Kind, larger: Kind) => {
      larger.set(array);
      return larger;
    };
    this.#segmentOf = grown(this.#segmentOf, new Uint32Array(length));
    this.#vectorKeys = grown(this.#vectorKeys, new Float64Array(length));
    this.#chunkKeys = grown(this.#chunkKeys, new Float64Array(length));
  }
}
