// Makes commits durable beside the thread that writes: SQLite appends them to the write-ahead log and does not wait for
// the disk; the log is then synced in a thread of the runtime. Commits that come during a sync share the next one. Only
// this file knows when a commit is on the disk.

import type { Database } from "bun:sqlite";
import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import { promisify } from "node:util";

export interface LogSync {
  /** A commit was made: it is not on the disk yet. */
  committed(): void;
  /**
   * Resolves when every commit so far is on the disk. Rejects with an error that has the code of SQLite if the disk
   * fails: these commits are visible, and may be lost with the power.
   */
  synced(): Promise<void>;
  /** SQLite itself syncs every commit again. No sync may be running. */
  close(): void;
}

export interface LogSyncOptions {
  /**
   * Copies the whole log into the database file, both synced, and returns whether it did. Called before the next sync
   * after one has failed. Absent if the log is left to another program.
   */
  copyLog?: () => Promise<boolean>;
  /** Syncs an open file. */
  syncFile?: (descriptor: number) => Promise<void>;
}

const FULL = new Set(["ENOSPC", "EDQUOT"]);

/** Opens the sync of a database that writes, whose log exists. */
export function openLogSync(
  database: Database,
  { copyLog, syncFile = promisify(fdatasync) }: LogSyncOptions = {},
): LogSync {
  // SQLite keeps the log beside the file that a link leads to.
  const descriptor = openSync(`${realpathSync(database.filename)}-wal`, "r+");
  // Checkpoints still sync the log before they copy it.
  database.run("PRAGMA synchronous = NORMAL");
  let commits = 0;
  /** As many of them are on the disk. */
  let safe = 0;
  /**
   * A sync has failed. The system may have dropped what it could not write, and would report that only once: the log
   * counts as safe again only when it is copied and not needed any more.
   */
  let isDoubtful = false;
  let running: Promise<void> | undefined;
  /** Starts when `running` has ended. */
  let next: Promise<void> | undefined;

  const sync = async () => {
    const before = commits;
    try {
      if (isDoubtful && copyLog) {
        if (!(await copyLog())) throw new Error("the log is being read");
      } else await syncFile(descriptor);
      isDoubtful = false;
      safe = before;
    } catch (cause) {
      isDoubtful = true;
      throw syncError(cause);
    }
  };

  const afterRunning = async () => {
    await running?.catch(() => {});
    running = next;
    next = undefined;
    await sync();
  };

  return {
    committed: () => void commits++,
    synced() {
      if (safe === commits) return Promise.resolve();
      next ??= afterRunning();
      return next;
    },
    close() {
      closeSync(descriptor);
      database.run("PRAGMA synchronous = FULL");
    },
  };
}

function syncError(cause: unknown): Error {
  const { code = "" } = cause as { code?: string };
  const meaning = FULL.has(code)
    ? { code: "SQLITE_FULL", message: "database or disk is full" }
    : { code: "SQLITE_IOERR_FSYNC", message: "disk I/O error" };
  return Object.assign(new Error(meaning.message, { cause }), { code: meaning.code });
}
