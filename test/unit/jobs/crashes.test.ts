// Jobs that were running when the process ended, by a crash or a signal.

import { expect, test } from "bun:test";
import { claim as claimJobs } from "../../../src/jobs/claim.ts";
import { CRASH_PAUSES_MS, MAX_CRASHES } from "../../../src/jobs/kinds.ts";
import type { Job } from "../../../src/jobs/kinds.ts";
import { countJobs, retryFailedJobs } from "../../../src/jobs/queue.ts";
import { useJobs } from "../../helpers/job-runner.ts";

const jobs = useJobs();

test("at start running jobs are queued again; one that crashed the process five times is given up", () => {
  jobs.add("a");
  for (let crash = 0; crash < MAX_CRASHES - 1; crash++) {
    expect(jobs.claim()).toMatchObject({ attempts: 1, crashes: crash });
    expect(jobs.restartAndWait()).toEqual([]);
    expect(countJobs(jobs.store)).toEqual({ queued: 1, running: 0, failed: 0 });
  }
  jobs.claim();
  expect(jobs.restartAndWait()).toEqual(["a"]);
  expect(countJobs(jobs.store)).toEqual({ queued: 0, running: 0, failed: 1 });
});

test("a job that crashes the process is given up alone, and the crashes do not count as attempts of the others", () => {
  const innocent = ["a", "b", "c", "d", "e"];
  for (const subject of ["a", "b", "poison", "c", "d", "e"]) jobs.add(subject);
  const done: string[] = [];
  const givenUp: string[] = [];
  let crashes = 0;
  while (givenUp.length === 0) {
    const running = jobs.store.write((write) => claimJobs(write, { now: jobs.clock.now(), running: [] }));
    if (running.some(({ subject }) => subject === "poison")) {
      // The process ends while these jobs run.
      crashes++;
      givenUp.push(...jobs.restartAndWait());
      continue;
    }
    for (const job of running) {
      expect(job.attempts).toBe(1);
      jobs.settle(job, "done");
      done.push(job.subject);
    }
  }
  expect(givenUp).toEqual(["poison"]);
  expect(crashes).toBe(MAX_CRASHES);
  while (done.length < innocent.length) {
    const job = jobs.claim()!;
    expect(job.attempts).toBe(1);
    jobs.settle(job, "done");
    done.push(job.subject);
  }
  expect(done.sort()).toEqual(innocent);
  expect(countJobs(jobs.store)).toEqual({ queued: 0, running: 0, failed: 1 });
});

test("after a crash, suspects run one at a time beside other jobs; after a second one, alone", () => {
  const running: Job[] = [];
  const claimMore = () => {
    const claimed = jobs.store.write((write) => claimJobs(write, { now: jobs.clock.now(), running }));
    running.push(...claimed);
    return claimed.map(({ subject }) => subject);
  };
  const end = () => running.splice(0).map((job) => jobs.settle(job, "done"));
  jobs.add("a");
  jobs.add("b");
  expect(claimMore()).toEqual(["a", "b"]);
  running.length = 0;
  jobs.restartAndWait();
  jobs.add("c");
  expect(claimMore()).toEqual(["a", "c"]);
  expect(claimMore()).toEqual([]);
  end();
  expect(claimMore()).toEqual(["b"]);
  running.length = 0;
  jobs.restartAndWait();
  jobs.add("d");
  expect(claimMore()).toEqual(["b"]);
  end();
  expect(claimMore()).toEqual(["d"]);
});

test("a process that is ended soon after each start does not make a job fail", () => {
  jobs.add("a");
  jobs.claim();
  jobs.restart();
  jobs.claim();
  const pause = CRASH_PAUSES_MS[2]!;
  for (let starts = 0; starts < 2 * MAX_CRASHES; starts++) {
    expect(jobs.restart()).toEqual([]);
    jobs.clock.advance(pause - 1);
    expect(jobs.claim()).toBeNull();
  }
  jobs.clock.advance(1);
  expect(jobs.claim()).toMatchObject({ attempts: 1, crashes: 2 });
});

test("jobs that were given up are queued again on request, and run alone if they crashed the process", () => {
  jobs.add("a");
  for (let crash = 0; crash < MAX_CRASHES; crash++) {
    jobs.claim();
    jobs.restartAndWait();
  }
  expect(jobs.store.write(retryFailedJobs)).toBe(1);
  expect(jobs.claim()).toMatchObject({ subject: "a", attempts: 1, crashes: 2 });
});

test("stopping queues running jobs again without counting the attempt", async () => {
  const running = Promise.withResolvers<void>();
  jobs.add("a");
  jobs.start((_subject, signal) => {
    running.resolve();
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  await running.promise;
  await jobs.runner.stop();
  expect(countJobs(jobs.store)).toEqual({ queued: 1, running: 0, failed: 0 });
  expect(jobs.claim()?.attempts).toBe(1);
});

test("an interrupted attempt is not counted", () => {
  jobs.add("a");
  jobs.settle(jobs.claim()!, "interrupted");
  jobs.settle(jobs.claim()!, "interrupted");
  expect(jobs.claim()?.attempts).toBe(1);
});
