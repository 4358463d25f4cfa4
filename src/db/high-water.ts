// A clock that never goes back, not even when the process restarts or the wall clock is set back: a stored mark plus
// the monotonic time since it was read, or the wall clock if that is later. What has expired by this clock stays
// expired.

import { type Clock, createForwardTime } from "../kernel/clock.ts";
import { preparedSql } from "./prepared.ts";
import type { Store, Write } from "./store.ts";

const KEY = "high-water-mark";

export interface HighWater {
  /** Epoch milliseconds. */
  now(): number;
  /** Stores the mark in a write that depends on the time, so that the clock is not earlier after a restart. */
  mark(write: Write): void;
  /** Stores the mark if `now` was called since it was last stored. */
  flush(): void;
}

const readMark = preparedSql<{ value: string }, [string]>("SELECT value FROM instance WHERE key = ?");
const storeMark = preparedSql<never, [string, string]>(
  "INSERT INTO instance (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
);

/** The mark that the database holds, epoch milliseconds; undefined before the first. */
export function storedMark(reader: Pick<Store, "sql">): number | undefined {
  const stored = readMark(reader).get(KEY);
  return stored ? Number(stored.value) : undefined;
}

/** Opens the clock with the mark that the database holds. */
export function openHighWater(store: Store, clock: Clock): HighWater {
  const forwardTime = createForwardTime(clock, storedMark(store));
  let isDirty = false;
  const now = () => {
    isDirty = true;
    return forwardTime();
  };
  const mark = (write: Pick<Write, "sql">) => {
    storeMark(write).run(KEY, String(now()));
    isDirty = false;
  };
  return {
    now,
    mark,
    flush() {
      if (isDirty) store.write(mark);
    },
  };
}
