// The job loop on a real database file, with a manual clock: order, attempts, lanes, failures.

import { expect, test } from "bun:test";
import { openLocalStore } from "../../../src/app.ts";
import { BACKOFF_MS, LANES, MAX_ATTEMPTS, MAX_CRASHES } from "../../../src/jobs/kinds.ts";
import { countJobs, enqueue } from "../../../src/jobs/queue.ts";
import type { JobHandler } from "../../../src/jobs/runner.ts";
import { handlersOf, useJobs } from "../../helpers/job-runner.ts";

const jobs = useJobs();

test("a job runs after the write that enqueued it, and its row is deleted", async () => {
  const done: string[] = [];
  jobs.add("a");
  jobs.add("b");
  jobs.start(async (subject) => void done.push(subject));
  await jobs.runner.idle();
  expect(done.sort()).toEqual(["a", "b"]);
  expect(countJobs(jobs.store)).toEqual({ queued: 0, running: 0, failed: 0 });
});

test("a write that is rolled back enqueues no job", async () => {
  expect(() =>
    jobs.store.write((write) => {
      enqueue(write, "document.index", "a");
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(countJobs(jobs.store).queued).toBe(0);
});

test("a queued job is not enqueued a second time for the same subject", () => {
  jobs.add("a");
  jobs.add("a");
  expect(countJobs(jobs.store).queued).toBe(1);
});

test("two jobs of the same subject never run at the same time", () => {
  jobs.add("a");
  const first = jobs.claim()!;
  jobs.add("a");
  expect(jobs.claim()).toBeNull();
  jobs.settle(first, "done");
  expect(jobs.claim()?.subject).toBe("a");
});

test("a failing job is tried five times with growing pauses, then counted as failed", async () => {
  let calls = 0;
  jobs.add("a");
  jobs.start(async () => {
    calls++;
    throw new Error("embedder is down");
  });
  for (const pause of BACKOFF_MS) {
    await jobs.runner.idle();
    const before = calls;
    jobs.clock.advance(pause - 1);
    await jobs.runner.idle();
    expect(calls).toBe(before);
    expect(countJobs(jobs.store).queued).toBe(1);
    jobs.clock.advance(1);
    await jobs.runner.idle();
    expect(calls).toBe(before + 1);
  }
  expect(calls).toBe(MAX_ATTEMPTS);
  expect(countJobs(jobs.store)).toEqual({ queued: 0, running: 0, failed: 1 });
  expect(jobs.log.join("")).toContain("embedder is down");
});

test("a new job of the same subject deletes the failed one", async () => {
  jobs.add("a");
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    jobs.settle(jobs.claim()!, attempt === MAX_ATTEMPTS - 1 ? "failed" : "retried");
    jobs.clock.advance(BACKOFF_MS.at(-1)!);
  }
  expect(countJobs(jobs.store).failed).toBe(1);
  jobs.add("a");
  expect(countJobs(jobs.store)).toEqual({ queued: 1, running: 0, failed: 0 });
});

test("a job that fails while a newer one is queued is deleted", () => {
  jobs.add("a");
  const old = jobs.claim()!;
  jobs.add("a");
  jobs.settle(old, "retried");
  expect(countJobs(jobs.store)).toEqual({ queued: 1, running: 0, failed: 0 });
  expect(jobs.claim()?.attempts).toBe(1);
});

test("a job that another process enqueued is noticed", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  jobs.start(async (subject) => resolve(subject));
  await jobs.runner.idle();
  const other = openLocalStore(jobs.dir, jobs.clock);
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
    jobs.store.write((write) => enqueue(write, "document.scrape", `page ${i}`));
  jobs.add("a");
  const scrape: JobHandler = (subject) => {
    started.push(subject);
    return open.promise;
  };
  jobs.runner.start(handlersOf(async () => indexed.resolve(), scrape));
  await indexed.promise;
  expect(started).toHaveLength(concurrency);
  open.resolve();
  await jobs.runner.idle();
  expect(started).toHaveLength(concurrency + 5);
});

test("the failure handler is called for a failed job, and after a restart for earlier ones", async () => {
  const indexed: string[] = [];
  jobs.add("a");
  for (let crash = 0; crash < MAX_CRASHES; crash++) {
    jobs.claim();
    jobs.restartAndWait();
  }
  const failing: JobHandler = async () => {
    throw new Error("no");
  };
  jobs.runner.start(handlersOf(failing), {
    "document.index": (_write, subject) => void indexed.push(subject),
  });
  await jobs.runner.idle();
  expect(indexed).toEqual(["a"]);
  jobs.add("b");
  for (const pause of [0, ...BACKOFF_MS]) {
    jobs.clock.advance(pause);
    await jobs.runner.idle();
  }
  expect(indexed).toEqual(["a", "b"]);
});
