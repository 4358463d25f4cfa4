// Notices a database file whose end is missing. SQLite itself notices it when it opens a file without a log; with a
// log, only when it reads one of the pages.

import type { Database } from "bun:sqlite";
import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from "node:fs";

/** sqlite.org/fileformat2.html, section 4.1: a log begins with a header, and each page in it is preceded by one. */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Where the two random numbers are that the headers of all valid pages have in common with that of the log. */
const AT_LOG_SALT = 16;
const AT_FRAME_SALT = 8;
const SALT_BYTES = 8;
/** The page that contains this byte is never written: SQLite uses it for locks. */
const LOCK_BYTE = 0x4000_0000;

/** The number of pages at the end of the database that are neither in its file nor in its log. */
export function countMissingPages(database: Database): number {
  const { count, size } = database
    .query<{ count: number; size: number }, []>(
      "SELECT page_count AS count, page_size AS size FROM pragma_page_count, pragma_page_size",
    )
    .get()!;
  const path = realpathSync(database.filename);
  const inFile = Math.floor(statSync(path).size / size);
  if (inFile >= count) return 0;
  const inLog = pagesInLog(`${path}-wal`, size);
  inLog.add(Math.floor(LOCK_BYTE / size) + 1);
  let missing = 0;
  for (let page = inFile + 1; page <= count; page++) if (!inLog.has(page)) missing++;
  return missing;
}

/** The numbers of the pages in a log, those of transactions that were not committed included. */
function pagesInLog(path: string, pageSize: number): Set<number> {
  const pages = new Set<number>();
  if (!existsSync(path)) return pages;
  const descriptor = openSync(path, "r");
  try {
    const log = Buffer.alloc(LOG_HEADER_BYTES);
    const frame = Buffer.alloc(FRAME_HEADER_BYTES);
    if (readSync(descriptor, log) < log.length) return pages;
    const salt = log.subarray(AT_LOG_SALT, AT_LOG_SALT + SALT_BYTES);
    for (let at = LOG_HEADER_BYTES; ; at += FRAME_HEADER_BYTES + pageSize) {
      if (readSync(descriptor, frame, 0, frame.length, at) < frame.length) return pages;
      if (!frame.subarray(AT_FRAME_SALT, AT_FRAME_SALT + SALT_BYTES).equals(salt)) return pages;
      pages.add(frame.readUInt32BE(0));
    }
  } finally {
    closeSync(descriptor);
  }
}
