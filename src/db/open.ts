// Opens the database file: permissions of folder and file, page size, pragmas in the required order.

import { Database } from "bun:sqlite";
import { accessSync, chmodSync, constants as fsConstants, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../kernel/errors.ts";
import { boundLog } from "./checkpoints.ts";
import { rejectForeignFile, rejectLinkedFile } from "./foreign-file.ts";
import { BUSY_TIMEOUT_MS, CACHE_KIB } from "./handles.ts";

const DATABASE_FILE = "ctxrepo.db";

/**
 * A page of 32 kB holds five float32[1536] rows and wastes 6 % (6,804 bytes per vector with its bits); 4, 8 and 16 kB
 * waste a quarter (8,440 bytes). The measured cost: creating five small rows takes 0.26 ms instead of 0.19 ms.
 */
const PAGE_BYTES = 32 * 1024;
/** Longer than the short writes of most commands, and short enough for the thread that serves requests. */
const BRIEF_TIMEOUT_MS = 10;
/** Path of the database inside a data directory. */
export function databasePath(dataDirectory: string): string {
  return join(dataDirectory, DATABASE_FILE);
}

/** What to do when a folder or file cannot be used, by the error's code. */
const WAYS_OUT: readonly [RegExp, string][] = [
  [/^SQLITE_(NOTADB|CORRUPT)/, "restore a backup, or move it away"],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, "free space on this disk"],
  [/^(SQLITE_READONLY|EROFS)/, "the disk or the file is read-only: change that, or use another --data-dir"],
  [/^(SQLITE_CANTOPEN|EACCES|EPERM)/, "change the permissions, or use another --data-dir"],
  [/^SQLITE_IOERR/, "check the disk, and restore a backup if files are lost"],
  [/^SQLITE_BUSY/, "end that process, or wait for it"],
  [/^(ENOTDIR|EEXIST)/, "a file has this name: move it away, or use another --data-dir"],
];

/** The reason of an error, with the way out in parentheses if there is one. */
function withWayOut(error: unknown): string {
  const { code = "" } = error as { code?: string };
  const [, wayOut] = WAYS_OUT.find(([pattern]) => pattern.test(code)) ?? [];
  return wayOut === undefined ? reasonOf(error) : `${reasonOf(error)} (${wayOut})`;
}

/**
 * Creates the folder if it does not exist, and makes it private (mode 0700). Throws `unavailable` if that is
 * impossible, and, without changing anything, if it contains the database of another program.
 */
export function makeDataDirectory(path: string): void {
  try {
    rejectForeignFile(databasePath(path));
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const message = `cannot use the data directory ${path}: ${withWayOut(error)}`;
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
  return explaining(path, () => openDatabaseFile(path));
}

/**
 * Calls `action`, which opens a database. An error of SQLite is thrown as `unavailable`, with the path and the way out.
 */
export function explaining<Value>(path: string, action: () => Value): Value {
  try {
    return action();
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

/**
 * The failure that says why a database cannot be opened, and the way out; the error itself if it is a Failure already.
 */
export function cannotOpen(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = `cannot open the database ${path}: ${withWayOut(error)}`;
  return new Failure("unavailable", message, { cause: error });
}

/** Opens a database for reading and writing with the program's pragmas; creates it if it does not exist, mode 0600. */
export function openDatabaseFile(path: string): Database {
  const umask = process.umask(0o077);
  try {
    const isNew = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
    const database = new Database(path, { create: true, strict: true });
    // The timeout first, because another process may hold a lock during every later pragma.
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (isNew) {
      database.run(`PRAGMA page_size = ${PAGE_BYTES}`);
      // Only a file that begins with it can release free pages (db/shrink.ts).
      database.run("PRAGMA auto_vacuum = INCREMENTAL");
    }
    // Deleted texts must not be left in free pages.
    database.run("PRAGMA secure_delete = ON");
    database.run("PRAGMA journal_mode = WAL");
    database.run("PRAGMA synchronous = FULL");
    database.run("PRAGMA foreign_keys = ON");
    database.run(`PRAGMA cache_size = -${CACHE_KIB}`);
    boundLog(database);
    database.run("PRAGMA temp_store = MEMORY");
    chmodSync(path, 0o600);
    return database;
  } finally {
    process.umask(umask);
  }
}

/** Makes a handle wait only briefly for other processes: for the thread that serves requests. */
export function waitBriefly(database: Database): void {
  database.run(`PRAGMA busy_timeout = ${BRIEF_TIMEOUT_MS}`);
}

/** What an error of SQLite means for a person. */
export function reasonOf(error: unknown): string {
  const { code = "" } = error as { code?: string };
  if (code === "SQLITE_NOTADB") return "the file is not a database";
  if (code.startsWith("SQLITE_CORRUPT")) return "the file is damaged";
  if (code === "SQLITE_FULL") return "the disk is full";
  if (code.startsWith("SQLITE_BUSY")) return "another process is using the database";
  if (code.startsWith("SQLITE_READONLY")) return "the file cannot be written";
  if (code.startsWith("SQLITE_IOERR")) return "the disk reports an error";
  return error instanceof Error ? error.message : String(error);
}

/**
 * Opens an existing file without migrating or changing it, also while a server uses it. It is opened for reading and
 * writing where possible, because only such a handle removes the -wal and -shm files when it is the last one. Throws
 * the error of SQLite.
 */
export function openUnchanged(path: string): Database {
  const database = openExisting(path);
  database.run("PRAGMA query_only = ON");
  return database;
}

/**
 * Opens an existing file for reading and, where possible, writing. Throws the error of SQLite, and `unavailable` for a
 * file with several names.
 */
export function openExisting(path: string): Database {
  rejectLinkedFile(path);
  const isWritable = canWrite(path) && canWrite(dirname(path));
  const database = new Database(
    path,
    isWritable ? { readwrite: true, strict: true } : { readonly: true, strict: true },
  );
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  database.run("PRAGMA temp_store = MEMORY");
  return database;
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, fsConstants.W_OK);
    return true;
  } catch {
    return false;
  }
}
