// Time: reading it and waiting for it to pass. Only this file reads the system's clock; tests pass a ManualClock to
// openApp.

import { setTimeout as wait } from "node:timers/promises";

export interface Clock {
  /** Wall clock, epoch milliseconds. May step backwards. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never steps backwards. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds. Rejects with the reason of `signal` as soon as that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/**
 * A time that never goes back: the wall clock, or the latest time seen plus the monotonic time since then, if that is
 * later. `startAt` is the earliest time, epoch ms.
 */
export function createForwardTime(clock: Clock, startAt = 0): () => number {
  let highest = startAt;
  let seenAt = clock.monotonic();
  return () => {
    const at = clock.monotonic();
    highest = Math.max(clock.now(), highest + (at - seenAt));
    seenAt = at;
    return Math.floor(highest);
  };
}

interface Sleeper {
  endsAt: number;
  wake(): void;
}

/** A clock that only `advance` and `step` move, for tests. */
export class ManualClock implements Clock {
  #wall: number;
  #monotonic = 0;
  readonly #sleepers = new Set<Sleeper>();
  readonly #advancesOnSleep: boolean;

  /** With `advancesOnSleep`, `sleep` does not wait: it advances the clock and resolves immediately. */
  constructor(wallMs = 1_800_000_000_000, { advancesOnSleep = false } = {}) {
    this.#wall = wallMs;
    this.#advancesOnSleep = advancesOnSleep;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#advancesOnSleep) return this.advance(ms);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { endsAt: this.#monotonic + ms, wake: resolve };
    const abort = () => reject(signal?.reason);
    this.#sleepers.add(sleeper);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await promise;
    } finally {
      this.#sleepers.delete(sleeper);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Moves both times forward and wakes those whose sleep has ended. */
  advance(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
    for (const { endsAt, wake } of this.#sleepers) if (endsAt <= this.#monotonic) wake();
  }

  /** Moves only the wall clock, as when the system time is set. */
  step(ms: number): void {
    this.#wall += ms;
  }
}
