// Recognizes database files of this program, counts their records and checks their integrity.

import type { Database } from "bun:sqlite";
import { assetPath } from "../base/assets.ts";
import { FIRST_TABLES } from "../db/foreign-file.ts";
import { newerProgram, schemaOf } from "../db/migrate.ts";
import { Failure } from "../kernel/errors.ts";

/** What a database file of this program contains. */
export interface Contents {
  /** Number of the last migration that was applied. */
  schema: number;
  documents: number;
  prompts: number;
  collections: number;
}

const MAX_PROBLEMS = 20;

/**
 * Counts the records. Throws `unavailable` if the file belongs to another program or was written by a newer version of
 * this one, and the error of SQLite if it cannot be read.
 */
export function readContents(database: Database): Contents {
  const schema = schemaOf(database);
  const tables = new Set(tableNames(database));
  if (schema === 0 || !FIRST_TABLES.every((name) => tables.has(name))) {
    throw new Failure("unavailable", "it is not a database of ctxrepo");
  }
  const newer = newerProgram(database, assetPath("migrations"));
  if (newer !== undefined)
    throw new Failure("unavailable", `it was written by a newer version of ctxrepo ${newer}`);
  // Old schemas lack some tables.
  const count = (table: string) => (tables.has(table) ? countRows(database, table) : 0);
  return {
    schema,
    documents: count("documents"),
    prompts: count("prompts"),
    collections: count("collections"),
  };
}

/** Names of the tables, those of virtual tables included. */
export function tableNames(database: Database): string[] {
  return database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name);
}

/** The number of rows of a table; `schema` is the name of an attached database. */
export function countRows(database: Database, table: string, schema = "main"): number {
  return database.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${schema}"."${table}"`).get()!.n;
}

/**
 * What SQLite finds wrong with the pages, rows and indexes of the file or of one table, full-text tables included, and
 * with references between rows; empty if it is intact. `isQuick` does not compare indexes with their tables. Reads
 * everything: 1.2 s for 930 MB.
 */
export function integrityProblems(
  database: Database,
  { table, isQuick = false }: { table?: string; isQuick?: boolean } = {},
): string[] {
  const check = isQuick ? "quick_check" : "integrity_check";
  const argument = table === undefined ? MAX_PROBLEMS : `"${table}"`;
  try {
    const lines = (database.query(`PRAGMA ${check}(${argument})`).values() as string[][])
      .flat()
      .filter((line) => line !== "ok")
      .flatMap((line) => line.split("\n"));
    return [...lines, ...danglingRows(database, table)].slice(0, MAX_PROBLEMS);
  } catch (error) {
    // Damage of the schema itself ends the check.
    return [error instanceof Error ? error.message : String(error)];
  }
}

/**
 * Pages of an earlier state, which a damaged log can leave, are intact by themselves, but their rows do not fit the
 * others.
 */
function danglingRows(database: Database, table?: string): string[] {
  const ofTable = table === undefined ? "" : "(?)";
  return database
    .query<{ table: string; parent: string }, string[]>(
      `SELECT DISTINCT "table", parent FROM pragma_foreign_key_check${ofTable} LIMIT ${MAX_PROBLEMS}`,
    )
    .all(...(table === undefined ? [] : [table]))
    .map(({ table, parent }) => `rows of ${table} refer to missing rows of ${parent}`);
}
