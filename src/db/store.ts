// Access to the database: reads at any time, writes only inside `write`, which is one transaction with one timestamp. It does
// not depend on any feature.

import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Clock } from "../kernel/clock.ts";
import type { IdSource } from "../kernel/ids.ts";
import { leaveLog } from "./checkpoints.ts";
import { type CheckFiles, watchFiles } from "./file-identity.ts";
import { type LogSync, type LogSyncOptions, openLogSync } from "./log-sync.ts";
import { type CheckReserve, keepReserve } from "./reserve.ts";
import { storageProblemOf } from "./storage-errors.ts";
import { createWaitingWrites, type WaitOptions } from "./waiting-writes.ts";

export type Tables = ReturnType<typeof drizzle>;

/** An open write transaction. All its rows have the same timestamp. */
export interface Write {
  /** For stores of features and for auth/. */
  readonly tables: Tables;
  /** For db/, jobs/ and retrieval/ only. */
  readonly sql: Database;
  /** Epoch milliseconds. */
  readonly now: number;
  newId(): string;
  /** Runs `action` after the commit, and never after a rollback. It must not throw. */
  afterCommit(action: () => void): void;
}

/** A transaction must not return a promise: an async callback commits at its first await. */
type Synchronous<Value> = Value extends PromiseLike<unknown> ? never : Value;

interface WriteOptions {
  /** Whether the write may use the reserve of a full disk: it deletes something, or is needed to delete. */
  usesReserve?: boolean;
}

export interface Store {
  /** For stores of features and for auth/. */
  readonly tables: Tables;
  /** For db/, jobs/ and retrieval/ only. */
  readonly sql: Database;
  /**
   * Runs `action` in BEGIN IMMEDIATE … COMMIT and returns its value. If it throws, the transaction is rolled back. Writes do
   * not nest: functions that write receive the open Write. Blocks the thread while another process writes, at most for the
   * busy timeout, and then throws the error of SQLite. After `syncLater`, it does not wait for the disk.
   */
  write<Value>(action: (write: Write) => Synchronous<Value>, options?: WriteOptions): Value;
  /**
   * The same, but waits for other processes without blocking the thread: for everything that runs beside requests. Rejects
   * with a `busy` error of SQLite after the maximum time. `action` must not depend on what was read before. Resolves when the
   * write is on the disk, unless it is background work. If the disk fails then, it rejects although the write is visible.
   */
  writeWhenFree<Value>(
    action: (write: Write) => Synchronous<Value>,
    options?: WaitOptions & WriteOptions,
  ): Promise<Value>;
  /** Writes wait for other processes for another half a second, and not at all after that. For a server that stops. */
  shortenWaits(): void;
  /** Calls `listener` with everything that a write throws. It must not throw. */
  onError(listener: (error: unknown) => void): void;
  /** Calls `listener` after every commit. It must not throw. */
  onCommit(listener: (options: WriteOptions) => void): void;
  /** Closes the file. If no other handle is open, SQLite moves the write-ahead log into it. */
  close(): void;
  /** Keeps a reserve for a full disk from now on; see db/reserve.ts. */
  keepReserve(): void;
  /** The error of SQLite that writes get because only the reserve is left, or less; undefined if there is space. */
  fullError(): Error | undefined;
  /** Throws what every write throws if a file that is open is no longer at its path. */
  checkFiles: CheckFiles;
  /** Leaves the write-ahead log to another program from now on. */
  leaveLog(): void;
  /** From now on the thread does not wait for the disk at each commit; see db/log-sync.ts. */
  syncLater(options: LogSyncOptions): void;
  /** Resolves when all commits so far are on the disk. Rejects with the error of SQLite if the disk fails. */
  synced(): Promise<void>;
}

/** An open, migrated database that is only read. */
export type Reader = Pick<Store, "tables" | "sql">;

/** Wraps an open, migrated database for reading only. */
export function readerOf(database: Database): Reader {
  return { tables: drizzle(database), sql: database };
}

/** Wraps an open, migrated database. */
export function openStore(database: Database, clock: Clock, newId: IdSource): Store {
  const tables = drizzle(database);
  const listeners: ((options: WriteOptions) => void)[] = [];
  const errorListeners: ((error: unknown) => void)[] = [];
  const checkFiles = watchFiles(database.filename);
  let checkReserve: CheckReserve = () => {};
  let logSync: LogSync | undefined;
  const reportError = (error: unknown) => {
    for (const listener of errorListeners) listener(error);
  };
  const waiting = createWaitingWrites(() => clock.monotonic());
  return {
    tables,
    sql: database,
    async writeWhenFree(action, options) {
      const value = await waiting.run(() => this.write(action, options), options);
      if (!options?.isBackground) await this.synced();
      return value;
    },
    syncLater(options) {
      logSync = openLogSync(database, options);
    },
    async synced() {
      try {
        await logSync?.synced();
      } catch (error) {
        reportError(error);
        throw error;
      }
    },
    keepReserve() {
      checkReserve = keepReserve(database, { monotonicMs: () => clock.monotonic() });
    },
    fullError() {
      try {
        checkReserve();
        return undefined;
      } catch (error) {
        if (storageProblemOf(error) !== "full") throw error;
        return error as Error;
      }
    },
    shortenWaits: () => waiting.shorten(),
    write<Value>(
      action: (write: Write) => Synchronous<Value>,
      { usesReserve = false }: WriteOptions = {},
    ): Value {
      const actionsAfterCommit: (() => void)[] = [];
      const transaction = database.transaction(() => {
        const now = clock.now();
        const result = action({
          tables,
          sql: database,
          now,
          newId: () => newId(now),
          afterCommit: (next) => actionsAfterCommit.push(next),
        });
        if (result instanceof Promise) throw new Error("a write must not be asynchronous");
        return result;
      });
      let value: Value;
      try {
        checkFiles();
        if (!usesReserve) checkReserve();
        value = transaction.immediate();
      } catch (error) {
        reportError(error);
        throw error;
      }
      logSync?.committed();
      for (const next of actionsAfterCommit) next();
      for (const listener of listeners) listener({ usesReserve });
      return value;
    },
    onError: (listener) => void errorListeners.push(listener),
    onCommit: (listener) => void listeners.push(listener),
    checkFiles,
    leaveLog: () => leaveLog(database),
    close() {
      waiting.close();
      logSync?.close();
      // `true` also closes statements: while one is open, SQLite keeps the file and the log beside it.
      database.close(true);
    },
  };
}
