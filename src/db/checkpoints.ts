// Checkpoints of the write-ahead log (WAL): they copy its pages into the database file, so that it can start again from its
// beginning. Only this file decides when one runs.

import type { Database } from "bun:sqlite";
import { preparedSql } from "./prepared.ts";
import type { Store } from "./store.ts";

/** A checkpoint starts when this many pages of 32 kB are not copied yet: 8 MB. */
export const LOG_PAGES = 256;
/**
 * The writing thread itself checkpoints above 32 MB: if the other thread does not run, or if new pages arrive during each of
 * its passes. In the second case there is little left to copy.
 */
const LAST_RESORT_PAGES = 1024;

/** The log can start again when all of its pages are copied: further passes copy those that were written meanwhile. */
const MAX_PASSES = 4;

/** One row: `log` pages in the log, of which `checkpointed` are in the database file. */
interface LogState {
  log: number;
  checkpointed: number;
}

/** Bounds the log of a handle that writes, whatever other threads do. */
export function boundLog(database: Database): void {
  database.run(`PRAGMA wal_autocheckpoint = ${LAST_RESORT_PAGES}`);
}

/**
 * Leaves the log to another program, which copies it before it checkpoints. That program must run all the time: otherwise the
 * log grows without a bound, and SQLite empties it when the last handle is closed.
 */
export function leaveLog(database: Database): void {
  database.run("PRAGMA wal_autocheckpoint = 0");
}

/** Moves the whole log into the database file. For a handle that is closed next. */
export function emptyLog(database: Database): void {
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** NOOP reports the state of the log without any work, in a microsecond. */
const logState = preparedSql<LogState, []>("PRAGMA wal_checkpoint(NOOP)");
const NOOP_SINCE = "3.51.0";

/**
 * Calls `checkpoint` after writes of `store` that find a long log, one call at a time. It should call `copyLog` in another
 * thread. If it fails, the next write calls it again.
 */
export function checkpointAfterWrites(store: Store, checkpoint: () => Promise<unknown>): void {
  if (!supportsNoop(store.sql)) {
    // Apple's SQLite may be older: then the writing thread checkpoints, as it does in programs without another thread.
    store.sql.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    return;
  }
  let isRunning = false;
  store.onCommit(() => {
    if (isRunning) return;
    const { log, checkpointed } = logState(store).get()!;
    if (log - checkpointed < LOG_PAGES) return;
    isRunning = true;
    checkpoint()
      .catch(() => {})
      .finally(() => {
        isRunning = false;
      });
  });
}

/** The number of pages in the log that cannot be overwritten yet; 0 if this SQLite cannot tell. */
export function pagesInLog(database: Database): number {
  return supportsNoop(database) ? logState({ sql: database }).get()!.log : 0;
}

function supportsNoop(database: Database): boolean {
  const { version } = database.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()!;
  return version.localeCompare(NOOP_SINCE, "en", { numeric: true }) >= 0;
}

/** Copies the log into the database file while other handles read and write. They never wait for it. */
export function copyLog(database: Database): void {
  const pass = database.query<LogState, []>("PRAGMA wal_checkpoint(PASSIVE)");
  for (let passes = 0; passes < MAX_PASSES; passes++) {
    const { log, checkpointed } = pass.get()!;
    if (log === checkpointed) return;
  }
}
