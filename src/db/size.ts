// The size of the database on disk.

import { preparedSql } from "./prepared.ts";
import type { Store } from "./store.ts";

const pages = preparedSql<{ size: number; count: number; free: number }, []>(
  `SELECT page_size AS size, page_count AS count, freelist_count AS free
   FROM pragma_page_size, pragma_page_count, pragma_freelist_count`,
);

/** The bytes of the database file, and how many of them are free for new rows. */
export function databaseSize(store: Pick<Store, "sql">): { bytes: number; freeBytes: number } {
  const { size = 0, count = 0, free = 0 } = pages(store).get() ?? {};
  return { bytes: size * count, freeBytes: size * free };
}
