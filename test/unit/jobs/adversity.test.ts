// The job loop while the database cannot be written, and while the clock is set.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { databasePath, waitBriefly } from "../../../src/db/open.ts";
import { BACKOFF_MS, MAX_ATTEMPTS, POSTPONED_MS } from "../../../src/jobs/kinds.ts";
import { countJobs, endLongWaits } from "../../../src/jobs/queue.ts";
import { nextTurn, useJobs } from "../../helpers/job-runner.ts";

const jobs = useJobs();

/** Opens the database as another process does, and takes the lock for writes. Returns a function that releases it. */
function lockElsewhere(): () => void {
  const other = new Database(databasePath(jobs.dir));
  other.run("BEGIN IMMEDIATE");
  return () => {
    other.run("COMMIT");
    other.close();
  };
}

test("jobs that end while another process writes are settled afterwards, without a restart", async () => {
  waitBriefly(jobs.store.sql);
  const started: string[] = [];
  const open = Promise.withResolvers<void>();
  const running = Promise.withResolvers<void>();
  for (const subject of ["a", "b", "c"]) jobs.add(subject);
  jobs.start(async (subject) => {
    started.push(subject);
    if (started.length === 3) running.resolve();
    await open.promise;
    if (subject === "b") throw new Error("no");
  });
  await running.promise;
  const unlock = lockElsewhere();
  open.resolve();
  while (jobs.log.filter((line) => line.includes("outcome=")).length < 3) await nextTurn();
  expect(countJobs(jobs.store)).toEqual({ queued: 0, running: 3, failed: 0 });
  unlock();
  await jobs.runner.idle();
  expect(countJobs(jobs.store)).toEqual({ queued: 1, running: 0, failed: 0 });
});

test("jobs whose end cannot be stored are settled when that is possible again", async () => {
  const block =
    "CREATE TEMP TRIGGER block BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'the disk is full'); END";
  jobs.add("a");
  jobs.start(async () => {
    jobs.store.sql.run(block);
    throw new Error("no");
  });
  while (!jobs.log.some((line) => line.includes("the disk is full"))) await nextTurn();
  expect(jobs.runner.blockedBy()).toBe("the disk is full");
  expect(countJobs(jobs.store)).toEqual({ queued: 0, running: 1, failed: 0 });
  jobs.store.sql.run("DROP TRIGGER temp.block");
  await jobs.runner.idle();
  expect(jobs.runner.blockedBy()).toBeUndefined();
  expect(countJobs(jobs.store)).toEqual({ queued: 1, running: 0, failed: 0 });
});

test("a full disk does not use up the attempts of a job", async () => {
  let isFull = true;
  let calls = 0;
  jobs.add("a");
  jobs.start(async () => {
    calls++;
    if (isFull) throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  });
  for (let attempt = 0; attempt < 2 * MAX_ATTEMPTS; attempt++) {
    await jobs.runner.idle();
    expect(countJobs(jobs.store)).toEqual({ queued: 1, running: 0, failed: 0 });
    jobs.clock.advance(POSTPONED_MS);
  }
  isFull = false;
  await jobs.runner.idle();
  expect(calls).toBe(2 * MAX_ATTEMPTS + 1);
  expect(countJobs(jobs.store)).toEqual({ queued: 0, running: 0, failed: 0 });
});

test("jobs that wait for space are logged and reported, and run when there is space", async () => {
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  let isFull = true;
  jobs.store.fullError = () => (isFull ? full : undefined);
  jobs.add("a");
  let runs = 0;
  jobs.start(async () => void runs++);
  await jobs.runner.idle();
  await jobs.runner.idle();
  expect([runs, jobs.errors]).toEqual([0, expect.arrayContaining([full])]);
  expect(jobs.runner.blockedBy()).toStartWith("the disk of the database is full");
  expect(jobs.log.filter((line) => line.includes("jobs wait because the disk is full"))).toHaveLength(1);
  isFull = false;
  await jobs.runner.idle();
  expect([runs, jobs.runner.blockedBy()]).toEqual([1, undefined]);
  expect(jobs.log.filter((line) => line.includes("the disk has space for jobs again"))).toHaveLength(1);
});

test("a job that runs for long and a lock that is held for long are logged once", async () => {
  waitBriefly(jobs.store.sql);
  const open = Promise.withResolvers<void>();
  const running = Promise.withResolvers<void>();
  jobs.add("slow");
  jobs.start(async (subject) => {
    if (subject !== "slow") return;
    running.resolve();
    await open.promise;
  });
  await running.promise;
  jobs.add("next");
  const unlock = lockElsewhere();
  jobs.runner.wake();
  await nextTurn();
  await nextTurn();
  jobs.clock.advance(HOUR_MS);
  const lines = (text: string) => jobs.log.filter((line) => line.includes(text)).length;
  const messages = ["a job has been running for long", "jobs wait because another process is writing"];
  while (messages.some((message) => lines(message) === 0)) await Bun.sleep(50);
  unlock();
  open.resolve();
  await jobs.runner.idle();
  expect(messages.map(lines)).toEqual([1, 1]);
});

const HOUR_MS = 3_600_000;
const failingOnce = () => {
  let calls = 0;
  jobs.start(async () => {
    calls++;
    if (calls === 1) throw new Error("no");
  });
};

test.each([-HOUR_MS, -60 * 24 * HOUR_MS, HOUR_MS, 60 * 24 * HOUR_MS])(
  "a clock that is set by %d ms during a pause delays neither that job nor new ones",
  async (change) => {
    jobs.add("a");
    failingOnce();
    await jobs.runner.idle();
    jobs.clock.step(change);
    jobs.add("b");
    await jobs.runner.idle();
    const isForward = change > 0;
    expect(countJobs(jobs.store).queued).toBe(isForward ? 0 : 1);
    jobs.clock.advance(BACKOFF_MS[0]);
    await jobs.runner.idle();
    expect(countJobs(jobs.store)).toEqual({ queued: 0, running: 0, failed: 0 });
  },
);

test("a clock that is set back across a restart delays no job", async () => {
  jobs.add("a");
  jobs.clock.step(-HOUR_MS);
  jobs.store.write(endLongWaits);
  const done: string[] = [];
  jobs.start(async (subject) => void done.push(subject));
  await jobs.runner.idle();
  expect(done).toEqual(["a"]);
});

test.each([1, 2, 3, 4])(
  "a job that becomes due during a look at the queue, after %d readings of the clock, is not forgotten",
  async (readings) => {
    let runs = 0;
    jobs.add("a");
    jobs.start(async () => {
      if (++runs === 1) throw new Error("no");
    });
    await jobs.runner.idle();
    // The first look for writes of other processes finds a change.
    await Bun.sleep(600);
    jobs.clock.advance(BACKOFF_MS[0] - readings);
    const now = jobs.clock.now.bind(jobs.clock);
    jobs.clock.now = () => {
      jobs.clock.advance(1);
      return now();
    };
    jobs.runner.wake();
    while (runs === 1) await nextTurn();
    expect(runs).toBe(2);
  },
);

test("a job that is due in months does not keep the processor busy", async () => {
  jobs.add("a");
  jobs.clock.step(-60 * 24 * HOUR_MS);
  const reads: number[] = [];
  const now = jobs.clock.now.bind(jobs.clock);
  jobs.clock.now = () => {
    reads.push(1);
    return now();
  };
  jobs.start(async () => {});
  await jobs.runner.idle();
  const before = reads.length;
  for (let turn = 0; turn < 3_000; turn++) await nextTurn();
  expect(reads.length).toBe(before);
});
