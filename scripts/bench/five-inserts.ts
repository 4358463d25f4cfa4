// The baseline of a create: one transaction of five small rows in five tables, in a file of the program's own kind (page
// size, log, sync). It shares no table with the program.

import type { Database } from "bun:sqlite";

const TABLES = ["one", "two", "three", "four", "five"];

/** Prepares the tables; each call of the answer commits one transaction. `bytes` goes into one of the rows. */
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
