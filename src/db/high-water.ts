// A clock that neither falls nor stands still, across restarts and steps of the wall clock: a stored mark plus monotonic
// time since it was read, never less than the wall clock. What has expired by it stays expired.

import type { Clock } from "../kernel/clock.ts";
import type { Store, Write } from "./store.ts";

const KEY = "high-water-mark";

export interface HighWater {
  /** Epoch milliseconds. */
  now(): number;
  /** Stores the mark with a write that depends on it, so that no restart goes back behind it. */
  mark(write: Write): void;
  /** Stores the mark if somebody was told the time since it was stored: what was seen as expired stays so. */
  flush(): void;
}

export function openHighWater(store: Store, clock: Clock): HighWater {
  const stored = store.sql
    .query<{ value: string }, [string]>("SELECT value FROM instance WHERE key = ?")
    .get(KEY);
  let highest = Number(stored?.value ?? 0);
  let seenAt = clock.monotonic();
  let told = false;
  const now = () => {
    told = true;
    const at = clock.monotonic();
    highest = Math.max(clock.now(), highest + (at - seenAt));
    seenAt = at;
    return Math.floor(highest);
  };
  const mark = ({ sql }: Pick<Write, "sql">) => {
    sql
      .query("INSERT INTO instance (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2")
      .run(KEY, String(now()));
    told = false;
  };
  return {
    now,
    mark,
    flush() {
      if (told) store.write(mark);
    },
  };
}
