// The activity log: entries are collected in memory and written in batches, because a read must not cause a write. It
// is bounded in memory, in rows, in bytes and in time, and stays in the database file.

import type { Store } from "../../../db/store.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { ActivityLog, Noted } from "../../../kernel/noted.ts";
import { cutUnits } from "../../../kernel/text.ts";
import { type Entry, insertEntries, purgeEntries } from "./store.ts";

/** Different entries between two flushes; further ones are not recorded. They are written in about 40 ms. */
const MAX_WAITING = 400;
/** UTF-16 units of a query. */
const MAX_TEXT_UNITS = 300;
/** Old entries are also deleted while agents do nothing. */
const PURGE_INTERVAL_MS = 3_600_000;

/** Records nothing and never writes. */
export const NO_ACTIVITY_LOG: ActivityLog = { note() {}, flush() {} };

/** An activity log without waiting entries. */
export function openActivityLog(store: Store, clock: Clock): ActivityLog {
  /** By what was done; the same thing in a row is one entry. */
  const waiting = new Map<string, Entry>();
  let purgeAt = 0;
  return {
    note(userId, agent, noted) {
      const entry = entryOf(noted);
      const key = JSON.stringify([userId, agent, entry]);
      const same = waiting.get(key);
      if (same) same.times++;
      else if (waiting.size < MAX_WAITING)
        waiting.set(key, { userId, agent, ...entry, times: 1, at: clock.now() });
    },
    flush() {
      if (waiting.size === 0 && clock.monotonic() < purgeAt) return;
      store.write((write) => {
        insertEntries(write, waiting.values());
        purgeEntries(write, new Set([...waiting.values()].map(({ userId }) => userId)));
      });
      waiting.clear();
      purgeAt = clock.monotonic() + PURGE_INTERVAL_MS;
    },
  };
}

function entryOf(noted: Noted): Omit<Entry, "userId" | "agent" | "times" | "at"> {
  const { documentId = null, promptId = null, text = null, count = null, kind } = { ...NOTHING, ...noted };
  return { kind, documentId, promptId, text: text === null ? null : cutUnits(text, MAX_TEXT_UNITS), count };
}

const NOTHING: { documentId?: string; promptId?: string; text?: string; count?: number } = {};
