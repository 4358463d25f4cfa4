// Checkpoints in another thread: the log starts again while the writing handle never checkpoints itself.

import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { rmSync, statSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { checkpointAfterWrites, createLogCopy, stateOfLog } from "../../../src/db/checkpoints.ts";
import { messageOf } from "../../../src/kernel/errors.ts";
import { openCheckpointer, openReader } from "../../../src/db/handles.ts";
import { databasePath } from "../../../src/db/open.ts";
import type { Store } from "../../../src/db/store.ts";
import { makeTempDir } from "../../helpers/start.ts";

const MB = 1e6;
let dir: string;
let store: Store;

beforeEach(() => {
  dir = makeTempDir();
  store = openLocalStore(dir);
  store.sql.run("CREATE TABLE big (data BLOB)");
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

const logBytes = () => statSync(`${databasePath(dir)}-wal`).size;
const writeMegabyte = () =>
  store.write((write) => void write.sql.run("INSERT INTO big VALUES (randomblob(1000000))"));

test("the log stays short when checkpoints run beside the writes", async () => {
  const other = openCheckpointer(databasePath(dir));
  const copyLog = createLogCopy(other);
  let calls = 0;
  const checkpoint = async () => {
    calls++;
    copyLog();
  };
  checkpointAfterWrites(store, checkpoint, () => {});
  for (let i = 0; i < 60; i++) {
    writeMegabyte();
    await new Promise((resolve) => setImmediate(resolve));
  }
  other.close();
  expect(calls).toBeGreaterThan(4);
  expect(calls).toBeLessThan(12);
  expect(logBytes()).toBeLessThan(12 * MB);
});

test("a write that is committed succeeds even if the state of the log cannot be read", async () => {
  const errors: string[] = [];
  checkpointAfterWrites(
    store,
    async () => {},
    (error) => errors.push(messageOf(error)),
  );
  const rows = store.sql.query("SELECT name FROM sqlite_schema").iterate();
  rows.next();
  await store.writeWhenFree((write) => void write.sql.run("INSERT INTO big VALUES ('once')"));
  rows.return?.();
  await Promise.resolve();
  expect(errors).toEqual(["database table is locked"]);
  expect(store.sql.query("SELECT count(*) AS n FROM big").get()).toEqual({ n: 1 });
});

test("the writing handle bounds the log if the other thread fails", async () => {
  const errors: string[] = [];
  const checkpoint = () => Promise.reject(new Error("the thread ended"));
  checkpointAfterWrites(store, checkpoint, (error) => errors.push(messageOf(error)));
  for (let i = 0; i < 100; i++) {
    writeMegabyte();
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Each failure is reported, and there is no new attempt at each write.
  expect(errors[0]).toBe("the thread ended");
  expect(errors.length).toBeLessThan(16);
  expect(logBytes()).toBeGreaterThan(30 * MB);
  expect(logBytes()).toBeLessThan(40 * MB);
});

test("a log that grew because it was read all the time starts again as soon as it is not", () => {
  const [reader, other] = [openReader(databasePath(dir)), openCheckpointer(databasePath(dir))];
  const copyLog = createLogCopy(other);
  reader.transaction(() => {
    reader.query("SELECT count(*) FROM big").get();
    for (let i = 0; i < 30; i++) writeMegabyte();
    copyLog();
    expect(logBytes()).toBeGreaterThan(30 * MB);
    // Writes go on.
    writeMegabyte();
  })();
  copyLog();
  writeMegabyte();
  expect(stateOfLog(store.sql)!.log).toBeLessThan(50);
  reader.close();
  other.close();
});

test("writes wait for a long reader once for each 8 MB of the log", () => {
  const [reader, other] = [openReader(databasePath(dir)), openCheckpointer(databasePath(dir))];
  const copyLog = createLogCopy(other);
  const query = spyOn(other, "query");
  const restarts = () => query.mock.calls.filter(([sql]) => sql.includes("RESTART")).length;
  reader.transaction(() => {
    reader.query("SELECT count(*) FROM big").get();
    for (let i = 0; i < 26; i++) writeMegabyte();
    copyLog();
    expect(restarts()).toBe(1);
    writeMegabyte();
    copyLog();
    expect(restarts()).toBe(1);
    for (let i = 0; i < 9; i++) writeMegabyte();
    copyLog();
    expect(restarts()).toBe(2);
  })();
  reader.close();
  other.close();
});

test("a reader's snapshot is not disturbed by a checkpoint", () => {
  const [reader, other] = [openReader(databasePath(dir)), openCheckpointer(databasePath(dir))];
  const copyLog = createLogCopy(other);
  writeMegabyte();
  const count = () => reader.query<{ n: number }, []>("SELECT count(*) AS n FROM big").get()!.n;
  reader.transaction(() => {
    expect(count()).toBe(1);
    writeMegabyte();
    copyLog();
    expect(count()).toBe(1);
  })();
  expect(count()).toBe(2);
  reader.close();
  other.close();
});

test("a log that is left to another program is neither copied nor emptied", () => {
  const other = openReader(databasePath(dir));
  store.leaveLog();
  for (let i = 0; i < 60; i++) writeMegabyte();
  expect(logBytes()).toBeGreaterThan(60 * MB);
  store.close();
  expect(logBytes()).toBeGreaterThan(60 * MB);
  other.close();
  store = openLocalStore(dir);
});
