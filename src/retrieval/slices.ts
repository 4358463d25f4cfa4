// Long writes in short transactions: nobody waits behind an import. Index rows only; the truth is written at once.

import type { Store, Write } from "../db/store.ts";
import type { Clock } from "../kernel/clock.ts";

/** A slice stops taking items after this long; with its commit it stays under 20 ms. */
const SLICE_MS = 8;
const SLICE_ITEMS = 256;

/** The last turn that was promised for each database: slices of all jobs stand in one line. */
const turns = new WeakMap<Store, Promise<void>>();

/** Resolves when the event loop has gone round since the slice before, so that requests have had their turn too. */
export function nextTurn(store: Store): Promise<void> {
  const before = turns.get(store) ?? Promise.resolve();
  const mine = before.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  turns.set(store, mine);
  return mine;
}

/**
 * Calls `step` inside write transactions until it answers false, a new transaction for each slice. Throws when `signal`
 * fires: what was written so far stays.
 */
export async function writeInSlices(
  store: Store,
  clock: Clock,
  signal: AbortSignal,
  step: (write: Write) => boolean,
): Promise<void> {
  for (let more = true; more; ) {
    await nextTurn(store);
    signal.throwIfAborted();
    more = store.write((write) => {
      const until = clock.monotonic() + SLICE_MS;
      for (let taken = 0; taken < SLICE_ITEMS; taken++) {
        if (!step(write)) return false;
        if (clock.monotonic() >= until) break;
      }
      return true;
    });
  }
}
