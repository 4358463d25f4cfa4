// The database as the rest of the program holds it: reads at any time, writes only inside `write`, which is one
// transaction with one instant. It must not know any feature.

import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Clock } from "../kernel/clock.ts";
import type { IdSource } from "../kernel/ids.ts";

export type Tables = ReturnType<typeof drizzle>;

/** One transaction under way. Everything it writes carries the instant `now`. */
export interface Write {
  readonly tables: Tables;
  readonly sql: Database;
  readonly now: number;
  newId(): string;
  /** Runs when the transaction has committed, never when it was rolled back. Must not throw. */
  afterCommit(action: () => void): void;
}

/** A promise must not come out of a transaction: an async callback commits at its first await. */
type Synchronous<Value> = Value extends PromiseLike<unknown> ? never : Value;

export interface Store {
  readonly tables: Tables;
  readonly sql: Database;
  /**
   * Runs `action` in BEGIN IMMEDIATE … COMMIT and returns its value; whatever it throws rolls back. Writes do not nest:
   * verbs receive the Write of whoever started the journey.
   */
  write<Value>(action: (write: Write) => Synchronous<Value>): Value;
  close(): void;
}

export function openStore(database: Database, clock: Clock, newId: IdSource): Store {
  const tables = drizzle(database);
  return {
    tables,
    sql: database,
    write<Value>(action: (write: Write) => Synchronous<Value>): Value {
      const committed: (() => void)[] = [];
      const value = database
        .transaction(() => {
          const now = clock.now();
          const result = action({
            tables,
            sql: database,
            now,
            newId: () => newId(now),
            afterCommit: (then) => committed.push(then),
          });
          if (result instanceof Promise) throw new Error("a write must not be asynchronous");
          return result;
        })
        .immediate();
      for (const then of committed) then();
      return value;
    },
    close() {
      database.run("PRAGMA wal_checkpoint(TRUNCATE)");
      database.close();
    },
  };
}
