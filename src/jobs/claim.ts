// Which jobs may run now. A job that was running when the process ended is suspected of the crash. At first, one suspect runs
// at a time, beside other jobs; if the process ends again, it runs alone, so that no further job is suspected. A part of each
// lane is for the newest jobs, so that a record that was saved just now does not wait for an import of thousands.

import { preparedSql } from "../db/prepared.ts";
import type { Store, Write } from "../db/store.ts";
import { type JobKind, LANES, SHARED_KINDS } from "./kinds.ts";
import type { Job } from "./queue.ts";

/** A job that was running during this many crashes runs alone. */
export const ALONE_FROM_CRASHES = 2;

/** The last places of a lane are for the newest jobs. */
const NEWEST_SHARE = 1 / 4;

const COLUMNS = "id, kind, subject, attempts, crashes, run_at AS runAt";
/** Two jobs of the same kind and subject never run at the same time. */
const IS_APART = `NOT EXISTS (
  SELECT 1 FROM jobs WHERE state = 'running' AND kind = due.kind AND subject = due.subject)`;

type Candidate = Job & { runAt: number };

// INDEXED BY, because the planner would otherwise read every waiting job.
const unsuspectedOfKind = (order: string, before = "") =>
  preparedSql<Candidate, [JobKind, number]>(
    `${before} SELECT ${COLUMNS} FROM jobs AS due INDEXED BY jobs_due
     WHERE state = 'queued' AND kind = ?1 AND run_at <= ?2 AND crashes = 0 AND ${IS_APART} ORDER BY ${order} LIMIT 1`,
  );
const OLDEST = "run_at, id";
const NEWEST = "run_at DESC, id DESC";
const BUSY_USERS = `WITH busy AS MATERIALIZED (
  SELECT owned.user_id, count(*) AS jobs FROM jobs AS busy JOIN documents AS owned ON owned.id = busy.subject
  WHERE busy.state = 'running' AND busy.kind = ?1 GROUP BY owned.user_id)`;
const JOBS_OF_USER = `ifnull((
  SELECT busy.jobs FROM busy JOIN documents AS owned USING (user_id) WHERE owned.id = due.subject), 0)`;

const BY_AGE = { oldest: unsuspectedOfKind(OLDEST), newest: unsuspectedOfKind(NEWEST) };
/** The same among the jobs of the users with the fewest running ones: see SHARED_KINDS. */
const BY_USER = {
  oldest: unsuspectedOfKind(`${JOBS_OF_USER}, ${OLDEST}`, BUSY_USERS),
  newest: unsuspectedOfKind(`${JOBS_OF_USER}, ${NEWEST}`, BUSY_USERS),
};

const suspectedOfKinds = preparedSql<Candidate, [number, string]>(
  `SELECT ${COLUMNS} FROM jobs AS due INDEXED BY jobs_suspected
   WHERE state = 'queued' AND crashes > 0 AND run_at <= ? AND kind IN (SELECT value FROM json_each(?)) AND ${IS_APART}
   ORDER BY run_at, id LIMIT 1`,
);
const nextAlone = preparedSql<Candidate, [number]>(
  `SELECT ${COLUMNS} FROM jobs INDEXED BY jobs_suspected
   WHERE state = 'queued' AND crashes > 0 AND crashes >= ${ALONE_FROM_CRASHES} AND run_at <= ? ORDER BY run_at, id LIMIT 1`,
);
const markRunning = preparedSql<never, [number, number]>(
  "UPDATE jobs SET state = 'running', attempts = attempts + 1, updated_at = ? WHERE id = ?",
);
const nextAfter = preparedSql<{ at: number }, [number]>(
  "SELECT run_at AS at FROM jobs WHERE state = 'queued' AND run_at > ? ORDER BY run_at LIMIT 1",
);

/** The time of the queue, epoch ms, and the jobs that are running. */
export interface Situation {
  now: number;
  running: readonly Job[];
  /** Whether the disk is full: then only jobs run that free space. Default: false. */
  isFull?: boolean;
}

const FREES_SPACE: JobKind = "index.sweep";

/** Claims all jobs that may run now. */
export function claim(write: Write, { running, ...situation }: Situation): Job[] {
  const claimed: Job[] = [];
  for (;;) {
    const next = nextJob(write, { ...situation, running: [...running, ...claimed] });
    if (!next) return claimed;
    markRunning(write).run(write.now, next.id);
    const { runAt: _, ...job } = next;
    claimed.push({ ...job, attempts: job.attempts + 1 });
  }
}

/** Whether a job may run now. */
export function isJobDue(reader: Pick<Store, "sql">, situation: Situation): boolean {
  return nextJob(reader, situation) !== undefined;
}

/** When the next job becomes due after `now`, epoch ms; undefined if none waits for its time. */
export function nextDueAfter(reader: Pick<Store, "sql">, now: number): number | undefined {
  return nextAfter(reader).get(now)?.at;
}

function nextJob(
  reader: Pick<Store, "sql">,
  { now, running, isFull = false }: Situation,
): Candidate | undefined {
  if (isFull) {
    if (running.some(({ kind }) => kind === FREES_SPACE)) return undefined;
    return BY_AGE.oldest(reader).get(FREES_SPACE, now) ?? undefined;
  }
  if (running.some(({ crashes }) => crashes >= ALONE_FROM_CRASHES)) return undefined;
  const alone = nextAlone(reader).get(now);
  if (alone) return running.length === 0 ? alone : undefined;
  const lanes = LANES.map((lane) => ({
    ...lane,
    running: running.filter(({ kind }) => lane.kinds.includes(kind)),
  })).filter((lane) => lane.running.length < lane.concurrency);
  const isSuspectRunning = running.some(({ crashes }) => crashes > 0);
  const kinds = JSON.stringify(lanes.flatMap((lane) => lane.kinds));
  const suspect = isSuspectRunning ? null : suspectedOfKinds(reader).get(now, kinds);
  if (suspect) return suspect;
  for (const lane of lanes) {
    const next = nextOf(lane, (kind, age) =>
      (SHARED_KINDS.has(kind) ? BY_USER : BY_AGE)[age](reader).get(kind, now),
    );
    if (next) return next;
  }
  return undefined;
}

interface OpenLane {
  kinds: readonly JobKind[];
  concurrency: number;
  running: readonly Job[];
}

type Age = keyof typeof BY_AGE;

/** The oldest job of a lane, or, for its last places, the newest one. */
function nextOf(
  { kinds, concurrency, running }: OpenLane,
  get: (kind: JobKind, age: Age) => Candidate | null,
): Candidate | undefined {
  const inOrder = (age: Age) =>
    kinds.flatMap((kind) => get(kind, age) ?? []).sort((a, b) => a.runAt - b.runAt || a.id - b.id);
  const oldest = inOrder("oldest")[0];
  if (!oldest) return undefined;
  const older = running.filter(({ id }) => id < oldest.id).length;
  return older < concurrency * (1 - NEWEST_SHARE) ? oldest : inOrder("newest").at(-1);
}
