// Migrates a database file to the newest schema: numbered SQL files, each applied in one transaction, those of a new
// file all in one. PRAGMA user_version stores the number of the last one, and the table `instance` the version of the
// program that applied it. A file that a newer version of the program migrated is rejected. What SQL cannot do is a
// function in STEPS.

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
 * The key in the table `instance` of the program that applied the last migration: every later one can open the
 * database.
 */
const MIGRATED_BY = "migrated-by";

/** The number of the last migration that was applied; 0 for an empty file and for most databases of other programs. */
export function schemaOf(database: Database): number {
  return database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}

/**
 * The end of a message about a database that has migrations which are not in `directory`: it names the version of the
 * program that can open it. Undefined if this one can.
 */
export function newerProgram(database: Database, directory: string): string | undefined {
  const [schema, newest] = [schemaOf(database), newestSchema(directory)];
  if (schema <= newest) return undefined;
  const version = database
    .query<{ value: string }, [string]>("SELECT value FROM instance WHERE key = ?")
    .get(MIGRATED_BY)?.value;
  const remedy = version === undefined ? "update the program" : `use version ${version} or later`;
  return `(schema ${schema}; this one reads up to ${newest}): ${remedy}`;
}

/**
 * Applies the files of `directory` (`0001-name.sql`, …) that this database lacks, and stores the version of this
 * program with them. Returns their names. Throws `unavailable` when the database has migrations that are not in the
 * directory.
 */
export function migrate(database: Database, directory: string, program: string): string[] {
  const files = migrationsIn(directory);
  const applied: string[] = [];
  const newer = newerProgram(database, directory);
  if (newer !== undefined)
    throw new Failure("unavailable", `this database was written by a newer version of ctxrepo ${newer}`);
  const apply = (index: number, name: string) => {
    // Checked again inside the transaction, because another process may have migrated in between.
    if (schemaOf(database) > index) return;
    database.run(readFileSync(join(directory, name), "utf8"));
    STEPS[name]?.(database);
    database.run(`PRAGMA user_version = ${index + 1}`);
    database
      .query("INSERT INTO instance (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2")
      .run(MIGRATED_BY, program);
    applied.push(name);
  };
  const steps = files.map((name, index) => () => apply(index, name));
  // Each commit waits for the disk.
  const isNew = schemaOf(database) === 0;
  const transactions = isNew ? [steps] : steps.map((step) => [step]);
  for (const all of transactions)
    database
      .transaction(() => {
        for (const step of all) step();
      })
      .immediate();
  return applied;
}
