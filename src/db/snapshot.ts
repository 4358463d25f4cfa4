// Writes a consistent copy of a database that is open and may be in use.

import type { Database } from "bun:sqlite";

/** Writes the snapshot into a new file. Does not block writers. Throws the error of SQLite. */
export function writeSnapshot(database: Database, target: string): void {
  const { auto_vacuum } = database.query<{ auto_vacuum: number }, []>("PRAGMA auto_vacuum").get()!;
  // A file of an earlier version: only a copy with this setting can release free pages (db/shrink.ts). In other files,
  // the statement would write.
  if (auto_vacuum === 0) database.run("PRAGMA auto_vacuum = INCREMENTAL");
  database.query("VACUUM INTO ?").run(target);
}
