// Opens the store on a database file.

import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Clock } from "../kernel/clock.ts";
import type { IdSource } from "../kernel/ids.ts";
import { leaveLog } from "./checkpoints.ts";
import { watchFiles } from "./file-identity.ts";
import { type LogSync, openLogSync } from "./log-sync.ts";
import { type CheckReserve, keepReserve } from "./reserve.ts";
import { storageProblemOf } from "./storage-errors.ts";
import type { ReadHandle, Store, Synchronous, Write, WriteOptions } from "./store.ts";
import { createWaitingWrites } from "./waiting-writes.ts";

/** Wraps an open, migrated database for reading only. */
export function readerOf(database: Database): ReadHandle {
  return { tables: drizzle(database), sql: database };
}

/** Wraps an open, migrated database. */
export function openStore(database: Database, clock: Clock, newId: IdSource): Store {
  const tables = drizzle(database);
  const listeners: ((options: WriteOptions) => void)[] = [];
  const errorListeners: ((error: unknown) => void)[] = [];
  const files = watchFiles(database.filename);
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
        files.check();
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
    checkFiles: () => files.check(),
    leaveLog: () => leaveLog(database),
    close() {
      waiting.close();
      logSync?.close();
      // `true` also closes statements: while one is open, SQLite keeps the file and the log beside it.
      files.close(() => database.close(true));
    },
  };
}
