// The table of jobs: enqueue in the transaction of the write that makes a job necessary, claim, record the outcome. It does
// not depend on what jobs do.

import { preparedSql } from "../db/prepared.ts";
import type { Store, Write } from "../db/store.ts";
import { cutUnits } from "../kernel/text.ts";
import { BACKOFF_MS, type JobKind, MAX_ATTEMPTS } from "./kinds.ts";

export interface Job {
  id: number;
  kind: JobKind;
  subject: string;
  /** How often the job was claimed. */
  attempts: number;
}

export interface JobCounts {
  queued: number;
  running: number;
  failed: number;
}

const MAX_ERROR_UNITS = 500;

const deleteJob = preparedSql<never, [number]>("DELETE FROM jobs WHERE id = ?");
const deleteFailed = preparedSql<never, [JobKind, string]>(
  "DELETE FROM jobs WHERE kind = ? AND subject = ? AND state = 'failed'",
);
const insertJob = preparedSql<never, [JobKind, string, number, number]>(
  `INSERT INTO jobs (kind, subject, state, attempts, run_at, created_at, updated_at)
   VALUES (?1, ?2, 'queued', 0, ?3 + ?4, ?3, ?3)
   ON CONFLICT (kind, subject) WHERE state = 'queued' DO UPDATE SET attempts = 0, run_at = ?3 + ?4, updated_at = ?3`,
);
// INDEXED BY, because the planner would otherwise read every waiting job.
const claimOfKind = preparedSql<Job, [number, JobKind]>(
  `UPDATE jobs SET state = 'running', attempts = attempts + 1, updated_at = ?1
   WHERE id = (
     SELECT id FROM jobs AS due INDEXED BY jobs_due WHERE state = 'queued' AND kind = ?2 AND run_at <= ?1 AND NOT EXISTS (
       SELECT 1 FROM jobs WHERE state = 'running' AND kind = due.kind AND subject = due.subject
     ) ORDER BY run_at, id LIMIT 1
   ) RETURNING id, kind, subject, attempts`,
);
const dueAtOfKind = preparedSql<{ at: number }, [JobKind]>(
  `SELECT run_at AS at FROM jobs AS due INDEXED BY jobs_due WHERE state = 'queued' AND kind = ? AND NOT EXISTS (
     SELECT 1 FROM jobs WHERE state = 'running' AND kind = due.kind AND subject = due.subject
   ) ORDER BY run_at, id LIMIT 1`,
);
const runningJobs = preparedSql<Job, []>(
  "SELECT id, kind, subject, attempts FROM jobs WHERE state = 'running'",
);
const queuedJob = preparedSql<{ found: 1 }, [JobKind, string]>(
  "SELECT 1 AS found FROM jobs WHERE kind = ? AND subject = ? AND state = 'queued'",
);
const updateJob = preparedSql<never, [string, number, number, string | null, number, number]>(
  "UPDATE jobs SET state = ?, attempts = ?, run_at = ?, error = ?, updated_at = ? WHERE id = ?",
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

/**
 * Enqueues a job in the transaction of the write that makes it necessary. A queued job of the same kind and subject serves
 * both writes; an earlier failed one is deleted.
 */
export function enqueue(write: Write, kind: JobKind, subject: string): void {
  enqueueDelayed(write, { kind, subject, delayMs: 0 });
}

/** Like `enqueue`, for a job that may start after `delayMs`. */
export function enqueueDelayed(
  write: Write,
  { kind, subject, delayMs }: Pick<Job, "kind" | "subject"> & { delayMs: number },
): void {
  deleteFailed(write).run(kind, subject);
  insertJob(write).run(kind, subject, write.now, delayMs);
}

/** How many jobs of these kinds together may be claimed. */
export interface Capacity {
  kinds: readonly JobKind[];
  jobs: number;
}

/**
 * Deletes finished jobs and claims jobs that are due, up to the given capacities, in one write. Two jobs of the same kind
 * and subject never run at the same time.
 */
export function finishAndClaim(
  store: Store,
  finished: readonly Job[],
  capacities: readonly Capacity[],
): Job[] {
  return store.write((write) => {
    for (const { id } of finished) deleteJob(write).run(id);
    const claimed: Job[] = [];
    for (const { kinds, jobs } of capacities) {
      for (let free = jobs; free > 0; free--) {
        const job = claimNext(write, kinds);
        if (!job) break;
        claimed.push(job);
      }
    }
    return claimed;
  });
}

/** Claims the job of these kinds that has been due for the longest time. */
function claimNext(write: Write, kinds: readonly JobKind[]): Job | undefined {
  const due = kinds
    .map((kind) => ({ kind, at: nextDueAt(write, [kind]) ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => a.at - b.at);
  for (const { kind, at } of due) {
    if (at > write.now) return undefined;
    const job = claimOfKind(write).get(write.now, kind);
    if (job) return job;
  }
  return undefined;
}

/** Records a failed attempt: the job is queued again after a pause, or has failed for good after the last attempt. */
export function recordFailure(store: Store, job: Job, reason: string): "retried" | "failed" {
  return store.write((write) => {
    if (job.attempts >= MAX_ATTEMPTS) {
      recordOutcome(write, job, { state: "failed", runAt: write.now, error: reason });
      return "failed";
    }
    const pause = BACKOFF_MS[job.attempts - 1] ?? BACKOFF_MS[BACKOFF_MS.length - 1]!;
    recordOutcome(write, job, { state: "queued", runAt: write.now + pause, error: reason });
    return "retried";
  });
}

/** Queues a claimed job again without counting the attempt: the server is stopping. */
export function release(store: Store, job: Job): void {
  store.write((write) => {
    const unclaimed = { ...job, attempts: job.attempts - 1 };
    recordOutcome(write, unclaimed, { state: "queued", runAt: write.now, error: null });
  });
}

/** Run at start, when every `running` job belongs to a process that has stopped: queues them again. Returns how many. */
export function requeueRunning(store: Store): number {
  return store.write((write) => {
    const interrupted = runningJobs(write).all();
    for (const job of interrupted) {
      const isLast = job.attempts >= MAX_ATTEMPTS;
      const error = isLast ? "the process ended while the job was running" : null;
      recordOutcome(write, job, { state: isLast ? "failed" : "queued", runAt: write.now, error });
    }
    return interrupted.length;
  });
}

/** The next state of a job that was running. */
interface Outcome {
  state: "queued" | "failed";
  runAt: number;
  error: string | null;
}

function recordOutcome(write: Write, job: Job, { state, runAt, error }: Outcome): void {
  // A newer job of the same kind and subject is queued: it repeats this work.
  if (queuedJob(write).get(job.kind, job.subject)) {
    deleteJob(write).run(job.id);
    return;
  }
  const shortError = error && cutUnits(error, MAX_ERROR_UNITS);
  updateJob(write).run(state, job.attempts, runAt, shortError, write.now, job.id);
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

/**
 * When the next queued job of these kinds may start, epoch ms, or null if there is none. A job whose kind and subject are
 * also those of a running job is ignored.
 */
export function nextDueAt(reader: Pick<Store, "sql">, kinds: readonly JobKind[]): number | null {
  const times = kinds.flatMap((kind) => dueAtOfKind(reader).get(kind)?.at ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

/** Deletes a failed job whose failure was handled. */
export function deleteFailedJob(store: Store, kind: JobKind, subject: string): void {
  store.write((write) => {
    deleteFailed(write).run(kind, subject);
  });
}

/** The subjects of the failed jobs of a kind. */
export function failedSubjects(store: Store, kind: JobKind): string[] {
  return failedOfKind(store)
    .all(kind)
    .map(({ subject }) => subject);
}
