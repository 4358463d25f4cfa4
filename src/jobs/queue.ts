// The jobs table: enqueue inside the write a job follows, claim by one statement, settle. It knows no kind of work.

import type { Store, Write } from "../db/store.ts";
import { cutUnits } from "../kernel/text.ts";
import { BACKOFF_MS, type JobKind, MAX_ATTEMPTS } from "./kinds.ts";

export interface Job {
  id: number;
  kind: JobKind;
  subject: string;
  attempts: number;
}

export interface JobCounts {
  queued: number;
  running: number;
  failed: number;
}

const ERROR_CHARACTERS = 500;

/**
 * Enqueues a job in the transaction of the write it follows. One that already waits for the same subject serves for both;
 * an earlier failure of the same work is forgotten. It is due after `delayMs`.
 */
export function enqueue({ sql, now }: Write, kind: JobKind, subject: string, delayMs = 0): void {
  sql.query("DELETE FROM jobs WHERE kind = ? AND subject = ? AND state = 'failed'").run(kind, subject);
  sql
    .query(
      `INSERT INTO jobs (kind, subject, state, attempts, run_at, created_at, updated_at)
       VALUES (?1, ?2, 'queued', 0, ?3 + ?4, ?3, ?3)
       ON CONFLICT (kind, subject) WHERE state = 'queued' DO UPDATE SET attempts = 0, run_at = ?3 + ?4, updated_at = ?3`,
    )
    .run(kind, subject, now, delayMs);
}

/** Kinds of which jobs may start, and how many of them together. */
export interface Room {
  kinds: readonly JobKind[];
  jobs: number;
}

/**
 * Forgets jobs that are done and takes the next that are due, as many as there is room for, in one write. Two jobs of one
 * kind and subject never run at once.
 */
export function turnOver(store: Store, done: readonly Job[], rooms: readonly Room[]): Job[] {
  return store.write((write) => {
    const forget = write.sql.query("DELETE FROM jobs WHERE id = ?");
    for (const { id } of done) forget.run(id);
    const taken: Job[] = [];
    for (const { kinds, jobs } of rooms) {
      for (let left = jobs; left > 0; left--) {
        const job = takeFirst(write, kinds);
        if (!job) break;
        taken.push(job);
      }
    }
    return taken;
  });
}

/** Takes the job of these kinds that has been due for longest. The planner alone would read all that waits. */
function takeFirst(write: Write, kinds: readonly JobKind[]): Job | undefined {
  const take = write.sql.query<Job, [number, JobKind]>(
    `UPDATE jobs SET state = 'running', attempts = attempts + 1, updated_at = ?1
     WHERE id = (
       SELECT id FROM jobs AS due INDEXED BY jobs_due WHERE state = 'queued' AND kind = ?2 AND run_at <= ?1 AND NOT EXISTS (
         SELECT 1 FROM jobs WHERE state = 'running' AND kind = due.kind AND subject = due.subject
       ) ORDER BY run_at, id LIMIT 1
     ) RETURNING id, kind, subject, attempts`,
  );
  const waiting = kinds
    .map((kind) => ({ kind, at: nextDueAt(write, [kind]) }))
    .sort((a, b) => (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY));
  for (const { kind, at } of waiting) {
    if (at === null || at > write.now) return undefined;
    const job = take.get(write.now, kind);
    if (job) return job;
  }
  return undefined;
}

/** Records a failure: another attempt after a pause, or the end of it after the last one. */
export function fail(store: Store, job: Job, reason: string): "retried" | "failed" {
  return store.write((write) => {
    const last = job.attempts >= MAX_ATTEMPTS;
    const pause = BACKOFF_MS[Math.min(job.attempts, BACKOFF_MS.length) - 1];
    settle(write, job, last ? "failed" : "queued", last ? write.now : write.now + pause, reason);
    return last ? "failed" : "retried";
  });
}

/** Gives a job back as if it had never been claimed: the server is stopping. */
export function release(store: Store, job: Job): void {
  store.write((write) => {
    settle(write, { ...job, attempts: job.attempts - 1 }, "queued", write.now, null);
  });
}

/** At start every `running` row belongs to a process that is gone: it waits again, its attempt counted. */
export function requeueRunning(store: Store): number {
  return store.write((write) => {
    const left = write.sql
      .query<Job, []>("SELECT id, kind, subject, attempts FROM jobs WHERE state = 'running'")
      .all();
    for (const job of left) {
      const ended = job.attempts >= MAX_ATTEMPTS;
      settle(write, job, ended ? "failed" : "queued", write.now, ended ? "ended with the process" : null);
    }
    return left.length;
  });
}

function settle(
  { sql, now }: Write,
  job: Job,
  state: "queued" | "failed",
  runAt: number,
  error: string | null,
): void {
  // A newer job for the same subject waits already: it does all that this one would do again.
  const superseded =
    sql
      .query("SELECT 1 FROM jobs WHERE kind = ? AND subject = ? AND state = 'queued'")
      .get(job.kind, job.subject) !== null;
  if (superseded) {
    sql.query("DELETE FROM jobs WHERE id = ?").run(job.id);
    return;
  }
  sql
    .query("UPDATE jobs SET state = ?, attempts = ?, run_at = ?, error = ?, updated_at = ? WHERE id = ?")
    .run(state, job.attempts, runAt, error && cutUnits(error, ERROR_CHARACTERS), now, job.id);
}

/** How many jobs wait (for a retry too), run, and gave up. */
export function countJobs(store: Store): JobCounts {
  const counts: JobCounts = { queued: 0, running: 0, failed: 0 };
  for (const { state, n } of store.sql
    .query<{ state: keyof JobCounts; n: number }, []>("SELECT state, count(*) AS n FROM jobs GROUP BY state")
    .all()) {
    counts[state] = n;
  }
  return counts;
}

/** When the next waiting job of these kinds may start, epoch ms, or null. One whose subject is being worked on may not. */
export function nextDueAt({ sql }: Pick<Store, "sql">, kinds: readonly JobKind[]): number | null {
  const first = sql.query<{ at: number }, [JobKind]>(
    `SELECT run_at AS at FROM jobs AS due INDEXED BY jobs_due WHERE state = 'queued' AND kind = ? AND NOT EXISTS (
       SELECT 1 FROM jobs WHERE state = 'running' AND kind = due.kind AND subject = due.subject
     ) ORDER BY run_at, id LIMIT 1`,
  );
  const moments = kinds.flatMap((kind) => first.get(kind)?.at ?? []);
  return moments.length === 0 ? null : Math.min(...moments);
}

/** Forgets a job that was given up: its subject knows by now. */
export function forgetGivenUp(store: Store, kind: JobKind, subject: string): void {
  store.write(({ sql }) => {
    sql.query("DELETE FROM jobs WHERE state = 'failed' AND kind = ? AND subject = ?").run(kind, subject);
  });
}

/** The subjects of jobs of a kind that were given up. */
export function givenUpSubjects(store: Store, kind: JobKind): string[] {
  return store.sql
    .query<{ subject: string }, [string]>("SELECT subject FROM jobs WHERE state = 'failed' AND kind = ?")
    .all(kind)
    .map(({ subject }) => subject);
}
