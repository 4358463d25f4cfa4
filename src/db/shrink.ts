// Gives pages of the file that hold nothing back to the file system, a few in each write.

import { preparedSql } from "./prepared.ts";
import type { Store, Write } from "./store.ts";

/** Pages that are kept for new data: 8 MB, or a quarter of the file. */
const MIN_KEPT_PAGES = 256;
const KEPT_SHARE = 0.25;
/** Each is at the end of the file, or changes places with one that is: 1 MB per write. */
const PAGES_PER_WRITE = 32;

const freePages = preparedSql<{ freelist_count: number }, []>("PRAGMA freelist_count");
const allPages = preparedSql<{ page_count: number }, []>("PRAGMA page_count");
const release = preparedSql<never, []>(`PRAGMA incremental_vacuum(${PAGES_PER_WRITE})`);

/** Whether the file has more free pages than new data needs soon. */
export function hasManyFreePages(reader: Pick<Store, "sql">): boolean {
  const free = freePages(reader).get()!.freelist_count;
  return free > Math.max(MIN_KEPT_PAGES, KEPT_SHARE * allPages(reader).get()!.page_count);
}

/**
 * Releases some pages. Returns whether that had an effect: files that were made before the migration 0010 release none,
 * until they are restored from a backup.
 */
export function releasePages(write: Write): boolean {
  const before = freePages(write).get()!.freelist_count;
  release(write).all();
  return freePages(write).get()!.freelist_count < before;
}
