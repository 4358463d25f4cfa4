// Index rows that belong to nothing: their document or chunk is gone. Rows that are being written are never among them,
// because a row and the one that it belongs to are committed together.

import type { Database } from "bun:sqlite";
import type { Store } from "../../db/store.ts";
import { leaveGap } from "../../db/waiting-writes.ts";
import { enqueue } from "../../jobs/queue.ts";

interface OrphanKind {
  /** What they are, after a number. */
  what: string;
  /** Selects the keys of the orphans. */
  select: string;
  /** Deletes one by its key. */
  remove: string;
}

/** Each kind is found after those before it are removed. */
const KINDS: readonly OrphanKind[] = [
  {
    what: "indexed documents that do not exist",
    select: `SELECT id FROM index_generations AS g
      WHERE state = 'live' AND NOT EXISTS (SELECT 1 FROM documents WHERE id = g.document_id)`,
    // Its rows are then deleted by the job index.sweep.
    remove: "UPDATE index_generations SET state = 'dead' WHERE id = ?",
  },
  {
    what: "chunks without a document",
    select: "SELECT key FROM chunks WHERE generation_id NOT IN (SELECT id FROM index_generations)",
    remove: "DELETE FROM chunks WHERE key = ?",
  },
  ...["chunk_words", "chunk_trigrams"].map(
    (table): OrphanKind => ({
      what: `rows of ${table} without a chunk`,
      select: `SELECT id FROM ${table}_docsize WHERE id NOT IN (SELECT key FROM chunks)`,
      remove: `DELETE FROM ${table} WHERE rowid = ?`,
    }),
  ),
  {
    what: "sign bits without a chunk",
    select:
      "SELECT generation_id, vector_key FROM chunk_bits WHERE chunk_key NOT IN (SELECT key FROM chunks)",
    remove: "DELETE FROM chunk_bits WHERE generation_id = ? AND vector_key = ?",
  },
  {
    what: "vectors without a chunk",
    select: "SELECT key FROM chunk_vectors WHERE key NOT IN (SELECT vector_key FROM chunk_bits)",
    remove: "DELETE FROM chunk_vectors WHERE key = ?",
  },
];

const PORTION = 500;

/** The number of orphans of each kind. */
export function countOrphans(database: Database): { what: string; count: number }[] {
  return KINDS.map(({ what, select }) => {
    const row = database.query<{ n: number }, []>(`SELECT count(*) AS n FROM (${select})`).get()!;
    return { what, count: row.n };
  });
}

/** Deletes all orphans, some in each write. Returns how many there were. */
export async function removeOrphans(store: Store): Promise<number> {
  let removed = 0;
  for (const { select, remove } of KINDS) {
    const keys = store.sql.query<unknown, []>(select).values() as number[][];
    for (let from = 0; from < keys.length; from += PORTION) {
      store.write((write) => {
        for (const key of keys.slice(from, from + PORTION)) write.sql.query(remove).run(...key);
        enqueue(write, "index.sweep", "index");
      });
      await leaveGap();
    }
    removed += keys.length;
  }
  return removed;
}
