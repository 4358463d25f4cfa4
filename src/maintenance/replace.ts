// Puts another file in the place of the database. The caller holds the lock on the data directory.

import { chmodSync, existsSync, renameSync, rmSync } from "node:fs";
import { databasePath, openExisting } from "../db/open.ts";
import { Failure } from "../kernel/errors.ts";
import { copyDurably, syncEntry } from "./sync.ts";

/** SQLite's own files beside a database. */
export const SIDE_FILES = ["-wal", "-shm"] as const;

/** Where a new database is prepared: in the data directory, because a rename works only within one file system. */
export function stagedPath(dataDirectory: string): string {
  return `${databasePath(dataDirectory)}.new`;
}

/**
 * Moves the write-ahead log into the database file. A damaged file is left as it is, with its log. Throws `conflict` if
 * another process has the database open.
 */
export function foldLog(path: string): void {
  try {
    const database = openExisting(path);
    try {
      // SQLite leaves WAL mode only if no other process has the database open.
      database.run("PRAGMA journal_mode = DELETE");
    } finally {
      database.close();
    }
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (!code.startsWith("SQLITE_BUSY")) return;
    throw new Failure("conflict", "another process is using the database: stop it, and try again", {
      cause: error,
    });
  }
}

/** Copies a closed database with the log that a damaged one may have. The copy replaces earlier files of that name. */
export function keepCopy(path: string, kept: string): void {
  for (const suffix of SIDE_FILES) rmSync(kept + suffix, { force: true });
  const temporary = `${kept}.new`;
  try {
    copyDurably(path, temporary);
    chmodSync(temporary, 0o600);
    renameSync(temporary, kept);
  } finally {
    rmSync(temporary, { force: true });
  }
  if (existsSync(`${path}-wal`)) copyDurably(`${path}-wal`, `${kept}-wal`);
  syncEntry(kept);
}

/** Makes the staged file the database. A crash leaves either the old or the new one. */
export function installStaged(dataDirectory: string): void {
  const path = databasePath(dataDirectory);
  const staged = stagedPath(dataDirectory);
  chmodSync(staged, 0o600);
  // Before the rename: SQLite would apply the log of the old file to the new one.
  for (const suffix of SIDE_FILES) rmSync(path + suffix, { force: true });
  syncEntry(path);
  renameSync(staged, path);
  syncEntry(path);
}

/** Removes a staged file, also one that a killed process left. */
export function removeStaged(dataDirectory: string): void {
  for (const suffix of ["", "-journal", ...SIDE_FILES])
    rmSync(stagedPath(dataDirectory) + suffix, { force: true });
}
