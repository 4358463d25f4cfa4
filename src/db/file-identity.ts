// Which file is at a path, and whether the files of a database that is open are still those at its paths, with their
// content. SQLite goes on using files that were deleted or replaced, and what it writes into them is lost; into a file
// that another program has overwritten, it copies its log, which destroys the file.

import { closeSync, openSync, readSync, realpathSync, rmSync, statSync } from "node:fs";

/** Device and inode of the file or directory at a path; undefined if there is none, or if that cannot be found out. */
export function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** What watches the files of a database that is open. */
export interface FileWatch {
  /**
   * Throws a `moved` error of SQLite if a file was deleted, moved or replaced, and from then on an `overwritten` error
   * if another program wrote into the database. It takes a few microseconds.
   */
  check(): void;
  /**
   * Whether the database was overwritten. Its handle must not be closed then, because SQLite would copy the log into
   * it.
   */
  isOverwritten(): boolean;
  /** Deletes the log and the index of the log. Only for a process that ends without closing its handle. */
  removeLog(): void;
  /** Ends the watch. The handle must be closed before: closing a file releases the locks that the process has on it. */
  close(): void;
}

/**
 * Notes the files of a database in WAL mode that has just been opened and read: its own and those that SQLite makes
 * beside it.
 */
export function watchFiles(path: string): FileWatch {
  if (identityOf(path) === undefined)
    return { check() {}, isOverwritten: () => false, removeLog() {}, close() {} };
  const real = realpathSync(path);
  const beside = [`${real}-wal`, `${real}-shm`];
  const opened = [path, ...beside].map((file) => [file, identityOf(file)] as const);
  const descriptor = openSync(path, "r");
  let version = versionOf(descriptor);
  let isOverwritten = false;
  return {
    check() {
      for (const [file, identity] of opened) requireSameFile(file, identity);
      const now = versionOf(descriptor);
      isOverwritten ||= version !== undefined && (now === undefined || now < version);
      version = now;
      if (isOverwritten)
        throw Object.assign(new Error(`${path} was overwritten`), { code: "SQLITE_READONLY_OVERWRITTEN" });
    },
    isOverwritten: () => isOverwritten,
    removeLog() {
      for (const file of beside) rmSync(file, { force: true });
    },
    close: () => closeSync(descriptor),
  };
}

/** The first bytes of every database file. */
export const MAGIC = "SQLite format 3\0";
const AT_CHANGE_COUNTER = 24;
const header = Buffer.alloc(AT_CHANGE_COUNTER + 4);

/**
 * The counter of changes in the header of a database, which SQLite only increases; undefined if the file is no
 * database. A file that SQLite has just created is empty.
 */
function versionOf(descriptor: number): number | undefined {
  const read = readSync(descriptor, header, 0, header.length, 0);
  if (read < header.length || header.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined;
  return header.readUInt32BE(AT_CHANGE_COUNTER);
}

/** Throws a `moved` error of SQLite unless this file is at the path. */
export function requireSameFile(path: string, identity: string | undefined): void {
  if (identityOf(path) === identity) return;
  throw Object.assign(new Error(`${path} was deleted, moved or replaced`), {
    code: "SQLITE_READONLY_DBMOVED",
  });
}
