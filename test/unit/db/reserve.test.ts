// A full disk: the last part of the log is only for deletions.

import { expect, test } from "bun:test";
import { rmSync, statSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { copyLog, stateOfLog } from "../../../src/db/checkpoints.ts";
import { databasePath, openReader, waitBriefly } from "../../../src/db/open.ts";
import { keepReserve } from "../../../src/db/reserve.ts";
import { makeTempDir } from "../../helpers/start.ts";

test("with a full disk, ordinary writes are rejected before the reserve is used", () => {
  const dir = makeTempDir();
  const store = openLocalStore(dir);
  waitBriefly(store.sql);
  let freeBytes = 1e12;
  let isCopied = false;
  const check = keepReserve(
    store.sql,
    () => isCopied,
    () => freeBytes,
  );
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
  freeBytes = 0;
  expect(check).toThrow("database or disk is full");
  isCopied = true;
  expect(check).toThrow("the write-ahead log is in use");
  isCopied = false;
  // What is copied can be overwritten: the next write needs no space.
  const reader = openReader(databasePath(dir));
  reader.transaction(() => {
    reader.query("SELECT count(*) FROM big").get();
    copyLog(store.sql);
    expect(check).toThrow("the write-ahead log is in use");
  })();
  check();
  write();
  expect(stateOfLog(store.sql)!.log).toBeLessThan(50);
  reader.close();
  store.close();
  rmSync(dir, { recursive: true });
});

test("the log's file has the size of the reserve again when a longer log starts again", () => {
  const dir = makeTempDir();
  const store = openLocalStore(dir);
  const logBytes = () => statSync(`${databasePath(dir)}-wal`).size;
  keepReserve(store.sql, () => false);
  store.sql.run("CREATE TABLE big (data BLOB)");
  for (let i = 0; i < 25; i++) store.sql.run("INSERT INTO big VALUES (randomblob(1000000))");
  expect(logBytes()).toBeGreaterThan(20e6);
  copyLog(store.sql);
  store.sql.run("INSERT INTO big VALUES (randomblob(1000000))");
  expect(logBytes()).toBeGreaterThan(12e6);
  expect(logBytes()).toBeLessThan(13e6);
  store.close();
  rmSync(dir, { recursive: true });
});
