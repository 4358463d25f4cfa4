// The live index in the memory of the scan thread: generations, the sign bits of their vectors and the lengths of their
// chunks in words. The tables are authoritative; the copy is brought up to date before every search.

import type { Database } from "bun:sqlite";
import { type Selection, selectDocuments } from "./conditions.ts";
import { type Filter, liveGenerations } from "./filter.ts";
import { Ranges } from "../vectors/ranges.ts";
import {
  type IndexChanges,
  type IndexState,
  positionsOf,
  ResidentIndex,
  type Segment,
  type SegmentSource,
  type StoredLength,
} from "./resident-index.ts";
import type { BitQuery, StoredBits } from "../vectors/resident-vectors.ts";

/** A vector of a chunk. */
export interface VectorMatch {
  vectorKey: number;
  chunkKey: number;
  segment: Segment;
}

/** Chunks with consecutive ordinals. */
interface ChunkRun {
  firstOrdinal: number;
  chunkCount: number;
}

/** The index of one user, with a filter. Valid inside the read transaction in which it was created. */
export interface LiveView {
  readonly userId: string;
  /** The chunks that the filter allows. */
  readonly allowed: readonly ChunkRun[];
  /** Whether the filter allows all segments of the user. */
  readonly isComplete: boolean;
  /** Number of the user's chunks with words, whether the filter allows them or not. */
  readonly wordChunks: number;
  /** Every ordinal is below this number. */
  readonly ordinals: number;
  /** Number of words of each chunk by its ordinal, including title and headings; at most 65,535. */
  readonly lengths: Uint16Array;
  readonly state: IndexState;
  /** What was added or removed since an earlier state, whether the filter allows it or not. */
  changesSince(state: IndexState | undefined): IndexChanges;
  /** Key of the chunk with this ordinal. */
  keyOf(ordinal: number): number;
  /** The segment of a chunk; undefined when it is not live or another user's. */
  segmentOf(chunkKey: number): Segment | undefined;
  /**
   * The vectors of a space nearest to a query among those that the filter allows; see ResidentVectors.nearest.
   */
  nearest(query: BitQuery, spaceId: number): VectorMatch[];
  /** All vectors of these chunks, whether the filter allows them or not. */
  vectorsOf(chunkKeys: ReadonlySet<number>): VectorMatch[];
}

export interface LiveIndex {
  /** Updates the copy and returns what the filter's user can see. Call it inside a read transaction. */
  view(filter: Filter): LiveView;
  /**
   * Reads the live index before it is needed, one generation for each step of the iteration, outside a transaction.
   * Views may be created in between; it ends with the first one, which reads the rest.
   */
  preload(): Generator<void, void>;
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
  const numbers = database.query<{ oldest: number; newest: number }, []>(
    // SQLite looks up one minimum or maximum of a column; both in one query are a scan.
    `SELECT ifnull((SELECT min(number) FROM index_changes), 0) AS oldest,
            ifnull((SELECT max(number) FROM index_changes), 0) AS newest`,
  );
  const changesAfter = database.query<{ id: number }, [number]>(
    "SELECT DISTINCT generation_id AS id FROM index_changes WHERE number > ?",
  );
  // Ids alone, in any order: SQLite finds them in an index that contains live generations only.
  const liveIds = database.query<{ id: number }, []>("SELECT id FROM index_generations WHERE state = 'live'");
  const liveRowsOf = database.query<SegmentSource, [string]>(
    `SELECT ${LIVE_ROW} FROM index_generations
     WHERE id IN (SELECT value FROM json_each(?)) AND state = 'live' ORDER BY id`,
  );
  const nextLiveRows = database.query<SegmentSource, [number]>(
    `SELECT ${LIVE_ROW} FROM index_generations WHERE state = 'live' AND id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  const bitsOf = database.query<StoredBits, [number]>(
    "SELECT vector_key AS vectorKey, chunk_key AS chunkKey, bits FROM chunk_bits WHERE generation_id = ?",
  );
  // A private table of FTS5 with the number of tokens of each row and column, which it offers in no other way. A test
  // pins its layout (docsize.test.ts).
  const lengthsOf = database.query<StoredLength, [number, number]>(
    "SELECT id, sz FROM chunk_words_docsize WHERE id >= ? AND id < ?",
  );
  let copy = new ResidentIndex();
  /** The last number in index_changes that the copy follows. */
  let version = NOT_COMPARED;

  const load = (row: SegmentSource) => {
    if (copy.segment(row.id)) return;
    const end = row.firstChunk + row.chunkCount;
    copy.add(row, bitsOf.iterate(row.id), lengthsOf.iterate(row.firstChunk, end));
  };

  /** Generations whose state may differ from that in the copy. */
  const changedIds = (oldest: number): number[] => {
    if (version !== NOT_COMPARED && oldest <= version + 1)
      return changesAfter.all(version).map(({ id }) => id);
    const ids = new Set(liveIds.all().map(({ id }) => id));
    return [...ids.symmetricDifference(new Set(copy.ids))];
  };

  const update = () => {
    const { oldest, newest } = numbers.get()!;
    if (newest === version) return;
    const changed = changedIds(oldest);
    const live = liveRowsOf.all(JSON.stringify(changed));
    const liveOnes = new Set(live.map(({ id }) => id));
    for (const id of changed) if (!liveOnes.has(id)) copy.retire(id);
    for (const row of live) load(row);
    version = newest;
    if (copy.deadChunks <= MIN_DEAD || copy.deadChunks <= copy.chunks - copy.deadChunks) return;
    const ids = JSON.stringify([...copy.ids]);
    copy = new ResidentIndex();
    for (const row of liveRowsOf.all(ids)) load(row);
  };
  return {
    view(filter) {
      update();
      return viewOf(copy, filter, allowedBy(database, copy, filter));
    },
    *preload() {
      let last = 0;
      for (let rows = nextLiveRows.all(last); rows.length > 0; rows = nextLiveRows.all(last)) {
        for (const row of rows) {
          if (version !== NOT_COMPARED) return;
          // A generation that died since it was read may be incomplete; the first view removes it.
          load(row);
          last = row.id;
          yield;
        }
      }
    },
  };
}

/** `allowed` is what the filter allows; undefined for all of the user. */
function viewOf(copy: ResidentIndex, { userId }: Filter, allowed: Allowed | undefined): LiveView {
  const { vectors } = copy;
  const user = copy.ofUser(userId);
  const match = (position: number): VectorMatch => ({
    vectorKey: vectors.vectorKey(position),
    chunkKey: vectors.chunkKey(position),
    segment: copy.byIndex[vectors.segment(position)]!,
  });
  return {
    userId,
    allowed: allowed?.runs ?? user.segments,
    isComplete: allowed === undefined,
    wordChunks: user.wordChunks,
    ordinals: copy.chunks,
    lengths: copy.lengths,
    state: user.state,
    changesSince: (state) => user.changesSince(state),
    keyOf: (ordinal) => copy.keyOf(ordinal),
    segmentOf: (chunkKey) => user.segmentOf(chunkKey),
    nearest(query, spaceId) {
      const ranges = allowed ? positionsIn(copy, allowed, spaceId) : user.positions(spaceId);
      return vectors.nearest(query, ranges).map(match);
    },
    vectorsOf(chunkKeys) {
      const containing = new Set<Segment>();
      for (const key of chunkKeys) {
        const segment = user.segmentOf(key);
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
}

/** What a filter allows. */
interface Allowed {
  segments: Segment[];
  runs: readonly ChunkRun[];
  /** The only chunks of the segments that are allowed, if not all are. */
  passages: Selection["passages"];
}

/** What the filter allows; undefined if that is all of the user. */
function allowedBy(database: Database, copy: ResidentIndex, filter: Filter): Allowed | undefined {
  const { tags, documentId, collectionId, conditions = [] } = filter;
  const isOpen = documentId === undefined && collectionId === undefined;
  if (isOpen && tags.length === 0 && conditions.length === 0) return undefined;
  const selection = selectDocuments(database, filter);
  const live = liveGenerations({ ...filter, ...selection });
  const rows = database.query<{ id: number }, string[]>(
    `SELECT g.id FROM index_generations AS g WHERE ${live.sql}`,
  );
  const segments = rows
    .all(...live.parameters)
    .map(({ id }) => copy.segment(id))
    .filter((segment) => segment !== undefined);
  const passages = selection?.passages;
  return { segments, passages, runs: passages ? runsIn(segments, passages) : segments };
}

type Passages = NonNullable<Selection["passages"]>;

function runsIn(segments: readonly Segment[], { keys, whole }: Passages): ChunkRun[] {
  return segments.flatMap((segment): ChunkRun[] => {
    if (whole.has(segment.documentId)) return [segment];
    const { firstChunk, firstOrdinal, chunkCount } = segment;
    return Array.from({ length: chunkCount }, (_, index) => index)
      .filter((index) => keys.has(firstChunk + index))
      .map((index) => ({ firstOrdinal: firstOrdinal + index, chunkCount: 1 }));
  });
}

function positionsIn(
  { vectors }: ResidentIndex,
  { segments, passages }: Allowed,
  spaceId: number,
): Ranges["list"] {
  const positions = new Ranges();
  for (const segment of segments) {
    if (segment.spaceId !== spaceId) continue;
    if (passages === undefined || passages.whole.has(segment.documentId)) {
      positions.add(positionsOf(segment));
      continue;
    }
    const { firstPosition, vectorCount } = segment;
    for (let position = firstPosition; position < firstPosition + vectorCount; position++) {
      if (passages.keys.has(vectors.chunkKey(position)))
        positions.add({ first: position, end: position + 1, offset: 0 });
    }
  }
  return positions.list;
}
