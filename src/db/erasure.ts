// Notes that something was deleted whose texts are not erased yet. Triggers of the migration 0015 make the request.

import type { Database } from "bun:sqlite";
import { preparedSql } from "./prepared.ts";
import type { Store, Write } from "./store.ts";

const KEY = "erasure";
const COUNT_KEY = "erasures";

const request = preparedSql<{ value: string }, []>(`SELECT value FROM instance WHERE key = '${KEY}'`);
const begin = preparedSql<never, []>(`UPDATE instance SET value = 'running' WHERE key = '${KEY}'`);
const end = preparedSql<never, []>(`DELETE FROM instance WHERE key = '${KEY}' AND value = 'running'`);

/** Whether there are texts to erase: something was deleted, or an erasure was interrupted. */
export function isErasureRequested(reader: Pick<Store, "sql">): boolean {
  return request(reader).get() !== null;
}

/** What is deleted from now on requests another erasure. */
export function beginErasure(write: Write): void {
  begin(write).run();
}

/** What was deleted before `beginErasure` is erased. */
export function endErasure(write: Write): void {
  end(write).run();
}

/**
 * Changes a row, so that every handle forgets the pages that it has in memory: they may contain what was erased in the
 * file.
 */
export function countErasure(database: Database): void {
  database.run(
    `INSERT INTO instance (key, value) VALUES ('${COUNT_KEY}', '1')
     ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1`,
  );
}
