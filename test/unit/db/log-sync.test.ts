// Commits that are synced later: who waits for the disk, and what happens when it fails.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { restartLog, stateOfLog } from "../../../src/db/checkpoints.ts";
import { openCheckpointer } from "../../../src/db/handles.ts";
import { databasePath } from "../../../src/db/open.ts";
import { storageProblemOf } from "../../../src/db/storage-errors.ts";
import type { Store } from "../../../src/db/store.ts";
import { PATIENT } from "../../../src/db/waiting-writes.ts";
import { makeTempDir } from "../../helpers/start.ts";

let dir: string;
let store: Store;
/** The syncs that were started and have not ended. */
let open: { end(): void; fail(code: string): void }[];

beforeEach(() => {
  dir = makeTempDir();
  open = [];
  store = openLocalStore(dir);
  store.sql.run("CREATE TABLE lines (text TEXT)");
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

const syncFile = () =>
  new Promise<void>((resolve, reject) => {
    open.push({ end: resolve, fail: (code) => reject(Object.assign(new Error(code), { code })) });
  });
const insert = (text: string, options = {}) =>
  store.writeWhenFree((write) => void write.sql.run("INSERT INTO lines VALUES (?)", [text]), options);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
/** Whether a promise has settled, some turns of the event loop later. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  for (let turns = 0; turns < 5; turns++) await turn();
  return settled;
}
const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error) => storageProblemOf(error),
  );
const count = () => store.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM lines").get()!.n;

test("a write is visible at once, and is done when it is on the disk", async () => {
  store.syncLater({ syncFile });
  const written = insert("one");
  expect(await hasSettled(written)).toBe(false);
  expect(count()).toBe(1);
  open[0]!.end();
  await written;
});

test("SQLite itself does not sync each commit", async () => {
  store.syncLater({});
  await insert("one");
  const NORMAL = 1;
  expect(store.sql.query("PRAGMA synchronous").get()).toEqual({ synchronous: NORMAL });
});

test("background work waits for nothing, and the next sync covers it", async () => {
  store.syncLater({ syncFile });
  await insert("background", PATIENT);
  expect(open).toHaveLength(0);
  const synced = store.synced();
  expect(await hasSettled(synced)).toBe(false);
  open[0]!.end();
  await synced;
  await store.synced();
  expect(open).toHaveLength(1);
});

test("writes that come during a sync share the next one", async () => {
  store.syncLater({ syncFile });
  const first = insert("first");
  await turn();
  const others = Promise.all(["a", "b", "c"].map((text) => insert(text)));
  expect(await hasSettled(others)).toBe(false);
  expect(open).toHaveLength(1);
  open[0]!.end();
  await first;
  // The sync that has just ended began before their commits.
  expect(await hasSettled(others)).toBe(false);
  open[1]!.end();
  await others;
  expect(open).toHaveLength(2);
});

describe("when the disk fails", () => {
  test.each([
    ["EIO", "unreadable"],
    ["ENOSPC", "full"],
    ["EDQUOT", "full"],
  ])("%s is reported as %s", async (code, problem) => {
    const reported: unknown[] = [];
    store.onError((error) => reported.push(storageProblemOf(error)));
    store.syncLater({ syncFile });
    const written = problemOf(insert("one"));
    await turn();
    open[0]!.fail(code);
    expect(await written).toBe(problem as never);
    expect(reported).toEqual([problem]);
  });

  test("the log is copied before anything else counts as safe", async () => {
    const other = openCheckpointer(databasePath(dir));
    let isReadable = false;
    let copies = 0;
    const copyLog = async () => {
      copies++;
      return isReadable && restartLog(other);
    };
    store.syncLater({ syncFile, copyLog });
    const first = problemOf(insert("one"));
    await turn();
    const second = problemOf(insert("two"));
    await turn();
    open[0]!.fail("EIO");
    expect(await first).toBe("unreadable");
    // It could not be copied.
    expect(await second).toBe("unreadable");
    expect(copies).toBe(1);
    isReadable = true;
    await insert("three");
    expect(copies).toBe(2);
    const { log, checkpointed } = stateOfLog(store.sql)!;
    expect(log).toBe(checkpointed);
    // From now on a sync is enough.
    const last = insert("four");
    await turn();
    open[1]!.end();
    await last;
    expect(copies).toBe(2);
    expect(count()).toBe(4);
    other.close();
  });

  test("a log that is left to another program is synced again", async () => {
    store.syncLater({ syncFile });
    const first = problemOf(insert("one"));
    await turn();
    open[0]!.fail("EIO");
    expect(await first).toBe("unreadable");
    const second = insert("two");
    await turn();
    open[1]!.end();
    await second;
  });
});
