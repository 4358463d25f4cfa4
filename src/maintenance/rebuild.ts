// Saves the records of a file whose search index is damaged: copies them into a new file with an empty index, and puts
// that in the place of the old one. No process may use the database meanwhile.

import type { Database } from "bun:sqlite";
import { assetPath } from "../base/assets.ts";
import { migrate } from "../db/migrate.ts";
import { databasePath, openDatabaseFile, openExisting, reasonOf } from "../db/open.ts";
import { lockDataDirectory } from "../db/server-lock.ts";
import { systemClock } from "../kernel/clock.ts";
import { Failure, messageOf } from "../kernel/errors.ts";
import { enqueueAll } from "../retrieval/generations/renew.ts";
import { VERSION } from "../base/version.ts";
import { countRows, integrityProblems, tableNames } from "./contents.ts";
import { isIndexTable, isInternalTable } from "./index-tables.ts";
import { foldLog, installStaged, removeStaged, stagedPath } from "./replace.ts";
import { syncFile } from "./sync.ts";

/**
 * Rebuilds the file from its records, with a job for each of them that indexes it. Returns their number. Throws
 * `conflict` if another process uses the database, and `unavailable` if the records cannot be read; nothing has changed
 * then.
 */
export function rebuildFile(dataDir: string): number {
  const unlock = lockDataDirectory(dataDir);
  try {
    const path = databasePath(dataDir);
    removeStaged(dataDir);
    upgrade(path);
    foldLog(path);
    const records = copyRecords(path, stagedPath(dataDir));
    syncFile(stagedPath(dataDir));
    installStaged(dataDir);
    return records;
  } catch (error) {
    removeStaged(dataDir);
    if (error instanceof Failure && error.kind === "conflict") throw error;
    const message = `the records cannot be copied out of the damaged file: ${messageOf(error)}. Restore a backup`;
    throw new Failure("unavailable", message, { cause: error });
  } finally {
    unlock();
  }
}

/** Migrates the old file, so that both have the same columns. */
function upgrade(path: string): void {
  const database = openExisting(path);
  try {
    migrate(database, assetPath("migrations"), VERSION);
  } finally {
    database.close();
  }
}

function copyRecords(from: string, to: string): number {
  const database = openDatabaseFile(to);
  try {
    migrate(database, assetPath("migrations"), VERSION);
    // Its rows are copied like all others.
    database.run("DELETE FROM instance");
    database.run("PRAGMA foreign_keys = OFF");
    database.query("ATTACH ? AS damaged").run(from);
    const records = database.transaction(() => {
      for (const table of recordTables(database)) copyTable(database, table);
      return enqueueAll(database, systemClock.now());
    })();
    database.run("DETACH damaged");
    const [problem] = integrityProblems(database);
    if (problem !== undefined) throw new Failure("unavailable", problem);
    // One complete file, which can be renamed.
    database.run("PRAGMA journal_mode = DELETE");
    return records;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("unavailable", reasonOf(error), { cause: error });
  } finally {
    database.close();
  }
}

function recordTables(database: Database): string[] {
  return tableNames(database).filter((name) => !isIndexTable(name) && !isInternalTable(name));
}

function copyTable(database: Database, table: string): void {
  const columns = database
    .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => `"${name}"`)
    .join(", ");
  const which = table === "jobs" ? "WHERE kind = 'document.scrape'" : "";
  database.run(`INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM damaged."${table}" ${which}`);
  if (table === "jobs") return;
  // A damaged tree can end early without an error; its index has the right number.
  if (countRows(database, table) !== countRows(database, table, "damaged"))
    throw new Failure("unavailable", `the table ${table} is damaged`);
}
