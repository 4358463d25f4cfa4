// Opens the one database file: folder and file modes, page size, pragmas in the order that matters. It alone knows how;
// it must not know what the tables mean.

import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../kernel/errors.ts";

export const DATABASE_FILE = "ctxrepo.db";

/**
 * 32 kB pages hold five float32[1536] rows with 6 % lost (6,804 bytes a vector with its bits); 4, 8 and 16 kB lose a quarter
 * (8,440 bytes). The price measured beside it: a create of five small rows takes 0.26 ms instead of 0.19 ms.
 */
const PAGE_BYTES = 32 * 1024;
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = 16 * 1024;
/** The log is folded back every 8 MB instead of SQLite's thousand pages, which would be 32 MB here. */
const CHECKPOINT_PAGES = 256;

/** Path of the database inside a data directory. */
export function databasePath(dataDirectory: string): string {
  return join(dataDirectory, DATABASE_FILE);
}

/**
 * Opens the file for reading and writing, making folder (0700) and file (0600) when they are not there.
 * Throws a Failure that names the path when the folder or file can't be used.
 */
export function openDatabase(dataDirectory: string): Database {
  const path = databasePath(dataDirectory);
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    chmodSync(dataDirectory, 0o700);
    const umask = process.umask(0o077);
    try {
      const isNew = !existsSync(path);
      const database = new Database(path, { create: true, strict: true });
      // The timeout comes first: every later pragma can already meet another process's lock.
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
    throw new Failure("unavailable", `cannot open the database ${path}: ${reasonOf(error)}`, undefined, {
      cause: error,
    });
  }
}

/** A second handle that can only read, for scans in a worker thread. The file must exist. */
export function openReader(path: string): Database {
  const database = new Database(path, { readonly: true, strict: true });
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  database.run("PRAGMA temp_store = MEMORY");
  return database;
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: string }).code;
  if (code === "SQLITE_NOTADB") return "the file is not a database (restore a backup, or move it away)";
  if (code === "SQLITE_CORRUPT") return "the file is damaged (restore a backup)";
  return error instanceof Error ? error.message : String(error);
}
