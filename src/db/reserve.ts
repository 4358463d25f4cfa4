// A reserve for a full disk: the write-ahead log keeps space that only deletions and the job queue may use, so that users can
// free space through the API.

import type { Database } from "bun:sqlite";
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { LOG_PAGES, restartLog, stateOfLog } from "./checkpoints.ts";

/** For about ten deletions: 4 MB. */
const RESERVE_PAGES = 128;
const PAGE_BYTES = 32 * 1024;
/** With less free space than this, the log may not grow. */
const MIN_FREE_BYTES = 16 * 1024 ** 2;

/** Throws a `full` error of SQLite if only the reserve is left, and a `busy` one while it is not known whether it is. */
export type CheckReserve = () => void;

/**
 * Makes the log's file large enough for the pages between two checkpoints and the reserve. The file has at least this size until
 * the last handle is closed, and this size whenever a longer log starts again. `isCopied` says whether another thread is copying
 * the log now, `freeBytes` returns the free space of the disk.
 */
export function keepReserve(
  database: Database,
  isCopied: () => boolean,
  freeBytes = () => freeBytesOf(database.filename),
): CheckReserve {
  const bytes = (LOG_PAGES + RESERVE_PAGES) * PAGE_BYTES;
  try {
    extendLog(database, bytes);
  } catch {
    // The disk is full already: there is no reserve.
  }
  database.run(`PRAGMA journal_size_limit = ${bytes}`);
  return () => {
    const state = stateOfLog(database);
    if (!state || state.log < LOG_PAGES || freeBytes() >= MIN_FREE_BYTES) return;
    const isAllCopied = state.log === state.checkpointed;
    if (isAllCopied && restartLog(database)) return;
    throw isAllCopied || isCopied()
      ? sqliteError("SQLITE_BUSY", "the write-ahead log is in use")
      : sqliteError("SQLITE_FULL", "database or disk is full");
  };
}

const sqliteError = (code: string, message: string) => Object.assign(new Error(message), { code });

/** Pages that do not fit into the cache are written to the log before they are rolled back. */
function extendLog(database: Database, bytes: number): void {
  const { cache_size } = database.query<{ cache_size: number }, []>("PRAGMA cache_size").get()!;
  database.run("PRAGMA cache_size = 10");
  try {
    database.run("BEGIN IMMEDIATE");
    database.run("CREATE TABLE reserve (data BLOB)");
    database.run("INSERT INTO reserve VALUES (zeroblob(?))", [bytes]);
  } finally {
    if (database.inTransaction) database.run("ROLLBACK");
    database.run(`PRAGMA cache_size = ${cache_size}`);
  }
}

function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}
