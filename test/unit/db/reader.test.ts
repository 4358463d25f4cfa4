// The read-only handle of worker threads.

import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { openSmallIndex } from "../retrieval/small-index.ts";

const pragma = (database: Database, name: string) =>
  Object.values(database.query<Record<string, number>, []>(`PRAGMA ${name}`).get() ?? {})[0];

test("a reader maps the file and sees what is written after it was opened", () => {
  const index = openSmallIndex();
  // A SQLite without memory mapping (an option of its build) returns no row.
  expect(pragma(index.reader, "mmap_size") ?? 0x7fff0000).toBe(0x7fff0000);
  const count = index.reader.query<{ rows: number }, []>("SELECT count(*) AS rows FROM chunks");
  expect(count.get()).toEqual({ rows: 0 });
  index.add({ id: "d", paragraphs: [{ text: "tea ".repeat(100_000) }] });
  index.store.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
  expect(count.get()).toEqual({ rows: 2 });
  index.close();
});
