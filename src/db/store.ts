// What reads and writes the database: reads at any time, writes only inside `write`, which is one transaction with one
// timestamp. See open-store.ts.

import type { Database } from "bun:sqlite";
import type { drizzle } from "drizzle-orm/bun-sqlite";
import type { LogSyncOptions } from "./log-sync.ts";
import type { WaitOptions } from "./waiting-writes.ts";

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
export type Synchronous<Value> = Value extends PromiseLike<unknown> ? never : Value;

export interface WriteOptions {
  /** Whether the write may use the reserve of a full disk: it deletes something, or is needed to delete. */
  usesReserve?: boolean;
}

export interface Store {
  /** For stores of features and for auth/. */
  readonly tables: Tables;
  /** For db/, jobs/ and retrieval/ only. */
  readonly sql: Database;
  /**
   * Runs `action` in BEGIN IMMEDIATE … COMMIT and returns its value. If it throws, the transaction is rolled back.
   * Writes do not nest: functions that write receive the open Write. Blocks the thread while another process writes, at
   * most for the busy timeout, and then throws the error of SQLite. After `syncLater`, it does not wait for the disk.
   */
  write<Value>(action: (write: Write) => Synchronous<Value>, options?: WriteOptions): Value;
  /**
   * The same, but waits for other processes without blocking the thread: for everything that runs beside requests.
   * Rejects with a `busy` error of SQLite after the maximum time. `action` must not depend on what was read before.
   * Resolves when the write is on the disk, unless it is background work. If the disk fails then, it rejects although
   * the write is visible.
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
  /**
   * Closes the file. If no other handle is open, SQLite moves the write-ahead log into it. If another program has
   * overwritten the file, the handle stays open, and the log is deleted: its pages belong to another content.
   */
  close(): void;
  /** Keeps a reserve for a full disk from now on; see db/reserve.ts. */
  keepReserve(): void;
  /** The error of SQLite that writes get because only the reserve is left, or less; undefined if there is space. */
  fullError(): Error | undefined;
  /** Throws what every write throws if a file that is open is no longer at its path, or was overwritten. */
  checkFiles(): void;
  /** Leaves the write-ahead log to another program from now on. */
  leaveLog(): void;
  /** From now on the thread does not wait for the disk at each commit; see db/log-sync.ts. */
  syncLater(options: LogSyncOptions): void;
  /** Resolves when all commits so far are on the disk. Rejects with the error of SQLite if the disk fails. */
  synced(): Promise<void>;
}

/** What reads with drizzle: a store, an open write, or a handle for reading only. */
export type TableReader = Pick<Store, "tables">;

/** An open, migrated database that is only read. */
export type ReadHandle = Pick<Store, "tables" | "sql">;
