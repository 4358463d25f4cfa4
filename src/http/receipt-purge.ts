// Periodically deletes expired idempotency receipts, a bounded number at a time.

import { purgeReceipts } from "../db/receipts.ts";
import type { Store } from "../db/store.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";

const PURGE_INTERVAL_MS = 60_000;

/** Deletes expired receipts now and every minute. Returns a function that stops this. */
export function startReceiptPurge(store: Store, log: Log): () => void {
  const purge = () => {
    try {
      purgeReceipts(store);
    } catch (error) {
      log.warn("expired receipts could not be purged", { reason: messageOf(error) });
    }
  };
  const timer = setInterval(purge, PURGE_INTERVAL_MS);
  timer.unref();
  purge();
  return () => clearInterval(timer);
}
