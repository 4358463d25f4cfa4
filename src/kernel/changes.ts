// What has changed just now, in this process: for those who show it while it happens. The latest changes are kept in
// memory, so that a reader that was away for a moment misses nothing.

/** What was changed, by whom. */
export interface Changed {
  userId: string;
  type: "document" | "prompt" | "collection" | "key" | "folder";
  /** The id of the record; "" if several were changed. */
  id: string;
  /** What was done, such as `create`, `update`, `lease` or `index`. */
  action: string;
  /** The credential of a request; null for work in the background. */
  credentialId: string | null;
}

export interface NumberedChange extends Changed {
  /** Increases with every change of this process. */
  number: number;
}

/** Of all users. */
const MAX_KEPT = 2_000;
/** More changes in a millisecond than can happen, and few enough that numbers have at most 15 digits. */
const MAX_PER_MS = 100;

export interface Changes {
  publish(changed: Changed): void;
  /** The number of the latest change; the numbers of a process start at a time, so that no two processes share them. */
  latest(): number;
  /** The kept changes of a user after a number; undefined if some of them are no longer kept. */
  after(userId: string, number: number): NumberedChange[] | undefined;
  /** Calls `listener` after each change of a user until the returned function is called. It must not throw. */
  listen(userId: string, listener: () => void): () => void;
  /** The number of listeners of a user. */
  listeners(userId: string): number;
  /** Aborted when the server stops. */
  closed: AbortSignal;
  close(): void;
}

/** Opens the changes of one process, which starts at `now`, epoch ms. */
export function openChanges(now: number): Changes {
  const first = now * MAX_PER_MS;
  const kept: NumberedChange[] = [];
  const listeners = new Map<string, Set<() => void>>();
  let latest = first;
  const closing = new AbortController();
  return {
    publish(changed) {
      kept.push({ ...changed, number: ++latest });
      if (kept.length > MAX_KEPT) kept.splice(0, kept.length - MAX_KEPT);
      for (const listener of listeners.get(changed.userId) ?? []) listener();
    },
    latest: () => latest,
    after(userId, number) {
      const oldest = kept[0]?.number ?? first + 1;
      if (number < oldest - 1 || number > latest) return undefined;
      return kept.filter((change) => change.number > number && change.userId === userId);
    },
    listen(userId, listener) {
      const own = listeners.get(userId) ?? new Set();
      listeners.set(userId, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(userId) === own) listeners.delete(userId);
      };
    },
    listeners: (userId) => listeners.get(userId)?.size ?? 0,
    closed: closing.signal,
    close: () => closing.abort(),
  };
}
