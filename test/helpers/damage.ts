// Damages database files on purpose.

import { Database } from "bun:sqlite";
import { closeSync, openSync, writeSync } from "node:fs";

/** Overwrites the last leaf page of a table of a closed database. */
export function damageTable(path: string, table: string): void {
  const database = new Database(path);
  const { pageno } = database
    .query<{ pageno: number }, [string]>(
      "SELECT max(pageno) AS pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'",
    )
    .get(table)!;
  const { page_size } = database.query<{ page_size: number }, []>("PRAGMA page_size").get()!;
  database.close();
  if (!pageno) throw new Error(`${table} has no leaf page`);
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, new Uint8Array(page_size).fill(0xa5), 0, page_size, (pageno - 1) * page_size);
  closeSync(descriptor);
}
