// Opens the database file: permissions of folder and file, page size, pragmas in the required order. It does not depend on
// any table.

import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "../kernel/errors.ts";

const DATABASE_FILE = "ctxrepo.db";

/**
 * A page of 32 kB holds five float32[1536] rows and wastes 6 % (6,804 bytes per vector with its bits); 4, 8 and 16 kB waste a
 * quarter (8,440 bytes). The measured cost: creating five small rows takes 0.26 ms instead of 0.19 ms.
 */
const PAGE_BYTES = 32 * 1024;
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = 16 * 1024;
/** SQLite's own maximum. The pages count as memory of the process, but the system can drop them at any time. */
const MAX_MAPPED_BYTES = 0x7fff0000;
/** Checkpoint every 8 MB. SQLite's default of a thousand pages would be 32 MB here. */
const CHECKPOINT_PAGES = 256;

/** Path of the database inside a data directory. */
export function databasePath(dataDirectory: string): string {
  return join(dataDirectory, DATABASE_FILE);
}

/** Creates the folder if it does not exist, and makes it private (mode 0700). Throws `unavailable` if that is impossible. */
export function makeDataDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
  } catch (error) {
    const message = `cannot use the data directory ${path}: ${messageOf(error)}`;
    throw new Failure("unavailable", message, { cause: error });
  }
}

/**
 * Opens the file for reading and writing. Creates the folder (mode 0700) and the file (mode 0600) if they do not exist.
 * Throws `unavailable` with the path when the folder or file cannot be used.
 */
export function openDatabase(dataDirectory: string): Database {
  makeDataDirectory(dataDirectory);
  const path = databasePath(dataDirectory);
  try {
    const umask = process.umask(0o077);
    try {
      const isNew = !existsSync(path);
      const database = new Database(path, { create: true, strict: true });
      // The timeout first, because another process may hold a lock during every later pragma.
      database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      if (isNew) database.run(`PRAGMA page_size = ${PAGE_BYTES}`);
      database.run("PRAGMA journal_mode = WAL");
      database.run("PRAGMA synchronous = FULL");
      database.run("PRAGMA foreign_keys = ON");
      database.run(`PRAGMA cache_size = -${CACHE_KIB}`);
      database.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      database.run("PRAGMA temp_store = MEMORY");
      chmodSync(path, 0o600);
      return database;
    } finally {
      process.umask(umask);
    }
  } catch (error) {
    throw new Failure("unavailable", `cannot open the database ${path}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Opens an existing file for reading only, for scans in a worker thread. Its pages are mapped into memory: reading a few
 * values of each of many rows would otherwise copy a page for each.
 */
export function openReader(path: string): Database {
  const database = new Database(path, { readonly: true, strict: true });
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  database.run(`PRAGMA mmap_size = ${MAX_MAPPED_BYTES}`);
  database.run("PRAGMA temp_store = MEMORY");
  return database;
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: string }).code;
  if (code === "SQLITE_NOTADB") return "the file is not a database (restore a backup, or move it away)";
  if (code === "SQLITE_CORRUPT") return "the file is damaged (restore a backup)";
  return error instanceof Error ? error.message : String(error);
}
