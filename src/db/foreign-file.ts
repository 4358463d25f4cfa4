// Recognizes database files of other programs before anything in them or around them is changed.

import type { Database } from "bun:sqlite";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { Failure } from "../kernel/errors.ts";
import { MAGIC } from "./file-identity.ts";
import { openImmutable } from "./handles.ts";

/** "ctxr", in the header of every file since the migration 0010. */
const APPLICATION_ID = 0x63747872;
const HEADER_BYTES = 100;
const AT_VERSION = 60;
const AT_APPLICATION_ID = 68;
/** Tables of the first migration. No later one removes them. */
export const FIRST_TABLES = ["instance", "users", "documents", "bodies", "jobs", "index_generations"];

/**
 * Throws `unavailable` if the path is a directory, a file with several names or the database of another program. A file
 * that does not exist, is empty or is no database at all is left to SQLite.
 */
export function rejectForeignFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  if (stats.isDirectory())
    throw new Failure("unavailable", `${path} is a directory: move it away, or use another --data-dir`);
  rejectLinkedFile(path);
  // Another process may write its first pages right now, without a lock: the second look sees our id.
  if (!seemsForeign(path) || !seemsForeign(path)) return;
  throw new Failure(
    "unavailable",
    `${path} is the database of another program, and was not changed: move it away, or use another --data-dir`,
  );
}

/**
 * Throws `unavailable` if the file has several names (hard links): each name has a write-ahead log of its own, and
 * servers under two names would destroy the database.
 */
export function rejectLinkedFile(path: string): void {
  const links = statSync(path, { throwIfNoEntry: false })?.nlink ?? 1;
  if (links <= 1) return;
  throw new Failure(
    "unavailable",
    `${path} has ${links} names (hard links), but a database may have only one: delete the others, or replace this one by a copy`,
  );
}

function seemsForeign(path: string): boolean {
  const header = headerOf(path);
  if (header?.toString("latin1", 0, MAGIC.length) !== MAGIC) return false;
  const applicationId = header.readInt32BE(AT_APPLICATION_ID);
  if (applicationId === APPLICATION_ID) return false;
  return applicationId !== 0 || !hasOwnTables(path, header.readInt32BE(AT_VERSION));
}

function headerOf(path: string): Buffer | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(path, "r");
  try {
    return readSync(descriptor, header) === HEADER_BYTES ? header : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Whether the tables are those that this program makes; a new file has none. True if they cannot be read: the file is
 * damaged, or its pages are being written, which an immutable handle does not wait for.
 */
function hasOwnTables(path: string, version: number): boolean {
  let database: Database | undefined;
  try {
    database = openImmutable(path);
    const names = database
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name);
    return version === 0 ? names.length === 0 : FIRST_TABLES.every((name) => names.includes(name));
  } catch {
    return true;
  } finally {
    database?.close();
  }
}
