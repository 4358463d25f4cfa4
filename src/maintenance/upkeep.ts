// What the database needs from time to time: expired receipts and old trash are deleted, what is left of deleted texts
// is erased, and free pages are given back to the file system. All of it in short writes, with other work in between.

import { isErasureRequested } from "../db/erasure.ts";
import { purgeReceipts } from "../db/receipts.ts";
import { hasManyFreePages, releasePages } from "../db/shrink.ts";
import type { Store } from "../db/store.ts";
import { hasOldTrash, purgeTrash } from "../db/trash.ts";
import { PATIENT } from "../db/waiting-writes.ts";
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { hasRowsOfDeleted } from "../retrieval/generations/erase-words.ts";
import { erase, type FileEraser } from "./erasure.ts";

/** Texts are erased within a minute after their deletion: the pause, and the time that the work takes. */
const PAUSE_MS = 15_000;
/** An erasure writes the full-text index again. After one, the next waits for this many times as long as it took. */
const PAUSE_PER_ERASURE = 4;

export interface UpkeepDeps {
  store: Store;
  clock: Clock;
  log: Log;
  /** Null if the log is left to another program: then nothing is erased in the file and the log. */
  fileEraser: FileEraser | null;
}

/** Works when the caller has done what it does now, and again after pauses. Returns a function that stops this. */
export function startUpkeep({ store, clock, log, fileEraser }: UpkeepDeps): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const whileMore = async (step: () => Promise<boolean>) => {
    while (!signal.aborted && (await step())) await new Promise((turn) => setImmediate(turn));
  };
  const releaseAll = async () => {
    let isReleased = false;
    await whileMore(async () => {
      const isMore = hasManyFreePages(store) && (await store.writeWhenFree(releasePages, PATIENT));
      isReleased ||= isMore;
      return isMore;
    });
    return isReleased;
  };
  let eraseAfter = 0;
  const work = async () => {
    await whileMore(() => store.writeWhenFree(purgeReceipts, PATIENT));
    await whileMore(async () => hasOldTrash(store, clock.now()) && store.writeWhenFree(purgeTrash, PATIENT));
    const startedAt = clock.monotonic();
    // If the job that deletes the rows of deleted documents has not ended, the next turn erases.
    if (startedAt >= eraseAfter && isErasureRequested(store) && !hasRowsOfDeleted(store)) {
      await erase({ store, clock, signal, fileEraser, releaseAll });
      eraseAfter = clock.monotonic() + PAUSE_PER_ERASURE * (clock.monotonic() - startedAt);
    }
    // The file gets shorter when the log is copied.
    else if (await releaseAll()) await fileEraser?.renewLog();
  };
  let isWorking = false;
  const workOnce = async () => {
    if (isWorking) return;
    isWorking = true;
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) log.warn("the upkeep of the database failed", { reason: messageOf(error) });
    }
    isWorking = false;
  };
  const timer = setInterval(workOnce, PAUSE_MS);
  timer.unref();
  setImmediate(workOnce);
  return () => {
    stopping.abort();
    clearInterval(timer);
  };
}
