// Checkpoints in another thread: the log starts again while the writing handle never checkpoints itself.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync, statSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { checkpointAfterWrites, copyLog, stateOfLog } from "../../../src/db/checkpoints.ts";
import { databasePath, openCheckpointer, openReader } from "../../../src/db/open.ts";
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
  let calls = 0;
  checkpointAfterWrites(store, async () => {
    calls++;
    copyLog(other);
  });
  for (let i = 0; i < 60; i++) {
    writeMegabyte();
    await new Promise((resolve) => setImmediate(resolve));
  }
  other.close();
  expect(calls).toBeGreaterThan(4);
  expect(calls).toBeLessThan(12);
  expect(logBytes()).toBeLessThan(12 * MB);
});

test("the writing handle bounds the log if the other thread fails", async () => {
  checkpointAfterWrites(store, () => Promise.reject(new Error("the thread ended")));
  for (let i = 0; i < 100; i++) {
    writeMegabyte();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(logBytes()).toBeGreaterThan(30 * MB);
  expect(logBytes()).toBeLessThan(40 * MB);
});

test("a log that grew because it was read all the time starts again as soon as it is not", () => {
  const [reader, other] = [openReader(databasePath(dir)), openCheckpointer(databasePath(dir))];
  reader.transaction(() => {
    reader.query("SELECT count(*) FROM big").get();
    for (let i = 0; i < 30; i++) writeMegabyte();
    copyLog(other);
    expect(logBytes()).toBeGreaterThan(30 * MB);
    // Writes go on.
    writeMegabyte();
  })();
  copyLog(other);
  writeMegabyte();
  expect(stateOfLog(store.sql)!.log).toBeLessThan(50);
  reader.close();
  other.close();
});

test("a reader's snapshot is not disturbed by a checkpoint", () => {
  const [reader, other] = [openReader(databasePath(dir)), openCheckpointer(databasePath(dir))];
  writeMegabyte();
  const count = () => reader.query<{ n: number }, []>("SELECT count(*) AS n FROM big").get()!.n;
  reader.transaction(() => {
    expect(count()).toBe(1);
    writeMegabyte();
    copyLog(other);
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
