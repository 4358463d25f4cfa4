// Migrates a database file to the newest schema: numbered SQL files, each applied in one transaction. PRAGMA user_version
// stores the number of the last one. A file that a newer version of the program migrated is rejected.
// What SQL cannot do is a function in STEPS.

import type { Database } from "bun:sqlite";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../kernel/errors.ts";
import { rewriteTags } from "./tag-column.ts";

/** Runs after the SQL of the migration with this name, in its transaction. */
const STEPS: Readonly<Record<string, (database: Database) => void>> = {
  "0007-tag-forms.sql": rewriteTags,
};

const migrationsIn = (directory: string) =>
  readdirSync(directory)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort();

/** The schema that `migrate` produces: the number of the last file. */
export function newestSchema(directory: string): number {
  return migrationsIn(directory).length;
}

/**
 * Applies the files of `directory` (`0001-name.sql`, …) that this database lacks. Returns their names. Throws `unavailable`
 * when the database has migrations that are not in the directory.
 */
export function migrate(database: Database, directory: string): string[] {
  const files = migrationsIn(directory);
  const applied: string[] = [];
  const version = () =>
    database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
  if (version() > files.length) {
    throw new Failure(
      "unavailable",
      "this database was written by a newer version of ctxrepo: update the program",
    );
  }
  for (const [index, name] of files.entries()) {
    const sql = readFileSync(join(directory, name), "utf8");
    database
      .transaction(() => {
        // Checked again inside the transaction, because another process may have migrated in between.
        if (version() > index) return;
        database.run(sql);
        STEPS[name]?.(database);
        database.run(`PRAGMA user_version = ${index + 1}`);
        applied.push(name);
      })
      .immediate();
  }
  return applied;
}
