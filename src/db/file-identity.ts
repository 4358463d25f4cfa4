// Which file is at a path, and whether the files of a database that is open are still those at its paths. SQLite goes on using
// files that were deleted or replaced, and what it writes into them is lost.

import { realpathSync, statSync } from "node:fs";

/** Device and inode of the file or directory at a path; undefined if there is none, or if that cannot be found out. */
export function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Throws a `moved` error of SQLite if a file was deleted, moved or replaced. It takes a few microseconds. */
export type CheckFiles = () => void;

/** Notes the files of a database in WAL mode that has just been opened and read: its own and those that SQLite makes beside it. */
export function watchFiles(path: string): CheckFiles {
  if (identityOf(path) === undefined) return () => {};
  const real = realpathSync(path);
  const opened = [path, `${real}-wal`, `${real}-shm`].map((file) => [file, identityOf(file)] as const);
  return () => {
    for (const [file, identity] of opened) requireSameFile(file, identity);
  };
}

/** Throws a `moved` error of SQLite unless this file is at the path. */
export function requireSameFile(path: string, identity: string | undefined): void {
  if (identityOf(path) === identity) return;
  throw Object.assign(new Error(`${path} was deleted, moved or replaced`), {
    code: "SQLITE_READONLY_DBMOVED",
  });
}
