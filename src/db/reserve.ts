// A reserve for a full disk: the write-ahead log keeps space that only deletions and the job queue may use, so that
// users can free space through the API.

import type { Database } from "bun:sqlite";
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { LOG_PAGES, restartLog, stateOfLog } from "./checkpoints.ts";

/** For about ten deletions: 4 MB. */
const RESERVE_PAGES = 128;
/** For ordinary writes while readers keep a log that is copied from starting again: 2 MB. */
const SLACK_PAGES = 64;
const PAGE_BYTES = 32 * 1024;
/** The size of the log's file. */
export const RESERVED_LOG_BYTES = (LOG_PAGES + SLACK_PAGES + RESERVE_PAGES) * PAGE_BYTES;
/** With less free space than this, the log may not grow. */
const MIN_FREE_BYTES = 16 * 1024 ** 2;
/** How long a failed attempt to copy the log is not repeated: it blocks the thread. */
const PAUSE_MS = 1_000;

/** Throws a `full` error of SQLite if only the reserve is left. Must be called outside of a transaction. */
export type CheckReserve = () => void;

interface ReserveOptions {
  monotonicMs: () => number;
  /** The free space of the disk. */
  freeBytes?: () => number;
}

/**
 * Makes the log's file large enough for the pages between two checkpoints and the reserve. The file has at least this
 * size until the last handle is closed, and this size whenever a longer log starts again. This is done before the first
 * write, or later if the disk is full then.
 */
export function keepReserve(
  database: Database,
  { monotonicMs, freeBytes = () => freeBytesOf(database.filename) }: ReserveOptions,
): CheckReserve {
  const extend = () => {
    try {
      extendLog(database, RESERVED_LOG_BYTES);
      return true;
    } catch {
      return false;
    }
  };
  let isExtended: boolean | undefined;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  database.run(`PRAGMA journal_size_limit = ${RESERVED_LOG_BYTES}`);
  return () => {
    isExtended ??= extend();
    const state = stateOfLog(database);
    if (!state) return;
    const isLong = state.log >= LOG_PAGES;
    if (!isLong && isExtended) return;
    if (freeBytes() >= MIN_FREE_BYTES) {
      isExtended ||= extend();
      return;
    }
    if (!isLong) return;
    if (monotonicMs() >= pausedUntil) {
      pausedUntil = monotonicMs() + PAUSE_MS;
      // Throws if the file cannot grow.
      const isRestarted = restartLog(database);
      pausedUntil = Number.NEGATIVE_INFINITY;
      if (isRestarted || state.log < LOG_PAGES + SLACK_PAGES) return;
    }
    throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  };
}

/**
 * Makes the log's file at least this large. Pages that do not fit into the cache are written to the log before they are
 * rolled back. Throws the error of SQLite.
 */
export function extendLog(database: Database, bytes: number): void {
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
