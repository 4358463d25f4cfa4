// Queues every record to be indexed again. Searches use the old rows until the new ones of each record
// are complete.

import type { Database } from "bun:sqlite";
import type { Store } from "../../db/store.ts";
import { leaveGap } from "../../db/waiting-writes.ts";
import { enqueue } from "../../jobs/queue.ts";
import { type JobKind, PRIORITIES } from "../../jobs/kinds.ts";

/** The format of rows that must be made again. INDEX_FORMAT never has this value. */
const OUTDATED = 0;
/** Records per write: a few milliseconds, so that a running server is not delayed. */
const PORTION = 200;

interface RecordKind {
  job: JobKind;
  /** The records that can be indexed, as a table expression with `id` and `user_id`. */
  from: string;
  /** Marks the index rows of a record as outdated. */
  mark: string;
}

const DOCUMENTS: RecordKind = {
  job: "document.index",
  // Without pages that were never fetched: they have no text.
  from: `(SELECT id, user_id FROM documents AS d WHERE NOT (
      d.revision = 0 AND EXISTS (SELECT 1 FROM document_fetches WHERE document_id = d.id)
    ))`,
  mark: `UPDATE index_generations SET format = ${OUTDATED} WHERE document_id = ? AND state = 'live'`,
};
const PROMPTS: RecordKind = {
  job: "prompt.index",
  from: "prompts",
  mark: "UPDATE prompt_vectors SET text_hash = '' WHERE prompt_id = ?",
};

/**
 * Enqueues the indexing of every document and prompt, also of those whose index is up to date. Returns their numbers.
 */
export async function renewIndex(store: Store): Promise<{ documents: number; prompts: number }> {
  return { documents: await renew(store, DOCUMENTS), prompts: await renew(store, PROMPTS) };
}

/**
 * Enqueues the same in one transaction, for a file whose index is empty and that has no such jobs. `nowMs` is epoch
 * milliseconds. Returns the number of records.
 */
export function enqueueAll(sql: Database, nowMs: number): number {
  let records = 0;
  for (const { job, from } of [DOCUMENTS, PROMPTS]) {
    const insert = `INSERT INTO jobs (kind, subject, user_id, priority, state, attempts, run_at, created_at, updated_at)
      SELECT '${job}', id, user_id, ${PRIORITIES.indexOf("reindex")}, 'queued', 0, ?1, ?1, ?1 FROM ${from} ORDER BY id`;
    records += sql.query<never, [number]>(insert).run(nowMs).changes;
  }
  return records;
}

async function renew(store: Store, { job, from, mark }: RecordKind): Promise<number> {
  const next = `SELECT id, user_id AS userId FROM ${from} WHERE id > ? ORDER BY id LIMIT ${PORTION}`;
  let renewed = 0;
  for (let last: string | undefined = ""; last !== undefined; ) {
    const ids = store.sql.query<{ id: string; userId: string }, [string]>(next).all(last);
    store.write((write) => {
      for (const { id, userId } of ids) {
        write.sql.query(mark).run(id);
        enqueue(write, job, id, { userId, priority: "reindex" });
      }
    });
    await leaveGap();
    renewed += ids.length;
    last = ids.at(-1)?.id;
  }
  return renewed;
}
