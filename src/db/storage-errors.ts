// What errors of SQLite mean: which problem of the machine or of the file they show, and what a person can do about it.

import { STORAGE_REASON } from "../kernel/errors.ts";

/**
 * `busy`: another process writes. `full`: no space, or a quota is used up. `read-only`: the file or its disk cannot be
 * written. `moved`: the file that is open is no longer the one at its path. `overwritten`: another program wrote into
 * it. `unreadable`: the disk reports errors. `damaged`: the content of the file is wrong.
 */
export type StorageProblem =
  | "busy"
  | "full"
  | "moved"
  | "overwritten"
  | "read-only"
  | "unreadable"
  | "damaged";

const CODES: readonly [RegExp, StorageProblem][] = [
  [/^SQLITE_(BUSY|LOCKED)/, "busy"],
  [/^SQLITE_FULL/, "full"],
  [/^SQLITE_READONLY_DBMOVED/, "moved"],
  [/^SQLITE_READONLY_OVERWRITTEN/, "overwritten"],
  [/^SQLITE_READONLY/, "read-only"],
  [/^SQLITE_IOERR_CORRUPTFS/, "damaged"],
  [/^SQLITE_(IOERR|CANTOPEN)/, "unreadable"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "damaged"],
];

/** What went wrong and what to do, for each problem; it reveals nothing about this machine. */
export const STORAGE_MESSAGES: Readonly<Record<StorageProblem, string>> = {
  busy: "another process is writing to the database: try again",
  full: "the disk of the database is full: free space on it, or delete records",
  moved:
    "the database was deleted, moved or replaced, so nothing can be written: make a backup, stop the server, and restore it",
  overwritten:
    "the database was overwritten by another program, so nothing can be written: stop the server, and restore a backup with ctxrepo restore",
  "read-only":
    "the database cannot be written: check the permissions of its files, and that its disk is not mounted read-only",
  unreadable:
    "the disk of the database reports errors: check it, make a backup, and move the database to another disk",
  damaged:
    "the database is damaged: run ctxrepo doctor, which names the way out (rebuild the index, or restore a backup)",
};

/** The `details.reason` of a response, such as `STORAGE_FULL`. */
export function storageReason(problem: StorageProblem): string {
  return STORAGE_REASON + problem.toUpperCase().replace("-", "_");
}

/** The problem of the storage that an error, or its cause, shows; undefined for any other error. */
export function storageProblemOf(error: unknown): StorageProblem | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code !== "string") continue;
    const found = CODES.find(([pattern]) => pattern.test(code));
    if (found) return found[1];
  }
  return undefined;
}
