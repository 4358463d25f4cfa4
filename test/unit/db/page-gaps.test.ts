// What SQLite leaves of deleted rows in the unused parts of pages is erased, and nothing else is changed.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../../scripts/bench/random.ts";
import { type CheckpointApi, serveCheckpoints } from "../../../src/db/checkpoint-worker.ts";
import { identityOf } from "../../../src/db/file-identity.ts";
import { openDatabaseFile } from "../../../src/db/open.ts";
import type { Cleared } from "../../../src/db/page-gaps.ts";
import { makeTempDir } from "../../helpers/start.ts";

let dir: string;
let path: string;
let database: Database;
let descriptor: number;
let api: CheckpointApi;
beforeEach(async () => {
  dir = makeTempDir();
  path = join(dir, "test.db");
  database = openDatabaseFile(path);
  database.run("CREATE TABLE instance (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID");
  descriptor = openSync(path, "r+");
  api = await serveCheckpoints({ databasePath: path, identity: identityOf(path), descriptor });
});
afterEach(() => {
  api.close(null);
  database.close();
  closeSync(descriptor);
  rmSync(dir, { recursive: true });
});

const ROWS = 1_500;
const mark = (row: number) => `mark${row}end`;

/**
 * Inserts, changes and deletes rows of very different sizes in random order, in all kinds of trees. Returns the marks
 * of the rows that are deleted, and how many rows are left.
 */
function churn(seed: number): { deleted: string[]; left: number } {
  const random = createRandom(seed);
  const alive = new Set<number>();
  const deleted: string[] = [];
  const any = () => [...alive][Math.floor(random() * alive.size)]!;
  const textOf = (row: number) => `${mark(row)} `.repeat(1 + Math.floor(random() ** 3 * 4_000));
  database.run("CREATE TABLE notes (id INTEGER PRIMARY KEY, name TEXT UNIQUE, text TEXT)");
  database.run("CREATE TABLE names (name TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID");
  database.transaction(() => {
    for (let row = 0; row < ROWS; row++) {
      const name = `${Math.floor(random() * 1e9).toString(36)} ${mark(row)}`;
      database.query("INSERT INTO notes VALUES (?, ?, ?)").run(row, name, textOf(row));
      database.query("INSERT INTO names SELECT name, text FROM notes WHERE id = ?").run(row);
      alive.add(row);
      const changed = any();
      if (random() < 0.2)
        database.query("UPDATE notes SET text = ? WHERE id = ?").run(textOf(changed), changed);
      if (random() > 0.6) continue;
      const gone = any();
      database.query("DELETE FROM names WHERE name = (SELECT name FROM notes WHERE id = ?)").run(gone);
      database.query("DELETE FROM notes WHERE id = ?").run(gone);
      alive.delete(gone);
      deleted.push(mark(gone));
    }
  })();
  return { deleted, left: alive.size };
}

const remains = (deleted: readonly string[]) => {
  const found = new Set(
    readFileSync(path)
      .toString("latin1")
      .match(/mark\d+end/g),
  );
  return deleted.filter((text) => found.has(text));
};
const hashOfRows = () =>
  Bun.hash(
    JSON.stringify([
      database.query("SELECT * FROM notes").all(),
      database.query("SELECT * FROM names").all(),
    ]),
  );

function clearAll(): number {
  let total = 0;
  for (let from: number | undefined = 1; from !== undefined; ) {
    const { cleared, next }: Cleared = api.clearGaps({ from, pages: 64 })!;
    total += cleared;
    from = next;
  }
  return total;
}

test.each([1, 2, 3])("deleted rows leave nothing, and the others stay as they are (seed %i)", (seed) => {
  const { deleted, left } = churn(seed);
  api.emptyLog(null);
  expect(remains(deleted)).not.toEqual([]);
  const before = hashOfRows();
  expect(clearAll()).toBeGreaterThan(0);
  api.emptyLog(null);
  expect(remains(deleted)).toEqual([]);
  expect(clearAll()).toBe(0);
  expect(hashOfRows()).toBe(before);
  expect(database.query("SELECT count(*) AS n FROM notes").get()).toEqual({ n: left });
  expect(database.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
});

test("a handle that had the pages in memory does not write what was erased again", () => {
  const { deleted } = churn(4);
  api.emptyLog(null);
  // The whole file.
  database.run("PRAGMA cache_size = -100000");
  hashOfRows();
  clearAll();
  database.run("UPDATE notes SET name = name || '!'");
  api.emptyLog(null);
  expect(remains(deleted)).toEqual([]);
});

test("nothing is cleared while a scan reads the log", () => {
  churn(5);
  const reader = new Database(path, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM notes").get();
  database.run("DELETE FROM notes WHERE id % 2 = 0");
  expect(api.clearGaps({ from: 1, pages: 64 })).toBeUndefined();
  reader.run("ROLLBACK");
  reader.close();
  expect(api.clearGaps({ from: 1, pages: 64 })).toBeDefined();
});
