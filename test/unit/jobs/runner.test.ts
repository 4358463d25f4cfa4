// The job loop on a real database file, with a manual clock.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { databasePath, waitBriefly } from "../../../src/db/open.ts";
import type { Store } from "../../../src/db/store.ts";
import {
  BACKOFF_MS,
  type JobKind,
  LANES,
  MAX_ATTEMPTS,
  MAX_CRASHES,
  POSTPONED_MS,
} from "../../../src/jobs/kinds.ts";
import { claim as claimJobs } from "../../../src/jobs/claim.ts";
import {
  countJobs,
  enqueue,
  type Job,
  type Outcome,
  requeueRunning,
  endLongWaits,
  retryFailedJobs,
  settle as settleJob,
} from "../../../src/jobs/queue.ts";
import { createRunner, type JobHandler, type JobRunner } from "../../../src/jobs/runner.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { createLog } from "../../../src/kernel/log.ts";
import { makeTempDir } from "../../helpers/start.ts";

let dir: string;
let clock: ManualClock;
let store: Store;
let runner: JobRunner;
const log: string[] = [];

beforeEach(() => {
  dir = makeTempDir();
  clock = new ManualClock();
  store = openLocalStore(dir, clock);
  log.length = 0;
  runner = createRunner({
    store,
    clock,
    log: createLog({ level: "debug", format: "text", clock, write: (line) => log.push(line) }),
  });
});
afterEach(async () => {
  await runner.stop();
  store.close();
  rmSync(dir, { recursive: true });
});

const claim = (from: Store): Job | null =>
  from.write((write) => claimJobs(write, { now: clock.now(), running: [] }))[0] ?? null;
const restart = () => store.write(requeueRunning).map(({ subject }) => subject);
const settle = (job: Job, outcome: Outcome) =>
  store.write((write) => settleJob(write, { job, outcome, reason: "no" }, clock.now()));
const add = (subject: string) => store.write((write) => enqueue(write, "document.index", subject));
const handlersOf = (index: JobHandler, scrape = index): Record<JobKind, JobHandler> => ({
  "document.index": index,
  "document.scrape": scrape,
  "prompt.index": index,
  "index.sweep": index,
});
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const start = (index: JobHandler) => runner.start(handlersOf(index));

test("a job runs after the write that enqueued it, and its row is deleted", async () => {
  const done: string[] = [];
  add("a");
  add("b");
  start(async (subject) => void done.push(subject));
  await runner.idle();
  expect(done.sort()).toEqual(["a", "b"]);
  expect(countJobs(store)).toEqual({ queued: 0, running: 0, failed: 0 });
});

test("a write that is rolled back enqueues no job", async () => {
  expect(() =>
    store.write((write) => {
      enqueue(write, "document.index", "a");
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(countJobs(store).queued).toBe(0);
});

test("a queued job is not enqueued a second time for the same subject", () => {
  add("a");
  add("a");
  expect(countJobs(store).queued).toBe(1);
});

test("two jobs of the same subject never run at the same time", () => {
  add("a");
  const first = claim(store)!;
  add("a");
  expect(claim(store)).toBeNull();
  settle(first, "done");
  expect(claim(store)?.subject).toBe("a");
});

test("a failing job is tried five times with growing pauses, then counted as failed", async () => {
  let calls = 0;
  add("a");
  start(async () => {
    calls++;
    throw new Error("embedder is down");
  });
  for (const pause of BACKOFF_MS) {
    await runner.idle();
    const before = calls;
    clock.advance(pause - 1);
    await runner.idle();
    expect(calls).toBe(before);
    expect(countJobs(store).queued).toBe(1);
    clock.advance(1);
    await runner.idle();
    expect(calls).toBe(before + 1);
  }
  expect(calls).toBe(MAX_ATTEMPTS);
  expect(countJobs(store)).toEqual({ queued: 0, running: 0, failed: 1 });
  expect(log.join("")).toContain("embedder is down");
});

test("a new job of the same subject deletes the failed one", async () => {
  add("a");
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    settle(claim(store)!, attempt === MAX_ATTEMPTS - 1 ? "failed" : "retried");
    clock.advance(BACKOFF_MS.at(-1)!);
  }
  expect(countJobs(store).failed).toBe(1);
  add("a");
  expect(countJobs(store)).toEqual({ queued: 1, running: 0, failed: 0 });
});

test("a job that fails while a newer one is queued is deleted", () => {
  add("a");
  const old = claim(store)!;
  add("a");
  settle(old, "retried");
  expect(countJobs(store)).toEqual({ queued: 1, running: 0, failed: 0 });
  expect(claim(store)?.attempts).toBe(1);
});

test("at start running jobs are queued again; one that crashed the process five times is given up", () => {
  add("a");
  for (let crash = 0; crash < MAX_CRASHES - 1; crash++) {
    expect(claim(store)).toMatchObject({ attempts: 1, crashes: crash });
    expect(restart()).toEqual([]);
    expect(countJobs(store)).toEqual({ queued: 1, running: 0, failed: 0 });
  }
  claim(store);
  expect(restart()).toEqual(["a"]);
  expect(countJobs(store)).toEqual({ queued: 0, running: 0, failed: 1 });
});

test("a job that crashes the process is given up alone, and the crashes do not count as attempts of the others", () => {
  const innocent = ["a", "b", "c", "d", "e"];
  for (const subject of ["a", "b", "poison", "c", "d", "e"]) add(subject);
  const done: string[] = [];
  const givenUp: string[] = [];
  let crashes = 0;
  while (givenUp.length === 0) {
    const running = store.write((write) => claimJobs(write, { now: clock.now(), running: [] }));
    if (running.some(({ subject }) => subject === "poison")) {
      // The process ends while these jobs run.
      crashes++;
      givenUp.push(...restart());
      continue;
    }
    for (const job of running) {
      expect(job.attempts).toBe(1);
      settle(job, "done");
      done.push(job.subject);
    }
  }
  expect(givenUp).toEqual(["poison"]);
  expect(crashes).toBe(MAX_CRASHES);
  while (done.length < innocent.length) {
    const job = claim(store)!;
    expect(job.attempts).toBe(1);
    settle(job, "done");
    done.push(job.subject);
  }
  expect(done.sort()).toEqual(innocent);
  expect(countJobs(store)).toEqual({ queued: 0, running: 0, failed: 1 });
});

test("after a crash, suspects run one at a time beside other jobs; after a second one, alone", () => {
  const running: Job[] = [];
  const claimMore = () => {
    const claimed = store.write((write) => claimJobs(write, { now: clock.now(), running }));
    running.push(...claimed);
    return claimed.map(({ subject }) => subject);
  };
  const end = () => running.splice(0).map((job) => settle(job, "done"));
  add("a");
  add("b");
  expect(claimMore()).toEqual(["a", "b"]);
  running.length = 0;
  restart();
  add("c");
  expect(claimMore()).toEqual(["a", "c"]);
  expect(claimMore()).toEqual([]);
  end();
  expect(claimMore()).toEqual(["b"]);
  running.length = 0;
  restart();
  add("d");
  expect(claimMore()).toEqual(["b"]);
  end();
  expect(claimMore()).toEqual(["d"]);
});

test("jobs that were given up are queued again on request, and run alone if they crashed the process", () => {
  add("a");
  for (let crash = 0; crash < MAX_CRASHES; crash++) {
    claim(store);
    restart();
  }
  expect(store.write(retryFailedJobs)).toBe(1);
  expect(claim(store)).toMatchObject({ subject: "a", attempts: 1, crashes: 2 });
});

test("stopping queues running jobs again without counting the attempt", async () => {
  const running = Promise.withResolvers<void>();
  add("a");
  start((_subject, signal) => {
    running.resolve();
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  await running.promise;
  await runner.stop();
  expect(countJobs(store)).toEqual({ queued: 1, running: 0, failed: 0 });
  expect(claim(store)?.attempts).toBe(1);
});

test("an interrupted attempt is not counted", () => {
  add("a");
  settle(claim(store)!, "interrupted");
  settle(claim(store)!, "interrupted");
  expect(claim(store)?.attempts).toBe(1);
});

test("a job that another process enqueued is noticed", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  start(async (subject) => resolve(subject));
  await runner.idle();
  const other = openLocalStore(dir, clock);
  other.write((write) => enqueue(write, "document.index", "from elsewhere"));
  other.close();
  expect(await promise).toBe("from elsewhere");
});

test("slow pages do not delay indexing, and many index jobs do not delay pages", async () => {
  const started: string[] = [];
  const open = Promise.withResolvers<void>();
  const indexed = Promise.withResolvers<void>();
  const { concurrency } = LANES.find(({ kinds }) => kinds.includes("document.scrape"))!;
  for (let i = 0; i < concurrency + 5; i++)
    store.write((write) => enqueue(write, "document.scrape", `page ${i}`));
  add("a");
  const scrape: JobHandler = (subject) => {
    started.push(subject);
    return open.promise;
  };
  runner.start(handlersOf(async () => indexed.resolve(), scrape));
  await indexed.promise;
  expect(started).toHaveLength(concurrency);
  open.resolve();
  await runner.idle();
  expect(started).toHaveLength(concurrency + 5);
});

test("the failure handler is called for a failed job, and after a restart for earlier ones", async () => {
  const indexed: string[] = [];
  add("a");
  for (let crash = 0; crash < MAX_CRASHES; crash++) {
    claim(store);
    restart();
  }
  const failing: JobHandler = async () => {
    throw new Error("no");
  };
  runner.start(handlersOf(failing), { "document.index": (_write, subject) => void indexed.push(subject) });
  await runner.idle();
  expect(indexed).toEqual(["a"]);
  add("b");
  for (const pause of [0, ...BACKOFF_MS]) {
    clock.advance(pause);
    await runner.idle();
  }
  expect(indexed).toEqual(["a", "b"]);
});

/** Opens the database as another process does, and takes the lock for writes. Returns a function that releases it. */
function lockElsewhere(): () => void {
  const other = new Database(databasePath(dir));
  other.run("BEGIN IMMEDIATE");
  return () => {
    other.run("COMMIT");
    other.close();
  };
}

test("jobs that end while another process writes are settled afterwards, without a restart", async () => {
  waitBriefly(store.sql);
  const started: string[] = [];
  const open = Promise.withResolvers<void>();
  const running = Promise.withResolvers<void>();
  for (const subject of ["a", "b", "c"]) add(subject);
  start(async (subject) => {
    started.push(subject);
    if (started.length === 3) running.resolve();
    await open.promise;
    if (subject === "b") throw new Error("no");
  });
  await running.promise;
  const unlock = lockElsewhere();
  open.resolve();
  while (log.filter((line) => line.includes("outcome=")).length < 3) await nextTurn();
  expect(countJobs(store)).toEqual({ queued: 0, running: 3, failed: 0 });
  unlock();
  await runner.idle();
  expect(countJobs(store)).toEqual({ queued: 1, running: 0, failed: 0 });
});

test("jobs whose end cannot be stored are settled when that is possible again", async () => {
  const block =
    "CREATE TEMP TRIGGER block BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'the disk is full'); END";
  add("a");
  start(async () => {
    store.sql.run(block);
    throw new Error("no");
  });
  while (!log.some((line) => line.includes("the disk is full"))) await nextTurn();
  expect(countJobs(store)).toEqual({ queued: 0, running: 1, failed: 0 });
  store.sql.run("DROP TRIGGER temp.block");
  await runner.idle();
  expect(countJobs(store)).toEqual({ queued: 1, running: 0, failed: 0 });
});

test("a full disk does not use up the attempts of a job", async () => {
  let isFull = true;
  let calls = 0;
  add("a");
  start(async () => {
    calls++;
    if (isFull) throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  });
  for (let attempt = 0; attempt < 2 * MAX_ATTEMPTS; attempt++) {
    await runner.idle();
    expect(countJobs(store)).toEqual({ queued: 1, running: 0, failed: 0 });
    clock.advance(POSTPONED_MS);
  }
  isFull = false;
  await runner.idle();
  expect(calls).toBe(2 * MAX_ATTEMPTS + 1);
  expect(countJobs(store)).toEqual({ queued: 0, running: 0, failed: 0 });
});

const HOUR_MS = 3_600_000;
const failingOnce = () => {
  let calls = 0;
  start(async () => {
    calls++;
    if (calls === 1) throw new Error("no");
  });
};

test.each([-HOUR_MS, -60 * 24 * HOUR_MS, HOUR_MS, 60 * 24 * HOUR_MS])(
  "a clock that is set by %d ms during a pause delays neither that job nor new ones",
  async (change) => {
    add("a");
    failingOnce();
    await runner.idle();
    clock.step(change);
    add("b");
    await runner.idle();
    const isForward = change > 0;
    expect(countJobs(store).queued).toBe(isForward ? 0 : 1);
    clock.advance(BACKOFF_MS[0]);
    await runner.idle();
    expect(countJobs(store)).toEqual({ queued: 0, running: 0, failed: 0 });
  },
);

test("a clock that is set back across a restart delays no job", async () => {
  add("a");
  clock.step(-HOUR_MS);
  store.write(endLongWaits);
  const done: string[] = [];
  start(async (subject) => void done.push(subject));
  await runner.idle();
  expect(done).toEqual(["a"]);
});

test("a job that is due in months does not keep the processor busy", async () => {
  add("a");
  clock.step(-60 * 24 * HOUR_MS);
  const reads: number[] = [];
  const now = clock.now.bind(clock);
  clock.now = () => {
    reads.push(1);
    return now();
  };
  start(async () => {});
  await runner.idle();
  const before = reads.length;
  for (let turn = 0; turn < 3_000; turn++) await nextTurn();
  expect(reads.length).toBe(before);
});
