// The order in which waiting jobs are claimed when there are more than may run at the same time.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import type { Store } from "../../../src/db/store.ts";
import { claim } from "../../../src/jobs/claim.ts";
import { LANES } from "../../../src/jobs/kinds.ts";
import { enqueue, type Job } from "../../../src/jobs/queue.ts";
import { makeTempDir } from "../../helpers/start.ts";

const { concurrency } = LANES.find(({ kinds }) => kinds.includes("document.index"))!;
const FOR_OLDEST = (concurrency * 3) / 4;

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

const add = (subject: string) => store.write((write) => enqueue(write, "document.index", subject));
const claimBeside = (running: Job[]) => store.write((write) => claim(write, { now: write.now, running }));
const subjects = (jobs: Job[]) => jobs.map(({ subject }) => subject);

test("jobs that all may run are claimed in their order", () => {
  for (let i = 0; i < FOR_OLDEST; i++) add(`${i}`);
  expect(subjects(claimBeside([]))).toEqual(Array.from({ length: FOR_OLDEST }, (_, i) => `${i}`));
});

test("a new job does not wait for a long queue, and the queue moves on", () => {
  for (let i = 0; i < 100; i++) add(`${i}`);
  const running = claimBeside([]);
  const oldest = Array.from({ length: FOR_OLDEST }, (_, i) => `${i}`);
  expect(subjects(running)).toEqual([...oldest, "99", "98", "97"]);
  add("new");
  // In the place of an old job runs the next old one, in that of a new job the newest.
  expect(subjects(claimBeside(running.slice(1)))).toEqual([`${FOR_OLDEST}`]);
  expect(subjects(claimBeside(running.slice(0, -1)))).toEqual(["new"]);
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
