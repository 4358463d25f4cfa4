// The list of segments in which FTS5 stores a full-text table. The format is described in the first comment of
// sqlite.org/src/file/ext/fts5/fts5_index.c.

import type { Database } from "bun:sqlite";
import { Bytes, expectThat } from "./fts5-leaf.ts";

/**
 * The terms of a segment are on its leaves. Those of one that was merged into another completely are gone: `last` is 0.
 */
export interface Fts5Segment {
  id: number;
  /** The numbers of its leaves. */
  first: number;
  last: number;
  /** Its writes, as a range: no other segment has the same. */
  origins: string;
  /** How many of its rows are deleted. Their words are in it until it is merged. */
  deletedRows: number;
}

export interface Fts5Structure {
  segments: Fts5Segment[];
  /** Whether segments are being merged. */
  isMerging: boolean;
}

/** The row that lists the segments. */
const STRUCTURE_ROW = 10;
/** Its bytes 4 to 7 in a table with `contentless_delete`. */
const STRUCTURE_FORMAT = "ff000001";

/**
 * Reads the structure of a full-text table with each call, which throws UnexpectedBytes where it is not as expected.
 */
export function structureReader(database: Database, table: string): () => Fts5Structure {
  const row = database.query<{ block: Uint8Array }, [number]>(`SELECT block FROM ${table}_data WHERE id = ?`);
  return () => {
    const found = row.get(STRUCTURE_ROW);
    expectThat(found !== null, "the list of segments is missing");
    return parse(found.block);
  };
}

function parse(block: Uint8Array): Fts5Structure {
  const format = Buffer.from(block.subarray(4, 8)).toString("hex");
  expectThat(format === STRUCTURE_FORMAT, "this SQLite stores the word index in a format that is not known");
  const reader = new Bytes(block, 8);
  const levels = reader.integer();
  const count = reader.integer();
  reader.skip(1);
  const segments: Fts5Segment[] = [];
  let isMerging = false;
  for (let level = 0; level < levels; level++) {
    if (reader.integer() > 0) isMerging = true;
    for (let left = reader.integer(); left > 0; left--) {
      const segment = { id: reader.integer(), first: reader.integer(), last: reader.integer() };
      const origins = `${reader.integer()}-${reader.integer()}`;
      reader.skip(1);
      segments.push({ ...segment, origins, deletedRows: reader.integer() });
      reader.skip(1);
    }
  }
  expectThat(
    segments.length === count && reader.at === block.length,
    "the list of segments does not end as it says",
  );
  return { segments, isMerging };
}
