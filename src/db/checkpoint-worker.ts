// The API of the checkpoint worker: copies the write-ahead log into the database file on a handle of its own, so that
// the writing thread need not wait for the disk; saves a database whose file is no longer at its path; erases what is
// left of deleted texts in the file and in the log.

import type { Database } from "bun:sqlite";
import { realpathSync, statSync } from "node:fs";
import { createLogCopy, emptyLog, restartLog } from "./checkpoints.ts";
import { countErasure } from "./erasure.ts";
import { requireSameFile } from "./file-identity.ts";
import { openCheckpointer } from "./handles.ts";
import { type Cleared, clearPortion, type Portion } from "./page-gaps.ts";
import { extendLog, RESERVED_LOG_BYTES } from "./reserve.ts";
import { writeSnapshot } from "./snapshot.ts";

export interface CheckpointOptions {
  databasePath: string;
  /** Device and inode of the file that the writing thread has open; see identityOf. */
  identity: string | undefined;
  /**
   * The database file, open for reading and writing. It must stay open until every handle of SQLite in this process is
   * closed: closing a file releases the locks that the process has on it.
   */
  descriptor: number;
}

export type CheckpointApi = {
  checkpoint(input: null): void;
  /** Copies all of the log, after which it is not needed any more. False if it is being read. */
  copyAll(input: null): boolean;
  /** See emptyLog. */
  emptyLog(input: null): boolean;
  /**
   * The same, and gives the log its reserve again, in which nothing is; see reserve.ts. False if the log is being read.
   */
  renewLog(input: null): boolean;
  /**
   * Clears the unused parts of some pages; see page-gaps.ts. Undefined if others read or write all the time: try again.
   */
  clearGaps(input: Portion): Cleared | undefined;
  /** Writes a snapshot of the file that is open, wherever it is now, into a new file. */
  snapshot(input: { target: string }): void;
  /** Closes the handle. No other function may be called afterwards. */
  close(input: null): void;
};

/**
 * Opens the handle and returns the functions of the worker. Throws a `moved` error of SQLite if another file is at the
 * path.
 */
export async function serveCheckpoints(options: CheckpointOptions): Promise<CheckpointApi> {
  const { databasePath, identity, descriptor } = options;
  requireSameFile(databasePath, identity);
  const database = openCheckpointer(databasePath);
  const copyLog = createLogCopy(database);
  return {
    checkpoint: () => copyLog(),
    copyAll: () => restartLog(database),
    emptyLog: () => emptyLog(database),
    renewLog() {
      if (!emptyLog(database)) return false;
      extendLog(database, RESERVED_LOG_BYTES);
      return true;
    },
    clearGaps: (portion) =>
      whileLogIsEmpty(
        database,
        () => clearPortion(database, descriptor, portion),
        ({ cleared }) => cleared > 0,
      ),
    snapshot: ({ target }) => writeSnapshot(database, target),
    close: () => database.close(true),
  };
}

/** How often a write of others may come between emptying the log and the lock. */
const MAX_TRIES = 20;

/**
 * Calls `action` in a write that began while the log was empty. If `hasChanged` says so of its result, the write is
 * committed with a change, on which all handles forget the pages that they have in memory. Undefined if others read or
 * write all the time.
 */
function whileLogIsEmpty<Value>(
  database: Database,
  action: () => Value,
  hasChanged: (value: Value) => boolean,
): Value | undefined {
  const log = `${realpathSync(database.filename)}-wal`;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (!emptyLog(database)) return undefined;
    database.run("BEGIN IMMEDIATE");
    try {
      // Otherwise something was written in between.
      if (statSync(log).size > 0) continue;
      const value = action();
      if (hasChanged(value)) {
        countErasure(database);
        database.run("COMMIT");
      }
      return value;
    } finally {
      if (database.inTransaction) database.run("ROLLBACK");
    }
  }
  return undefined;
}
