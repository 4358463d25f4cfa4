// Which tables belong to the search index. They can be made again from the records; all other tables cannot.

import type { Database } from "bun:sqlite";
import { integrityProblems, tableNames } from "./contents.ts";

const INDEX_TABLE = /^(embedding_spaces|index_|chunk|prompt_vectors$)/;

/** Whether the table belongs to the search index. */
export function isIndexTable(name: string): boolean {
  return INDEX_TABLE.test(name);
}

/** Whether SQLite made the table for its own use. */
export function isInternalTable(name: string): boolean {
  return name.startsWith("sqlite_");
}

/** The damaged tables, those of the search index and the others. */
export interface Damage {
  index: string[];
  records: string[];
}

/** Checks each table. Reads everything, like `integrityProblems`. */
export function findDamage(database: Database): Damage {
  const damage: Damage = { index: [], records: [] };
  for (const name of tableNames(database)) {
    if (isInternalTable(name) || integrityProblems(database, { table: name }).length === 0) continue;
    damage[isIndexTable(name) ? "index" : "records"].push(name);
  }
  return damage;
}
