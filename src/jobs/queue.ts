// The table of jobs: enqueue in the transaction of the write that makes a job necessary, claim, record the outcome.

import { preparedSql } from "../db/prepared.ts";
import type { Store, Write } from "../db/store.ts";
import { cutUnits } from "../kernel/text.ts";
import {
  ALONE_FROM_CRASHES,
  BACKOFF_MS,
  CRASH_PAUSES_MS,
  type Job,
  type JobKind,
  MAINTENANCE,
  MAX_CRASHES,
  MAX_PAUSE_MS,
  POSTPONED_MS,
  PRIORITIES,
  type Priority,
} from "./kinds.ts";

export interface JobCounts {
  queued: number;
  running: number;
  failed: number;
}

const MAX_ERROR_UNITS = 500;

const CRASHED = `the process ended ${MAX_CRASHES} times while the job was running`;

// With the subject, because the id of a deleted job may be that of a new one.
const deleteJob = preparedSql<never, [number, string]>("DELETE FROM jobs WHERE id = ? AND subject = ?");
const deleteFailed = preparedSql<never, [JobKind, string]>(
  "DELETE FROM jobs WHERE kind = ? AND subject = ? AND state = 'failed'",
);
const deleteQueued = preparedSql<never, [JobKind, string]>(
  "DELETE FROM jobs WHERE kind = ? AND subject = ? AND state = 'queued'",
);
const insertJob = preparedSql<never, [JobKind, string, number, number, string, number]>(
  `INSERT INTO jobs (kind, subject, state, attempts, run_at, user_id, priority, created_at, updated_at)
   VALUES (?1, ?2, 'queued', 0, ?3 + ?4, ?5, ?6, ?3, ?3)
   ON CONFLICT (kind, subject) WHERE state = 'queued' DO UPDATE
     SET attempts = 0, crashes = min(crashes, ${ALONE_FROM_CRASHES}), run_at = ?3 + ?4, updated_at = ?3,
       user_id = ?5, priority = min(priority, ?6)`,
);
const runningJobs = preparedSql<Job, []>(
  `SELECT id, kind, subject, user_id AS userId, priority, attempts, crashes FROM jobs WHERE state = 'running'`,
);
const queuedJob = preparedSql<{ found: 1 }, [JobKind, string]>(
  "SELECT 1 AS found FROM jobs WHERE kind = ? AND subject = ? AND state = 'queued'",
);
const updateJob = preparedSql<never, [string, number, number, number, string | null, number, number, string]>(
  "UPDATE jobs SET state = ?, attempts = ?, crashes = ?, run_at = ?, error = ?, updated_at = ? WHERE id = ? AND subject = ?",
);
const makeDue = preparedSql<never, [number, number]>(
  "UPDATE jobs SET run_at = ? WHERE state = 'queued' AND run_at > ?",
);
const postponeSuspects = preparedSql<never, [number, number]>(
  "UPDATE jobs SET run_at = max(run_at, ?) WHERE state = 'queued' AND crashes = ?",
);
// A job that was given up because of crashes runs alone. REPLACE: a newer job of the same subject repeats its work.
const retryFailed = preparedSql<never, [number]>(
  `UPDATE OR REPLACE jobs SET state = 'queued', attempts = 0, crashes = min(crashes, ${ALONE_FROM_CRASHES}), run_at = ?1, updated_at = ?1
   WHERE state = 'failed'`,
);
const countByState = preparedSql<{ state: keyof JobCounts; n: number }, []>(
  "SELECT state, count(*) AS n FROM jobs GROUP BY state",
);
const failedJobs = preparedSql<FailedJob, []>(
  "SELECT kind, subject, error FROM jobs WHERE state = 'failed' ORDER BY updated_at DESC",
);
const openOfKinds = preparedSql<{ n: number }, [string]>(
  "SELECT count(*) AS n FROM jobs WHERE state <> 'failed' AND kind IN (SELECT value FROM json_each(?))",
);
const failedOfKind = preparedSql<{ subject: string }, [JobKind]>(
  "SELECT subject FROM jobs WHERE state = 'failed' AND kind = ?",
);

/** Whose job it is, and when it may start. */
interface JobTerms {
  /** The owner of the record; absent for maintenance. */
  userId?: string;
  priority?: Priority;
  /** It may start after this time. */
  delayMs?: number;
}

/**
 * Enqueues a job in the transaction of the write that makes it necessary. A queued job of the same kind and subject
 * serves both writes, with the higher priority of both; an earlier failed one is deleted.
 */
export function enqueue(
  write: Write,
  kind: JobKind,
  subject: string,
  { userId = MAINTENANCE, priority = "interactive", delayMs = 0 }: JobTerms = {},
): void {
  deleteFailed(write).run(kind, subject);
  insertJob(write).run(kind, subject, write.now, delayMs, userId, PRIORITIES.indexOf(priority));
}

/** Deletes a queued job whose work is done. */
export function dequeue(write: Write, kind: JobKind, subject: string): void {
  deleteQueued(write).run(kind, subject);
}

/**
 * How a run of a job ended. `retried`: it failed and is tried again after a pause. `failed`: for good. `postponed`: the
 * storage failed, not the job. `interrupted`: the server stops. The last two do not count as attempts.
 */
export type Outcome = "done" | "retried" | "failed" | "postponed" | "interrupted";

/** A run of a job that has ended. */
export interface EndedRun {
  job: Job;
  outcome: Outcome;
  /** Why it was not done. */
  reason: string | null;
}

/**
 * Records how a run of a job ended; `now` is the time of the queue. Does nothing if the job was deleted in the
 * meantime.
 */
export function settle(write: Write, { job, outcome, reason }: EndedRun, now: number): void {
  const uncounted = { ...job, attempts: job.attempts - 1 };
  // A job that fails by itself does not crash the process.
  const failed = { ...job, crashes: 0 };
  if (outcome === "done") deleteJob(write).run(job.id, job.subject);
  else if (outcome === "failed") requeue(write, failed, { state: "failed", runAt: now, error: reason });
  else if (outcome === "retried")
    requeue(write, failed, { state: "queued", runAt: now + pauseAfter(job), error: reason });
  else if (outcome === "postponed")
    requeue(write, uncounted, { state: "queued", runAt: now + POSTPONED_MS, error: reason });
  else requeue(write, uncounted, { state: "queued", runAt: now, error: null });
}

const pauseAfter = ({ attempts }: Job) => BACKOFF_MS[attempts - 1] ?? BACKOFF_MS[BACKOFF_MS.length - 1]!;

/**
 * Run at start, when every `running` job belongs to a process that has ended unexpectedly: queues them again, or gives
 * up those that were running during too many crashes. Returns the latter. Those that were running during several run
 * after a pause.
 */
export function requeueRunning(write: Write): Job[] {
  const givenUp: Job[] = [];
  for (const job of runningJobs(write).all()) {
    // The run counts as a crash, not as an attempt: it did not fail by itself.
    const interrupted = { ...job, attempts: job.attempts - 1, crashes: job.crashes + 1 };
    const isLast = interrupted.crashes >= MAX_CRASHES;
    if (isLast) givenUp.push(interrupted);
    requeue(write, interrupted, {
      state: isLast ? "failed" : "queued",
      runAt: write.now,
      error: isLast ? CRASHED : null,
    });
  }
  for (const [crashes, pauseMs] of Object.entries(CRASH_PAUSES_MS)) {
    postponeSuspects(write).run(write.now + pauseMs, Number(crashes));
  }
  return givenUp;
}

/**
 * Run at start: no job waits longer than the longest pause. Only a clock that was set back makes one seem to; it is due
 * now.
 */
export function endLongWaits(write: Write): void {
  makeDue(write).run(write.now, write.now + MAX_PAUSE_MS);
}

/** Queues all jobs that have failed for good again, with new attempts. Returns how many. */
export function retryFailedJobs(write: Write): number {
  return retryFailed(write).run(write.now).changes;
}

/** The next state of a job that was running. */
interface NextState {
  state: "queued" | "failed";
  runAt: number;
  error: string | null;
}

function requeue(write: Write, job: Job, { state, runAt, error }: NextState): void {
  // A newer job of the same kind and subject is queued: it repeats this work.
  if (queuedJob(write).get(job.kind, job.subject)) {
    deleteJob(write).run(job.id, job.subject);
    return;
  }
  const shortError = error && cutUnits(error, MAX_ERROR_UNITS);
  updateJob(write).run(state, job.attempts, job.crashes, runAt, shortError, write.now, job.id, job.subject);
}

/** The numbers of jobs that are queued (retries included), running, and failed for good. */
export function countJobs(store: Store): JobCounts {
  const counts: JobCounts = { queued: 0, running: 0, failed: 0 };
  for (const { state, n } of countByState(store).all()) counts[state] = n;
  return counts;
}

export interface FailedJob {
  kind: JobKind;
  subject: string;
  error: string | null;
}

/** The jobs that have failed for good, latest first. */
export function listFailedJobs(reader: Pick<Store, "sql">): FailedJob[] {
  return failedJobs(reader).all();
}

/** How many jobs of these kinds are queued or running. */
export function countOpenJobs(reader: Pick<Store, "sql">, kinds: readonly JobKind[]): number {
  return openOfKinds(reader).get(JSON.stringify(kinds))!.n;
}

/** Deletes the jobs of a kind that have failed for good, and returns their subjects. */
export function takeFailed(write: Write, kind: JobKind): string[] {
  const subjects = failedOfKind(write)
    .all(kind)
    .map(({ subject }) => subject);
  for (const subject of subjects) deleteFailed(write).run(kind, subject);
  return subjects;
}
