// Handles on existing files, with the pragmas of their use. Any other error than those named is that of SQLite.

import { constants, Database } from "bun:sqlite";
import { pathToFileURL } from "node:url";

export const BUSY_TIMEOUT_MS = 5_000;
export const CACHE_KIB = 16 * 1024;
/** How long writes may wait for a checkpoint, which waits for the scans that read a long log. */
const CHECKPOINT_TIMEOUT_MS = 200;
/** SQLite's own maximum. The pages count as memory of the process, but the system can drop them at any time. */
const MAX_MAPPED_BYTES = 0x7fff0000;

/**
 * Opens an existing file for reading only, for scans in a worker thread. Its pages are mapped into memory: reading a
 * few values of each of many rows would otherwise copy a page for each.
 */
export function openReader(path: string): Database {
  const database = new Database(path, { readonly: true, strict: true });
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  database.run(`PRAGMA mmap_size = ${MAX_MAPPED_BYTES}`);
  database.run("PRAGMA temp_store = MEMORY");
  return database;
}

/** Opens an existing file for checkpoints in a worker thread. */
export function openCheckpointer(path: string): Database {
  const database = new Database(path, { readwrite: true, strict: true });
  database.run(`PRAGMA busy_timeout = ${CHECKPOINT_TIMEOUT_MS}`);
  database.run("PRAGMA synchronous = FULL");
  database.run("PRAGMA cache_size = 0");
  return database;
}

/**
 * Opens a file that no process changes, such as a backup. SQLite makes no files beside it and ignores a write-ahead
 * log. Throws the error of SQLite.
 */
export function openImmutable(path: string): Database {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  const database = new Database(url.href, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  database.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  return database;
}
