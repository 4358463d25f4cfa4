// The baseline of a create: one transaction that inserts five small rows into five tables, in a file with the program's
// settings (page size, journal, sync). It shares no table with the program.

import type { Database } from "bun:sqlite";

const TABLES = ["one", "two", "three", "four", "five"];

/** Creates the tables and returns a function that commits one transaction. One of the rows has `bytes` bytes. */
export function openFiveInserts(database: Database, bytes: number): () => void {
  const inserts = TABLES.map((table) => {
    database.run(
      `CREATE TABLE ${table} (id TEXT PRIMARY KEY, owner TEXT NOT NULL, body TEXT NOT NULL) STRICT`,
    );
    return database.query<unknown, [string, string, string]>(`INSERT INTO ${table} VALUES (?, ?, ?)`);
  });
  const text = "x".repeat(bytes);
  let count = 0;
  const commit = database.transaction((id: string) => {
    for (const [index, insert] of inserts.entries()) insert.run(id, "owner", index === 0 ? text : "small");
  });
  return () => commit.immediate(String(count++).padStart(27, "0"));
}
