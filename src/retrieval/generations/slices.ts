// Splits long writes of index rows into short transactions, so that other writes and requests need not wait. For index
// rows only: documents and prompts are written in one transaction.

import type { Store, Write } from "../../db/store.ts";
import { PATIENT } from "../../db/waiting-writes.ts";
import type { Clock } from "../../kernel/clock.ts";

/** A slice ends after this time; including its commit it stays under 20 ms. */
const MAX_SLICE_MS = 8;
const MAX_SLICE_ITEMS = 256;

/** The last scheduled slice of each store: the slices of all jobs run one after another. */
const turns = new WeakMap<Store, Promise<void>>();

/** Resolves one turn of the event loop after the previous slice, so that requests are served in between. */
export function nextTurn(store: Store): Promise<void> {
  const before = turns.get(store) ?? Promise.resolve();
  const mine = before.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  turns.set(store, mine);
  return mine;
}

export interface SliceOptions {
  store: Store;
  clock: Clock;
  /** Stops before the next slice. */
  signal: AbortSignal;
  /** Whether the writes delete something; see WriteOptions. */
  usesReserve?: boolean;
}

/**
 * Calls `step` in write transactions until it returns false, with a new transaction for each slice. Throws when
 * `signal` fires; the slices written before remain.
 */
export async function writeInSlices(
  { store, clock, signal, usesReserve = false }: SliceOptions,
  step: (write: Write) => boolean,
): Promise<void> {
  for (let more = true; more; ) {
    await nextTurn(store);
    signal.throwIfAborted();
    more = await store.writeWhenFree(
      (write) => {
        const until = clock.monotonic() + MAX_SLICE_MS;
        for (let items = 0; items < MAX_SLICE_ITEMS; items++) {
          if (!step(write)) return false;
          if (clock.monotonic() >= until) break;
        }
        return true;
      },
      { ...PATIENT, usesReserve },
    );
  }
}
