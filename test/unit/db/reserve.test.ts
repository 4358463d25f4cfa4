// A full disk: the last part of the log is only for deletions.

import { expect, test } from "bun:test";
import { rmSync, statSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { databasePath } from "../../../src/db/open.ts";
import { keepReserve } from "../../../src/db/reserve.ts";
import { makeTempDir } from "../../helpers/start.ts";

test("with a full disk, ordinary writes are rejected before the reserve is used", () => {
  const dir = makeTempDir();
  const store = openLocalStore(dir);
  let freeBytes = 1e12;
  const check = keepReserve(store.sql, () => freeBytes);
  expect(statSync(`${databasePath(dir)}-wal`).size).toBeGreaterThan(12e6);
  store.sql.run("CREATE TABLE big (data BLOB)");
  const write = () => store.sql.run("INSERT INTO big VALUES (randomblob(1000000))");
  freeBytes = 0;
  check();
  for (let i = 0; i < 9; i++) write();
  expect(check).toThrow("database or disk is full");
  expect(statSync(`${databasePath(dir)}-wal`).size).toBeLessThan(16e6);
  freeBytes = 1e12;
  check();
  store.close();
  rmSync(dir, { recursive: true });
});
