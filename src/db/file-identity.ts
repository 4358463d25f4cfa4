// Which file is at a path, and whether the files of a database that is open are still those at its paths, with their
// content. SQLite goes on using files that were deleted or replaced, and what it writes into them is lost; into a file
// that another program has overwritten, it copies its log, which destroys the file.

import { closeSync, openSync, readSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";

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
   * Calls `closeHandle`, which closes the handle, and ends the watch. The log is not copied into a database that was
   * overwritten, but deleted.
   */
  close(closeHandle: () => void): void;
}

/**
 * Notes the files of a database in WAL mode that has just been opened and read: its own and those that SQLite makes
 * beside it.
 */
export function watchFiles(path: string): FileWatch {
  if (identityOf(path) === undefined) return { check() {}, close: (closeHandle) => closeHandle() };
  const real = realpathSync(path);
  const opened = [path, ...logFilesOf(real)].map((file) => [file, identityOf(file)] as const);
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
    close(closeHandle) {
      if (isOverwritten) closeWithoutLog(real, closeHandle);
      else closeHandle();
      // Not before: closing a file releases all locks that the process has on it.
      closeSync(descriptor);
    },
  };
}

/** Closes the last handle of a database. SQLite copies the log then, unless the file is not at its path any more. */
function closeWithoutLog(path: string, closeHandle: () => void): void {
  const aside = `${path}-overwritten`;
  renameSync(path, aside);
  try {
    closeHandle();
    for (const file of logFilesOf(path)) rmSync(file, { force: true });
  } finally {
    renameSync(aside, path);
  }
}

/** The log of a database and the index of the log. */
const logFilesOf = (path: string) => [`${path}-wal`, `${path}-shm`];

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
