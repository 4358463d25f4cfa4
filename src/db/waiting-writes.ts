// Writes that wait for the lock of another process without blocking the thread: one of them tries at a time, again and
// again, and the others follow it in their order.

import { Failure } from "../kernel/errors.ts";
import { STORAGE_MESSAGES, storageProblemOf } from "./storage-errors.ts";

/** How long a request waits. */
const MAX_WAIT_MS = 5_000;
/** How often the first waiting write tries. Each try blocks the thread for at most the busy timeout of the handle. */
const RETRY_MS = 50;
/** How long writes still wait when the server stops. */
const MAX_STOPPING_WAIT_MS = 500;
/** Requests beyond this number are rejected; jobs are far fewer. */
const MAX_WAITING = 1_000;
/** Waiting writes are executed for this long, then requests are served in between. */
const MAX_TURN_MS = 10;

export interface WaitOptions {
  /** Default: as long as a request waits. */
  maxWaitMs?: number;
  /** Nobody is told that the write succeeded, so that it may be lost with the power. */
  isBackground?: boolean;
}

/** For background work, which has nobody who waits for it: until the lock is free or the store is closed. */
export const PATIENT: WaitOptions = { maxWaitMs: Number.POSITIVE_INFINITY, isBackground: true };

/** Long enough for the busy timeout of a server to notice that the lock is free. */
const GAP_MS = 20;

/** For commands that write in many transactions: lets a running server write in between. */
export function leaveGap(): Promise<void> {
  return Bun.sleep(GAP_MS);
}

interface Waiting {
  attempt(): void;
  reject(error: unknown): void;
  endsAt: number;
}

export interface WaitingWrites {
  /**
   * Calls `write`, now or when the lock is free. Rejects with what `write` throws, and with the error of SQLite after
   * the maximum time.
   */
  run<Value>(write: () => Value, options?: WaitOptions): Promise<Value>;
  /** For half a second, writes still wait; after that, none does. For a server that stops. */
  shorten(): void;
  /** Rejects the writes that wait. From now on none waits. */
  close(): void;
}

/** The waiting writes of one handle. `monotonicMs` measures how long they wait. */
export function createWaitingWrites(monotonicMs: () => number): WaitingWrites {
  let waiting: Waiting[] = [];
  let timer: Timer | undefined;
  /** No write waits after this time. */
  let latest = Number.POSITIVE_INFINITY;
  let isClosed = false;

  const retry = () => {
    timer = undefined;
    const now = monotonicMs();
    const isOver = ({ endsAt }: Waiting) => endsAt <= now;
    for (const { reject } of waiting.filter(isOver)) reject(busy());
    waiting = waiting.filter((one) => !isOver(one));
    let pauseMs = 0;
    while (waiting.length > 0 && monotonicMs() < now + MAX_TURN_MS) {
      const [first] = waiting;
      try {
        first!.attempt();
      } catch (error) {
        if (storageProblemOf(error) === "busy") {
          pauseMs = RETRY_MS;
          break;
        }
        first!.reject(error);
      }
      waiting.shift();
    }
    if (waiting.length > 0) timer = setTimeout(retry, pauseMs);
  };

  return {
    async run<Value>(write: () => Value, { maxWaitMs = MAX_WAIT_MS }: WaitOptions = {}): Promise<Value> {
      if (waiting.length === 0) {
        try {
          return write();
        } catch (error) {
          if (isClosed || storageProblemOf(error) !== "busy") throw error;
        }
      } else if (waiting.length >= MAX_WAITING) throw busy();
      return new Promise<Value>((resolve, reject) => {
        const attempt = () => resolve(write());
        waiting.push({ attempt, reject, endsAt: Math.min(monotonicMs() + maxWaitMs, latest) });
        timer ??= setTimeout(retry, RETRY_MS);
      });
    },
    shorten() {
      latest = monotonicMs() + MAX_STOPPING_WAIT_MS;
      for (const one of waiting) one.endsAt = Math.min(one.endsAt, latest);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      timer = undefined;
      for (const { reject } of waiting.splice(0)) reject(busy());
    },
  };
}

const busy = () =>
  new Failure("unavailable", STORAGE_MESSAGES.busy, {
    cause: Object.assign(new Error(), { code: "SQLITE_BUSY" }),
  });
