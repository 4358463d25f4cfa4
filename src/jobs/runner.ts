// Runs queued jobs, a few at a time. It wakes after writes of this process and, within half a second, after those of
// other processes. It does not depend on what jobs do: the caller passes one handler for each kind.

import { preparedSql } from "../db/prepared.ts";
import { STORAGE_MESSAGES, storageProblemOf } from "../db/storage-errors.ts";
import type { Store, Write } from "../db/store.ts";
import { PATIENT } from "../db/waiting-writes.ts";
import { type Clock, createForwardTime } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { collectStepTimes, roundedMs, type StepTimes, stepFacts } from "../kernel/step-times.ts";
import { claim, isJobDue, nextDueAfter } from "./claim.ts";
import { type JobKind, MAX_ATTEMPTS, POSTPONED_MS } from "./kinds.ts";
import type { Job } from "./kinds.ts";
import { type EndedRun, type Outcome, settle, takeFailed } from "./queue.ts";

/** Does the work of one job. Must stop soon after `signal` fires, by throwing. @testOnly */
export type JobHandler = (subject: string, signal: AbortSignal) => Promise<void>;

/**
 * Called with the subject of each job of its kind that has failed for good, also for failures of an earlier process, in
 * the write that deletes the failed job. Must not throw.
 */
type FailureHandler = (write: Write, subject: string) => void;

export interface JobRunner {
  start(handlers: Record<JobKind, JobHandler>, onFailure?: Partial<Record<JobKind, FailureHandler>>): void;
  /** Looks for due jobs now. */
  wake(): void;
  /** Resolves when no job is running or due. */
  idle(): Promise<void>;
  /** Why no job can run, and what to do: the disk is full, or it fails. Undefined while jobs can run. */
  blockedBy(): string | undefined;
  /** Claims no further job, aborts and releases running ones, and resolves when all have stopped. */
  stop(): Promise<void>;
}

/** One run of a job. */
interface JobRun {
  kind: JobKind;
  /** The id of a record, or what else the job is about. */
  subject: string;
  userId: string;
  outcome: Outcome;
  ms: number;
}

/** Work that has not ended. */
interface OpenWork {
  /** Monotonic, ms. */
  startedAt: number;
  /** Whether it was logged that it takes long. */
  isReported: boolean;
}

interface OpenRun extends OpenWork {
  job: Job;
}

export interface RunnerOptions {
  store: Store;
  clock: Clock;
  log: Log;
  /** Called with everything that a job throws, and with the error that makes jobs wait for space. */
  onError?: (error: unknown) => void;
  /** Called after each run whose end is recorded. */
  onRun?: (run: JobRun) => void;
}

const POLL_MS = 500;
/** A job that runs longer is logged: embedding the longest document takes a few minutes. */
const LONG_RUN_MS = 10 * 60_000;
/** The same for the look at the queue, which waits while another process writes. */
const LONG_LOOK_MS = 30_000;
const MAX_TIMER_MS = 60_000;
/**
 * How often `stop` tries to record how the last runs ended. If it cannot, these jobs are queued again at the next
 * start.
 */
const MAX_STOP_TRIES = 10;
const STOP_PAUSE_MS = 50;

const LEVELS = {
  done: "info",
  retried: "warn",
  postponed: "warn",
  failed: "error",
  interrupted: "info",
} as const;
/** Jobs that say nothing about a record. */
const QUIET = new Set<JobKind>(["index.sweep"]);

/** Changes when another connection has written to the database. */
const dataVersion = preparedSql<{ data_version: number }, []>("PRAGMA data_version");

/** A runner of the queue in `store`; it runs nothing before `start`. */
export function createRunner({ store, clock, log, onError, onRun }: RunnerOptions): JobRunner {
  const stopping = new AbortController();
  const running = new Map<Promise<void>, OpenRun>();
  /** Runs that have ended and are recorded with the next claim. They are kept until that has succeeded. */
  const ended: (EndedRun & { ms: number })[] = [];
  let handlers: Record<JobKind, JobHandler> | undefined;
  let failureHandlers: Partial<Record<JobKind, FailureHandler>> = {};
  let hasUnhandledFailures = true;
  let retryTimer: Timer | undefined;
  let pollTimer: Timer | undefined;
  let seenVersion = 0;
  const idleWaiters: (() => void)[] = [];
  let isScheduled = false;
  /** Resolves when the current look at the queue has ended. */
  let draining: Promise<void> | undefined;
  let look: OpenWork | undefined;
  /** Why the queue could not be written the last time; undefined if it could. */
  let brokenBy: string | undefined;
  /** The same for people; undefined if it only waits for another process. */
  let brokenMessage: string | undefined;
  /** Whether the disk was full at the last look at the queue. */
  let isFull = false;
  /** Whether jobs wait for that reason. */
  let isWaitingForSpace = false;
  let stopped: Promise<void> | undefined;

  /** The wall clock may be set back while jobs wait; the time of the queue is not. */
  const now = createForwardTime(clock);
  const situation = () => ({ now: now(), running: [...running.values()].map(({ job }) => job), isFull });
  /** A claim that finds nothing would still be a write. */
  const isWorkDue = () => ended.length > 0 || hasUnhandledFailures || isJobDue(store, situation());

  /** Records the runs that have ended, and claims jobs. */
  const update = async (waits = PATIENT): Promise<Job[]> => {
    let recorded = 0;
    const claimed = await store.writeWhenFree(
      (write) => {
        for (const run of ended) settle(write, run, now());
        recorded = ended.length;
        for (const kind of Object.keys(failureHandlers) as JobKind[]) {
          for (const subject of takeFailed(write, kind)) failureHandlers[kind]!(write, subject);
        }
        return stopping.signal.aborted ? [] : claim(write, situation());
      },
      { ...waits, usesReserve: true },
    );
    for (const { job, outcome, ms } of ended.splice(0, recorded))
      onRun?.({ kind: job.kind, subject: job.subject, userId: job.userId, outcome, ms });
    hasUnhandledFailures = false;
    return claimed;
  };

  /** Nothing else may fail while jobs wait for space, so this must show it. */
  const lookForSpace = () => {
    const error = store.fullError();
    isFull = error !== undefined;
    const wasWaiting = isWaitingForSpace;
    isWaitingForSpace = isFull && isJobDue(store, { ...situation(), isFull: false });
    if (isWaitingForSpace) onError?.(error);
    if (isWaitingForSpace && !wasWaiting) log.warn("jobs wait because the disk is full");
    if (wasWaiting && !isFull) log.info("the disk has space for jobs again");
  };

  const drain = async () => {
    if (!handlers || stopping.signal.aborted) return;
    look = { startedAt: clock.monotonic(), isReported: false };
    const lookedAt = now();
    try {
      lookForSpace();
      if (isWorkDue()) {
        for (const job of await update()) start(job, handlers[job.kind]);
      }
      scheduleRetry(lookedAt);
      if (brokenBy !== undefined) log.info("the job queue can be written again");
      brokenBy = undefined;
      brokenMessage = undefined;
    } catch (error) {
      if (stopping.signal.aborted) return;
      // The disk is full or fails: nothing is lost, and it is tried again until it succeeds.
      const reason = messageOf(error);
      const problem = storageProblemOf(error);
      brokenMessage = problem === "busy" ? undefined : problem ? STORAGE_MESSAGES[problem] : reason;
      if (reason !== brokenBy) log.error("the job queue cannot be written", { reason });
      brokenBy = reason;
      clearTimeout(retryTimer);
      retryTimer = setTimeout(wake, POLL_MS);
    } finally {
      look = undefined;
    }
    if (running.size === 0 && ended.length === 0 && brokenBy === undefined) {
      for (const resolve of idleWaiters.splice(0)) resolve();
    }
  };

  const start = (job: Job, handler: JobHandler) => {
    const run = runJob(job, handler).finally(() => {
      running.delete(run);
      wake();
    });
    running.set(run, { job, startedAt: clock.monotonic(), isReported: false });
  };

  /** Never rejects. */
  const runJob = async (job: Job, handler: JobHandler) => {
    const { kind, subject, attempts } = job;
    const startedAt = clock.monotonic();
    const workers: StepTimes = {};
    let outcome: Outcome = "done";
    let reason: string | undefined;
    try {
      await collectStepTimes(workers, () => handler(subject, stopping.signal));
    } catch (error) {
      onError?.(error);
      outcome = outcomeOf(error, job, stopping.signal);
      if (outcome !== "interrupted") reason = messageOf(error);
    }
    const ms = clock.monotonic() - startedAt;
    ended.push({ job, outcome, reason: reason ?? null, ms });
    const level = outcome === "done" && QUIET.has(kind) ? "debug" : LEVELS[outcome];
    const facts = { kind, subject, outcome, attempt: attempts, ms: roundedMs(ms) };
    log[level]("job", { ...facts, ...stepFacts(workers), reason });
  };

  const wake = () => {
    if (isScheduled || stopping.signal.aborted) return;
    isScheduled = true;
    setImmediate(async () => {
      await draining;
      isScheduled = false;
      draining = drain();
    });
  };

  /** For the jobs that were not due yet when the look at the queue began; some may have become due since. */
  const scheduleRetry = (lookedAt: number) => {
    clearTimeout(retryTimer);
    const time = now();
    const at = isFull ? time + POSTPONED_MS : nextDueAfter(store, lookedAt);
    if (at === undefined) return;
    // Timers cannot wait longer than 24.8 days.
    retryTimer = setTimeout(wake, Math.min(Math.max(at - time, 0) + 1, MAX_TIMER_MS));
    retryTimer.unref();
  };

  const wakeAfterOtherProcesses = () => {
    const version = dataVersion(store).get()?.data_version ?? 0;
    if (version !== seenVersion) wake();
    seenVersion = version;
  };

  /** True once for work that takes longer. */
  const becomesLong = (work: OpenWork, maxMs: number) => {
    if (work.isReported || clock.monotonic() - work.startedAt < maxMs) return false;
    work.isReported = true;
    return true;
  };
  /** What takes long without an error would be silent. */
  const reportLongWork = () => {
    for (const run of running.values()) {
      const { kind, subject } = run.job;
      if (becomesLong(run, LONG_RUN_MS)) log.warn("a job has been running for long", { kind, subject });
    }
    if (look && becomesLong(look, LONG_LOOK_MS)) log.warn("jobs wait because another process is writing");
  };

  return {
    start(given, onFailure = {}) {
      handlers = given;
      failureHandlers = onFailure;
      pollTimer = setInterval(() => {
        wakeAfterOtherProcesses();
        reportLongWork();
      }, POLL_MS);
      pollTimer.unref();
      wake();
    },
    wake,
    blockedBy: () => brokenMessage ?? (isWaitingForSpace ? STORAGE_MESSAGES.full : undefined),
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve);
        wake();
      }),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };

  async function stop() {
    stopping.abort();
    clearTimeout(retryTimer);
    clearInterval(pollTimer);
    // Otherwise jobs would wait for the lock of another process.
    store.shortenWaits();
    await draining;
    await Promise.all(running.keys());
    for (let tries = MAX_STOP_TRIES; ended.length > 0; tries--) {
      try {
        await update({ maxWaitMs: 0 });
      } catch (error) {
        if (tries === 0)
          return log.error("the ends of jobs could not be recorded", { reason: messageOf(error) });
        await Bun.sleep(STOP_PAUSE_MS);
      }
    }
  }
}

function outcomeOf(error: unknown, { attempts }: Job, stopping: AbortSignal): Outcome {
  if (stopping.aborted) return "interrupted";
  const problem = storageProblemOf(error);
  if (problem !== undefined && problem !== "damaged") return "postponed";
  return attempts >= MAX_ATTEMPTS ? "failed" : "retried";
}
