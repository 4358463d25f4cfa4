// The order in which waiting jobs are claimed when there are more than may run at the same time.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import type { Store } from "../../../src/db/store.ts";
import { claim } from "../../../src/jobs/claim.ts";
import { LANES, type Priority } from "../../../src/jobs/kinds.ts";
import type { Job } from "../../../src/jobs/kinds.ts";
import { enqueue } from "../../../src/jobs/queue.ts";
import { makeTempDir } from "../../helpers/start.ts";

const { concurrency, concurrencyOfPriority: PLACES } = LANES.find(({ kinds }) =>
  kinds.includes("document.index"),
)!;

let dir: string;
let store: Store;
beforeEach(() => {
  dir = makeTempDir();
  store = openLocalStore(dir);
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

interface Terms {
  userId?: string;
  priority?: Priority;
}
const add = (subject: string, terms: Terms = {}) =>
  store.write((write) => enqueue(write, "document.index", subject, { userId: "u", ...terms }));
const addMany = (count: number, prefix: string, terms?: Terms) => {
  for (let i = 0; i < count; i++) add(`${prefix}${i}`, terms);
};
const claimBeside = (running: Job[]) => store.write((write) => claim(write, { now: write.now, running }));
const subjects = (jobs: Job[]) => jobs.map(({ subject }) => subject);

test("jobs of one priority and user are claimed in their order, in the places of the priority", () => {
  addMany(PLACES + 5, "");
  expect(subjects(claimBeside([]))).toEqual(Array.from({ length: PLACES }, (_, i) => `${i}`));
});

test("what was written just now does not wait for an import, nor that for what is indexed again", () => {
  addMany(100, "again ", { priority: "reindex" });
  const again = claimBeside([]);
  addMany(100, "import ", { priority: "import" });
  expect(subjects(claimBeside(again))).toEqual(["import 0", "import 1", "import 2"]);
  add("new");
  expect(subjects(claimBeside(again.slice(1)))[0]).toBe("new");
});

test("an import makes progress beside somebody who writes all the time", () => {
  addMany(100, "note ");
  addMany(100, "import ", { priority: "import" });
  const claimed = subjects(claimBeside([]));
  expect(claimed.filter((one) => one.startsWith("note"))).toHaveLength(PLACES);
  expect(claimed.filter((one) => one.startsWith("import"))).toHaveLength(concurrency - PLACES);
});

test("users take turns within a priority", () => {
  addMany(20, "a", { userId: "a", priority: "import" });
  addMany(20, "b", { userId: "b", priority: "import" });
  add("c0", { userId: "c", priority: "import" });
  expect(subjects(claimBeside([])).slice(0, 6)).toEqual(["a0", "b0", "c0", "a1", "b1", "a2"]);
});

test("a job that is enqueued again keeps the higher priority", () => {
  addMany(20, "import ", { priority: "import" });
  add("edited", { priority: "import" });
  add("edited");
  add("edited", { priority: "reindex" });
  expect(subjects(claimBeside([]))[0]).toBe("edited");
});

test("while the disk is full, only jobs run that free space, one at a time", () => {
  add("one");
  store.write((write) => {
    enqueue(write, "index.sweep", "first");
    enqueue(write, "index.sweep", "second");
  });
  const claimFull = (running: Job[]) =>
    store.write((write) => claim(write, { now: write.now, running, isFull: true }));
  const claimed = claimFull([]);
  expect(subjects(claimed)).toEqual(["first"]);
  expect(claimFull(claimed)).toEqual([]);
  expect(subjects(claimBeside(claimed))).toContain("one");
});
