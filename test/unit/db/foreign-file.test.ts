// What is in place of the database: files of other programs are left as they are, and every message names the way out.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { rejectForeignFile } from "../../../src/db/foreign-file.ts";
import { openImmutable } from "../../../src/db/handles.ts";
import { databasePath } from "../../../src/db/open.ts";
import { damageTable } from "../../helpers/damage.ts";
import { makeTempDir } from "../../helpers/start.ts";

const PAGE_BYTES = 32 * 1024;
/** Places in the header of the file. */
const VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

let dir: string;
let path: string;
beforeEach(() => {
  dir = makeTempDir();
  path = databasePath(dir);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const FOREIGN: readonly [string, string[]][] = [
  ["any table", ["CREATE TABLE notes (text)"]],
  ["a table of the same name", ["CREATE TABLE users (id)"]],
  ["a version", ["CREATE TABLE notes (text)", "PRAGMA user_version = 3"]],
  ["an application id", ["PRAGMA application_id = 252006675"]],
];

test.each(FOREIGN)("a database of another program with %s is not changed", (_name, statements) => {
  const foreign = new Database(path);
  for (const statement of statements) foreign.run(statement);
  foreign.close();
  chmodSync(path, 0o644);
  chmodSync(dir, 0o755);
  const before = readFileSync(path);
  expect(() => openLocalStore(dir)).toThrow(
    "the database of another program, and was not changed: move it away",
  );
  expect(readFileSync(path).equals(before)).toBeTrue();
  expect([statSync(path).mode & 0o777, statSync(dir).mode & 0o777]).toEqual([0o644, 0o755]);
  expect(readdirSync(dir)).toEqual(["ctxrepo.db"]);
});

test("an empty file and a file of this program are opened", () => {
  writeFileSync(path, "");
  openLocalStore(dir).close();
  const store = openLocalStore(dir);
  expect(store.sql.query("PRAGMA application_id").get()).toEqual({ application_id: 0x63747872 });
  store.close();
});

test("a file whose first pages another process is writing is not rejected", () => {
  openLocalStore(dir).close();
  const file = readFileSync(path);
  file.fill(0, VERSION_AT, VERSION_AT + 4);
  file.fill(0, APPLICATION_ID_AT, APPLICATION_ID_AT + 4);
  writeFileSync(path, file.subarray(0, PAGE_BYTES));
  expect(() => openImmutable(path)).toThrow("malformed");
  rejectForeignFile(path);
});

test("a directory in place of the file, a file in place of the directory, and damage have a way out", () => {
  mkdirSync(path);
  expect(() => openLocalStore(dir)).toThrow("is a directory: move it away, or use another --data-dir");
  rmSync(path, { recursive: true });
  writeFileSync(`${dir}/file`, "");
  expect(() => openLocalStore(`${dir}/file`)).toThrow("move it away, or use another --data-dir");
  openLocalStore(dir).close();
  damageTable(path, "sqlite_schema");
  expect(() => openLocalStore(dir)).toThrow("(restore a backup, or move it away)");
});
