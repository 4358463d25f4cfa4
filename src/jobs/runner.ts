// Runs queued jobs, a few at a time. It wakes after writes of this process and, within half a second, after those of other
// processes. It does not depend on what jobs do: the caller passes one handler for each kind.

import { preparedSql } from "../db/prepared.ts";
import type { Store } from "../db/store.ts";
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { collectStepTimes, roundedMs, type StepTimes, stepFacts } from "../kernel/step-times.ts";
import { type JobKind, LANES } from "./kinds.ts";
import {
  type Capacity,
  deleteFailedJob,
  failedSubjects,
  finishAndClaim,
  type Job,
  nextDueAt,
  recordFailure,
  release,
} from "./queue.ts";

/** Does the work of one job. Must stop soon after `signal` fires, by throwing. @testOnly */
export type JobHandler = (subject: string, signal: AbortSignal) => Promise<void>;

/**
 * Called with the subject of each job of its kind that has failed for good, also at the start for failures of an earlier
 * process. The failed job is deleted afterwards. Must not throw.
 */
type FailureHandler = (subject: string) => void;

export interface JobRunner {
  start(handlers: Record<JobKind, JobHandler>, onFailure?: Partial<Record<JobKind, FailureHandler>>): void;
  /** Looks for due jobs now. */
  wake(): void;
  /** Resolves when no job is running or due. */
  idle(): Promise<void>;
  /** Claims no further job, aborts and releases running ones, and resolves when all have stopped. */
  stop(): Promise<void>;
}

/** How a run ended. `retried`: it failed and will be tried again. `failed`: for good. `interrupted`: the server stops. */
type Outcome = "done" | "retried" | "failed" | "interrupted";

/** One run of a job. */
interface JobRun {
  kind: JobKind;
  outcome: Outcome;
  ms: number;
}

export interface RunnerOptions {
  store: Store;
  clock: Clock;
  log: Log;
  /** Called after each run. */
  onRun?: (run: JobRun) => void;
}

const POLL_MS = 500;

const LEVELS = { done: "info", retried: "warn", failed: "error", interrupted: "info" } as const;
/** Jobs that say nothing about a record. */
const QUIET = new Set<JobKind>(["index.sweep"]);

/** Changes when another connection has written to the database. */
const dataVersion = preparedSql<{ data_version: number }, []>("PRAGMA data_version");

/** A runner of the queue in `store`; it runs nothing before `start`. */
export function createRunner({ store, clock, log, onRun }: RunnerOptions): JobRunner {
  const stopping = new AbortController();
  const running = new Map<Promise<void>, JobKind>();
  let handlers: Record<JobKind, JobHandler> | undefined;
  let failureHandlers: Partial<Record<JobKind, FailureHandler>> = {};
  let retryTimer: Timer | undefined;
  let pollTimer: Timer | undefined;
  let seenVersion = 0;
  let idleWaiters: (() => void)[] = [];
  let isScheduled = false;

  /** Jobs that succeeded; their rows are deleted with the next claim. */
  const finished: Job[] = [];

  const freeCapacities = (): Capacity[] =>
    LANES.map(({ kinds, concurrency }) => ({
      kinds,
      jobs: concurrency - [...running.values()].filter((kind) => kinds.includes(kind)).length,
    })).filter(({ jobs }) => jobs > 0);
  const nextStartAt = () =>
    nextDueAt(
      store,
      freeCapacities().flatMap(({ kinds }) => kinds),
    );

  const drain = () => {
    isScheduled = false;
    if (!handlers || stopping.signal.aborted) return;
    try {
      const at = nextStartAt();
      // A claim that finds nothing would still be a write.
      if (finished.length > 0 || (at !== null && at <= clock.now())) {
        const claimed = finishAndClaim(store, finished, freeCapacities());
        finished.length = 0;
        for (const job of claimed) start(job, handlers[job.kind]);
      }
      scheduleRetry();
    } catch (error) {
      // The disk is full or the file is locked: the rows are still there, so try again a little later.
      log.error("cannot claim jobs", { reason: messageOf(error) });
      clearTimeout(retryTimer);
      retryTimer = setTimeout(wake, POLL_MS);
    }
    if (running.size === 0 && finished.length === 0) {
      for (const resolve of idleWaiters) resolve();
      idleWaiters = [];
    }
  };

  const start = (job: Job, handler: JobHandler) => {
    const run = runJob(job, handler)
      .catch((error) => log.error("the state of a job could not be stored", { reason: messageOf(error) }))
      .finally(() => {
        running.delete(run);
        wake();
      });
    running.set(run, job.kind);
  };

  const runJob = async (job: Job, handler: JobHandler) => {
    const { kind, subject, attempts } = job;
    const startedAt = clock.monotonic();
    const workers: StepTimes = {};
    const report = (outcome: Outcome, reason?: string) => {
      const ms = clock.monotonic() - startedAt;
      const level = outcome === "done" && QUIET.has(kind) ? "debug" : LEVELS[outcome];
      const facts = { kind, subject, outcome, attempt: attempts, ms: roundedMs(ms) };
      log[level]("job", { ...facts, ...stepFacts(workers), reason });
      onRun?.({ kind, outcome, ms });
    };
    try {
      await collectStepTimes(workers, () => handler(subject, stopping.signal));
      finished.push(job);
      report("done");
    } catch (error) {
      if (stopping.signal.aborted) {
        release(store, job);
        return report("interrupted");
      }
      const outcome = recordFailure(store, job, messageOf(error));
      report(outcome, messageOf(error));
      if (outcome === "failed") handleFailure(kind, subject);
    }
  };

  const handleFailure = (kind: JobKind, subject: string) => {
    const handler = failureHandlers[kind];
    if (!handler) return;
    handler(subject);
    deleteFailedJob(store, kind, subject);
  };

  const wake = () => {
    if (isScheduled || stopping.signal.aborted) return;
    isScheduled = true;
    setImmediate(drain);
  };

  const scheduleRetry = () => {
    clearTimeout(retryTimer);
    const at = nextStartAt();
    if (at === null) return;
    retryTimer = setTimeout(wake, Math.max(0, at - clock.now()) + 1);
    retryTimer.unref();
  };

  const wakeAfterOtherProcesses = () => {
    const version = dataVersion(store).get()?.data_version ?? 0;
    if (version !== seenVersion) wake();
    seenVersion = version;
  };

  return {
    start(given, onFailure = {}) {
      handlers = given;
      failureHandlers = onFailure;
      for (const kind of Object.keys(onFailure) as JobKind[]) {
        for (const subject of failedSubjects(store, kind)) handleFailure(kind, subject);
      }
      pollTimer = setInterval(wakeAfterOtherProcesses, POLL_MS);
      pollTimer.unref();
      wake();
    },
    wake,
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve);
        wake();
      }),
    async stop() {
      stopping.abort();
      clearTimeout(retryTimer);
      clearInterval(pollTimer);
      await Promise.all(running.keys());
      if (finished.length > 0) finishAndClaim(store, finished.splice(0), []);
    },
  };
}
