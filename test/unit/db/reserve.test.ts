// A full disk: the last part of the log is only for deletions.

import { expect, spyOn, test } from "bun:test";
import { rmSync, statSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { createLogCopy, stateOfLog } from "../../../src/db/checkpoints.ts";
import { openReader } from "../../../src/db/handles.ts";
import { databasePath, waitBriefly } from "../../../src/db/open.ts";
import { keepReserve } from "../../../src/db/reserve.ts";
import { makeTempDir } from "../../helpers/start.ts";

test("with a full disk, ordinary writes are rejected before the reserve is used", () => {
  const dir = makeTempDir();
  const store = openLocalStore(dir);
  waitBriefly(store.sql);
  let freeBytes = 1e12;
  const check = keepReserve(store.sql, { monotonicMs: () => 0, freeBytes: () => freeBytes });
  const logBytes = () => statSync(`${databasePath(dir)}-wal`).size;
  check();
  const reserved = logBytes();
  expect(reserved).toBeGreaterThan(14e6);
  store.sql.run("CREATE TABLE big (data BLOB)");
  const write = () => store.sql.run("INSERT INTO big VALUES (randomblob(1000000))");
  const logPages = () => stateOfLog(store.sql)!.log;
  const reader = openReader(databasePath(dir));
  reader.transaction(() => {
    reader.query("SELECT count(*) FROM big").get();
    while (logPages() < 256) write();
    check();
    freeBytes = 0;
    // The reader keeps the log from starting again: a few writes more.
    check();
    while (logPages() < 320) write();
    expect(check).toThrow("database or disk is full");
    expect(logBytes()).toBe(reserved);
    freeBytes = 1e12;
    check();
    freeBytes = 0;
  })();
  // What is copied can be overwritten: the next write needs no space.
  check();
  write();
  expect(logPages()).toBeLessThan(50);
  reader.close();
  store.close();
  rmSync(dir, { recursive: true });
});

test("a log that cannot be copied is tried again after a second", () => {
  const dir = makeTempDir();
  const store = openLocalStore(dir);
  let now = 0;
  const check = keepReserve(store.sql, { monotonicMs: () => now, freeBytes: () => 0 });
  store.sql.run("CREATE TABLE big (data BLOB)");
  while (stateOfLog(store.sql)!.log < 256) store.sql.run("INSERT INTO big VALUES (randomblob(1000000))");
  const query = store.sql.query.bind(store.sql);
  const failing = spyOn(store.sql, "query").mockImplementation((sql: string) => {
    if (sql.includes("RESTART")) throw Object.assign(new Error("no space"), { code: "SQLITE_FULL" });
    return query(sql);
  });
  expect(check).toThrow("no space");
  failing.mockRestore();
  now = 999;
  expect(check).toThrow("database or disk is full");
  now = 1_000;
  check();
  expect(stateOfLog(store.sql)).toMatchObject({ checkpointed: stateOfLog(store.sql)!.log });
  store.close();
  rmSync(dir, { recursive: true });
});

test("the log's file has the size of the reserve again when a longer log starts again", () => {
  const dir = makeTempDir();
  const store = openLocalStore(dir);
  const logBytes = () => statSync(`${databasePath(dir)}-wal`).size;
  keepReserve(store.sql, { monotonicMs: () => 0 });
  store.sql.run("CREATE TABLE big (data BLOB)");
  for (let i = 0; i < 25; i++) store.sql.run("INSERT INTO big VALUES (randomblob(1000000))");
  expect(logBytes()).toBeGreaterThan(20e6);
  createLogCopy(store.sql)();
  store.sql.run("INSERT INTO big VALUES (randomblob(1000000))");
  expect(logBytes()).toBeGreaterThan(14e6);
  expect(logBytes()).toBeLessThan(15e6);
  store.close();
  rmSync(dir, { recursive: true });
});

test("a command that opens and closes the file beside a server leaves the reserve as it is", () => {
  const dir = makeTempDir();
  const store = openLocalStore(dir);
  keepReserve(store.sql, { monotonicMs: () => 0 })();
  const logBytes = () => statSync(`${databasePath(dir)}-wal`).size;
  const reserved = logBytes();
  const other = openLocalStore(dir);
  other.write((write) => void write.sql.run("CREATE TABLE other (data BLOB)"));
  other.close();
  expect(logBytes()).toBe(reserved);
  store.close();
  rmSync(dir, { recursive: true });
});
