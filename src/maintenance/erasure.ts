// Erases what is left of deleted texts, so that no byte of them is in the database file or in its log: words in the
// full-text tables, free pages, unused parts of pages, and the log.

import { beginErasure, endErasure } from "../db/erasure.ts";
import type { Cleared, Portion } from "../db/page-gaps.ts";
import { PATIENT } from "../db/waiting-writes.ts";
import { eraseDeletedWords } from "../retrieval/generations/erase-words.ts";
import type { SliceOptions } from "../retrieval/generations/slices.ts";

/** What is done in another thread. */
export interface FileEraser {
  /** See CheckpointApi. */
  clearGaps(portion: Portion): Promise<Cleared | undefined>;
  /** See CheckpointApi. */
  renewLog(): Promise<boolean>;
}

interface ErasureOptions extends SliceOptions {
  fileEraser: FileEraser | null;
  /** Gives free pages back to the file system. */
  releaseAll: () => Promise<unknown>;
}

/** Pages that are cleared in one write: 4 MB, which takes a few milliseconds. */
const PORTION_PAGES = 128;
/** What is left in a page moves to another one if that is divided meanwhile, so the last pass must find nothing. */
const MAX_PASSES = 4;
/** How often and after which pause it is tried again while others read and write. */
const MAX_TRIES = 30;
const RETRY_MS = 100;

/**
 * Erases what was deleted before. What is deleted meanwhile requests another erasure, and so does an error or the
 * signal, which throw. The free pages are released before the file is cleared, because that moves pages.
 */
export async function erase({ fileEraser, releaseAll, ...options }: ErasureOptions): Promise<void> {
  const { store, signal } = options;
  await store.writeWhenFree(beginErasure, PATIENT);
  await eraseDeletedWords(options);
  await releaseAll();
  signal.throwIfAborted();
  if (fileEraser) {
    let passes = 1;
    while ((await clearFile(fileEraser, options)) && passes < MAX_PASSES) passes++;
    await retried(fileEraser.renewLog, options);
  }
  await store.writeWhenFree(endErasure, PATIENT);
}

/** Clears the gaps of all pages once. Returns whether something was in them. */
async function clearFile({ clearGaps }: FileEraser, options: Waiting): Promise<boolean> {
  let hasCleared = false;
  for (let from: number | undefined = 1; from !== undefined; ) {
    const portion: Portion = { from, pages: PORTION_PAGES };
    const { cleared, next }: Cleared = await retried(() => clearGaps(portion), options);
    hasCleared ||= cleared > 0;
    from = next;
  }
  return hasCleared;
}

type Waiting = Pick<SliceOptions, "clock" | "signal">;

/**
 * Calls `action` until it returns something other than false or undefined. Throws after a while, and when the signal
 * fires.
 */
async function retried<Value>(
  action: () => Promise<Value | false | undefined>,
  { clock, signal }: Waiting,
): Promise<Value> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    signal.throwIfAborted();
    const value = await action();
    if (value !== false && value !== undefined) return value;
    await clock.sleep(RETRY_MS, signal);
  }
  throw new Error("the log is being read or written all the time");
}
