// A file whose end is missing is recognized with a log beside it, and pages that are only in the log are not missing.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { countMissingPages } from "../../../src/db/missing-pages.ts";
import { openDatabaseFile } from "../../../src/db/open.ts";
import { makeTempDir } from "../../helpers/start.ts";

const PAGE_BYTES = 32 * 1024;
let dir: string;
let database: Database;
beforeEach(() => {
  dir = makeTempDir();
  database = openDatabaseFile(join(dir, "whole.db"));
  database.run("CREATE TABLE notes (text BLOB)");
});
afterEach(() => {
  database.close();
  rmSync(dir, { recursive: true });
});

function addPages(pages: number): void {
  for (let i = 0; i < pages; i++) database.run("INSERT INTO notes VALUES (zeroblob(?))", [PAGE_BYTES - 100]);
}

/** The missing pages of a copy with its log, as after kill -9, without the last `pages` pages. */
function missingWithout(pages: number): number {
  const path = join(dir, "copy.db");
  for (const suffix of ["", "-wal"]) copyFileSync(`${database.filename}${suffix}`, path + suffix);
  truncateSync(path, statSync(path).size - pages * PAGE_BYTES);
  const copy = new Database(path);
  try {
    return countMissingPages(copy);
  } finally {
    copy.close();
  }
}

test("pages that are only in the log are not missing", () => {
  addPages(5);
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  addPages(5);
  expect(missingWithout(0)).toBe(0);
});

test("pages that are in the log, too, are not missing", () => {
  addPages(5);
  database.run("PRAGMA wal_checkpoint(PASSIVE)");
  expect(missingWithout(3)).toBe(0);
});

test("pages of an earlier log are missing, those of this one are not", () => {
  addPages(10);
  database.run("PRAGMA wal_checkpoint(RESTART)");
  addPages(5);
  expect(missingWithout(3)).toBe(3);
});
