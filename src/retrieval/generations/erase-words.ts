// Removes the words of deleted rows from the full-text tables. FTS5 only notes that a row is deleted: its words are in
// a segment until that is merged.

import type { Database } from "bun:sqlite";
import { preparedSql } from "../../db/prepared.ts";
import { structureReader } from "../words/fts5-structure.ts";
import { type SliceOptions, writeInSlices } from "./slices.ts";

const TABLES = ["chunk_words", "chunk_trigrams"] as const;
/** Leaves of 4 kB that one step of a merge writes: 1 to 2 ms. */
const STEP_LEAVES = 16;

/**
 * Merges the segments of each table that contain deleted rows, and all others with them, in slices. That writes the
 * whole table again. Throws when the signal fires; what was merged until then remains.
 */
export async function eraseDeletedWords(options: SliceOptions): Promise<void> {
  for (const table of TABLES) await eraseFrom(table, options);
}

async function eraseFrom(table: (typeof TABLES)[number], options: SliceOptions): Promise<void> {
  const structure = structureReader(options.store.sql, table);
  const stale = () =>
    structure()
      .segments.filter(({ deletedRows }) => deletedRows > 0)
      .map(({ id, origins }) => `${id} ${origins}`);
  const before = new Set(stale());
  if (before.size === 0) return;
  const merge = preparedSql<never, [number]>(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`);
  await writeInSlices(options, (write) => {
    // A negative number begins to merge all segments, a positive one continues what was begun.
    merge(write).run(structure().isMerging ? STEP_LEAVES : -STEP_LEAVES);
    return stale().some((segment) => before.has(segment));
  });
}

/** Whether index rows of deleted documents are left, which the job index.sweep deletes. */
export function hasRowsOfDeleted({ sql }: { sql: Database }): boolean {
  const found = sql.query<{ found: 1 }, []>(
    `SELECT 1 AS found FROM index_generations AS g
     WHERE state = 'dead' AND NOT EXISTS (SELECT 1 FROM documents WHERE id = g.document_id) LIMIT 1`,
  );
  return found.get() !== null;
}
