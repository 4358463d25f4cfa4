// A job runner on a real database file, with a manual clock, for each test of a file.

import { afterEach, beforeEach } from "bun:test";
import { rmSync } from "node:fs";
import { openLocalStore } from "../../src/app.ts";
import type { Store } from "../../src/db/store.ts";
import { claim } from "../../src/jobs/claim.ts";
import { CRASH_PAUSES_MS, type JobKind } from "../../src/jobs/kinds.ts";
import type { Job } from "../../src/jobs/kinds.ts";
import { enqueue, type Outcome, requeueRunning, settle } from "../../src/jobs/queue.ts";
import { createRunner, type JobHandler, type JobRunner } from "../../src/jobs/runner.ts";
import { ManualClock } from "../../src/kernel/clock.ts";
import { createLog } from "../../src/kernel/log.ts";
import { makeTempDir } from "./start.ts";

/** The same handler for the jobs of the index, and another one for pages. */
export const handlersOf = (index: JobHandler, scrape = index): Record<JobKind, JobHandler> => ({
  "document.index": index,
  "document.scrape": scrape,
  "prompt.index": index,
  "index.sweep": index,
  "user.remove": index,
});

export const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Registers the hooks. The members are those of the current test. */
export function useJobs() {
  const jobs = {
    dir: "",
    clock: undefined as unknown as ManualClock,
    store: undefined as unknown as Store,
    runner: undefined as unknown as JobRunner,
    log: [] as string[],
    /** What `onError` was called with. */
    errors: [] as unknown[],
    /** Claims one job as the runner does. */
    claim: (): Job | null =>
      jobs.store.write((write) => claim(write, { now: jobs.clock.now(), running: [] }))[0] ?? null,
    /** What a start does after the process has ended. Returns the subjects of the jobs that are given up. */
    restart: () => jobs.store.write(requeueRunning).map(({ subject }) => subject),
    /** The same, and the process runs until every suspect is due. */
    restartAndWait: () => {
      const givenUp = jobs.restart();
      jobs.clock.advance(Math.max(...Object.values(CRASH_PAUSES_MS)));
      return givenUp;
    },
    settle: (job: Job, outcome: Outcome) =>
      jobs.store.write((write) => settle(write, { job, outcome, reason: "no" }, jobs.clock.now())),
    add: (subject: string) => jobs.store.write((write) => enqueue(write, "document.index", subject)),
    start: (index: JobHandler) => jobs.runner.start(handlersOf(index)),
  };
  beforeEach(() => {
    const clock = new ManualClock();
    const log: string[] = [];
    const errors: unknown[] = [];
    const dir = makeTempDir();
    const store = openLocalStore(dir, clock);
    const write = (line: string) => log.push(line);
    const runner = createRunner({
      store,
      clock,
      onError: (error) => errors.push(error),
      log: createLog({ level: "debug", format: "text", clock, write }),
    });
    Object.assign(jobs, { dir, clock, store, runner, log, errors });
  });
  afterEach(async () => {
    await jobs.runner.stop();
    jobs.store.close();
    rmSync(jobs.dir, { recursive: true });
  });
  return jobs;
}
