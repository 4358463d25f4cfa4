// What the database needs from time to time: expired receipts are deleted, and free pages are given back to the file system.
// All of it in short writes, with other work in between.

import { messageOf } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { purgeReceipts } from "./receipts.ts";
import { hasManyFreePages, releasePages } from "./shrink.ts";
import type { Store } from "./store.ts";
import { PATIENT } from "./waiting-writes.ts";

const INTERVAL_MS = 60_000;

/** Works now and every minute. Returns a function that stops this. */
export function startUpkeep(store: Store, log: Log): () => void {
  let isStopped = false;
  let isWorking = false;
  const whileMore = async (step: () => Promise<boolean>) => {
    while (!isStopped && (await step())) await new Promise((turn) => setImmediate(turn));
  };
  const work = async () => {
    if (isWorking) return;
    isWorking = true;
    try {
      await whileMore(() => store.writeWhenFree(purgeReceipts, PATIENT));
      await whileMore(
        async () => hasManyFreePages(store) && (await store.writeWhenFree(releasePages, PATIENT)),
      );
    } catch (error) {
      if (!isStopped) log.warn("the upkeep of the database failed", { reason: messageOf(error) });
    }
    isWorking = false;
  };
  const timer = setInterval(work, INTERVAL_MS);
  timer.unref();
  void work();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
