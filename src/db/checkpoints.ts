// Checkpoints of the write-ahead log (WAL): they copy its pages into the database file, so that it can start again from
// its beginning. Only this file decides when one runs.

import type { Database } from "bun:sqlite";
import { preparedSql } from "./prepared.ts";
import type { Store } from "./store.ts";

/** A checkpoint starts when this many pages of 32 kB are not copied yet: 8 MB. */
export const LOG_PAGES = 256;
/**
 * The writing thread itself checkpoints above 32 MB: if the other thread does not run, or if new pages arrive during
 * each of its passes. In the second case there is little left to copy.
 */
const LAST_RESORT_PAGES = 1024;

/** The log can start again when all of its pages are copied: further passes copy those that were written meanwhile. */
const MAX_PASSES = 4;
/** A log of 24 MB does not start again by itself: at any time, some scan that began before the last write reads it. */
const RESTART_PAGES = 768;

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
 * Leaves the log to another program, which copies it before it checkpoints. That program must run all the time:
 * otherwise the log grows without a bound, and SQLite empties it when the last handle is closed.
 */
export function leaveLog(database: Database): void {
  database.run("PRAGMA wal_autocheckpoint = 0");
}

/** NOOP reports the state of the log without any work, in a microsecond. */
const logState = preparedSql<LogState, []>("PRAGMA wal_checkpoint(NOOP)");
const NOOP_SINCE = "3.51.0";

/**
 * Calls `checkpoint` after writes of `store` that find a long log, one call at a time. It should copy the log in
 * another thread. If it fails, `onError` is called, and it is tried again when the log has grown.
 */
export function checkpointAfterWrites(
  store: Store,
  checkpoint: () => Promise<unknown>,
  onError: (error: unknown) => void,
): void {
  if (!supportsNoop(store.sql)) {
    // Apple's SQLite may be older: then the writing thread checkpoints, as it does in programs without another thread.
    store.sql.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    return;
  }
  let isRunning = false;
  /** Pages in the log when a checkpoint began that has not succeeded. */
  let triedAt = 0;
  const copyIfLong = async () => {
    const { log, checkpointed } = logState(store).get()!;
    if (log < triedAt) triedAt = 0;
    if (log - Math.max(checkpointed, triedAt) < LOG_PAGES) return;
    triedAt = log;
    await checkpoint();
    triedAt = 0;
  };
  store.onCommit(() => {
    if (isRunning) return;
    isRunning = true;
    // It must not throw here: the write would seem to have failed, and would be repeated.
    copyIfLong()
      .catch(onError)
      .finally(() => {
        isRunning = false;
      });
  });
}

/** The state of the log; undefined if this SQLite cannot tell. */
export function stateOfLog(database: Database): LogState | undefined {
  return supportsNoop(database) ? logState({ sql: database }).get()! : undefined;
}

function supportsNoop(database: Database): boolean {
  const { version } = database.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()!;
  return version.localeCompare(NOOP_SINCE, "en", { numeric: true }) >= 0;
}

/**
 * Returns a function that copies the log into the database file while other handles read and write. They do not wait
 * for it, unless the log is long: then writes wait until the scans that read it have ended, at most for the busy
 * timeout of `database`, and once for each 8 MB of the log.
 */
export function createLogCopy(database: Database): () => void {
  const pass = database.query<LogState, []>("PRAGMA wal_checkpoint(PASSIVE)");
  /** Pages in the log when it could not start again. */
  let blockedAt = 0;
  return () => {
    let state = pass.get()!;
    for (let passes = 1; passes < MAX_PASSES && state.log > state.checkpointed; passes++) state = pass.get()!;
    if (state.log < blockedAt) blockedAt = 0;
    if (state.log < Math.max(RESTART_PAGES, blockedAt + LOG_PAGES)) return;
    blockedAt = restartLog(database) ? 0 : state.log;
  };
}

/**
 * Copies what is left of the log, and lets the next write start it again. Scans that begin meanwhile read the database
 * file. False if those before it have not ended within the busy timeout.
 */
export function restartLog(database: Database): boolean {
  return database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(RESTART)").get()!.busy === 0;
}

/**
 * Copies the whole log and empties it. False if scans that began before the last write have not ended within the busy
 * timeout; as much as possible is copied then.
 */
export function emptyLog(database: Database): boolean {
  return database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()!.busy === 0;
}
