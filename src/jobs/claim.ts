// Which jobs may run now. A job that was running when the process ended is suspected of the crash. At first, one
// suspect runs at a time, beside other jobs; if the process ends again, it runs alone, so that no further job is
// suspected. Jobs of a higher priority come first, users take turns, and each user's jobs run in their order.

import { preparedSql } from "../db/prepared.ts";
import type { Store, Write } from "../db/store.ts";
import { ALONE_FROM_CRASHES, type Job, type JobKind, LANES, PRIORITIES } from "./kinds.ts";

const COLUMNS = "id, kind, subject, user_id AS userId, priority, attempts, crashes, run_at AS runAt";
/** Two jobs of the same kind and subject never run at the same time. */
const IS_APART = `NOT EXISTS (
  SELECT 1 FROM jobs WHERE state = 'running' AND kind = due.kind AND subject = due.subject)`;

type Candidate = Job & { runAt: number };

/**
 * The oldest job of a kind and priority, of the first user after this one who has any. Users are ordered by their ids.
 */
const nextAfterUser = preparedSql<Candidate, [JobKind, number, string, number]>(
  // INDEXED BY, because the planner would otherwise read every waiting job.
  `SELECT ${COLUMNS} FROM jobs AS due INDEXED BY jobs_due
   WHERE state = 'queued' AND kind = ?1 AND priority = ?2 AND user_id > ?3 AND run_at <= ?4 AND crashes = 0 AND ${IS_APART}
   ORDER BY user_id, run_at, id LIMIT 1`,
);
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
    return nextOfKind(reader, FREES_SPACE, 0, { now, running });
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
    const next = nextOf(reader, lane, now);
    if (next) return next;
  }
  return undefined;
}

interface OpenLane {
  kinds: readonly JobKind[];
  concurrencyOfPriority: number;
  running: readonly Job[];
}

/** The next job of a lane, of the highest priority that has jobs and places left. */
function nextOf(reader: Pick<Store, "sql">, lane: OpenLane, now: number): Candidate | undefined {
  const { kinds, concurrencyOfPriority, running } = lane;
  const hasPlaces = (priority: number) =>
    running.filter((job) => job.priority === priority).length < concurrencyOfPriority;
  for (const priority of PRIORITIES.keys()) {
    if (!hasPlaces(priority)) continue;
    const [next] = kinds
      .flatMap((kind) => nextOfKind(reader, kind, priority, { now, running }) ?? [])
      .sort((a, b) => a.runAt - b.runAt || a.id - b.id);
    if (next) return next;
  }
  return undefined;
}

/** The oldest job of the user after the one whose job of this kind was claimed last. */
function nextOfKind(
  reader: Pick<Store, "sql">,
  kind: JobKind,
  priority: number,
  { now, running }: Pick<Situation, "now" | "running">,
): Candidate | undefined {
  const last = running.findLast((job) => job.kind === kind)?.userId;
  const after = (userId: string) => nextAfterUser(reader).get(kind, priority, userId, now) ?? undefined;
  return (last === undefined ? undefined : after(last)) ?? after("");
}
