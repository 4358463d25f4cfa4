// Jobs for people: what waits, runs and has failed, and another try of a failed one.

import { preparedSql } from "../db/prepared.ts";
import type { Store, Write } from "../db/store.ts";
import { ALONE_FROM_CRASHES } from "./kinds.ts";
import type { JobKind } from "./kinds.ts";

export interface ListedJob {
  id: number;
  kind: JobKind;
  /** The id of the record. */
  subject: string;
  state: "queued" | "running" | "failed";
  attempts: number;
  /** When a queued job may start, epoch ms. */
  runAt: number;
  /** The reason of the last failure. */
  error: string | null;
  updatedAt: number;
}

// Jobs of records only: the subject of maintenance is not a record, so the joins leave it out.
const OWN = `(
  SELECT title FROM documents WHERE id = jobs.subject AND user_id = ?1 AND jobs.kind LIKE 'document.%'
  UNION ALL SELECT title FROM prompts WHERE id = jobs.subject AND user_id = ?1 AND jobs.kind LIKE 'prompt.%'
)`;
const ofState = preparedSql<ListedJob & { title: string }, [string, ListedJob["state"], number]>(
  `SELECT id, kind, subject, state, attempts, run_at AS runAt, error, updated_at AS updatedAt, ${OWN} AS title
   FROM jobs WHERE state = ?2 AND ${OWN} IS NOT NULL ORDER BY run_at LIMIT ?3`,
);
// As in queue.ts: with new attempts, and alone if it was given up because of crashes.
const retryFailed = preparedSql<{ id: number }, [string, number, number]>(
  `UPDATE OR REPLACE jobs
   SET state = 'queued', attempts = 0, crashes = min(crashes, ${ALONE_FROM_CRASHES}), run_at = ?3, updated_at = ?3
   WHERE id = ?2 AND state = 'failed' AND ${OWN} IS NOT NULL RETURNING id`,
);

/** At most `limit` jobs of each state for records of this user, with their titles; failed ones first. */
export function listJobs(
  store: Pick<Store, "sql">,
  userId: string,
  limit: number,
): (ListedJob & { title: string })[] {
  const states = ["failed", "running", "queued"] as const;
  return states.flatMap((state) => ofState(store).all(userId, state, limit));
}

/** Queues a failed job of one of the user's records again. Returns false if there is no such job. */
export function retryJob(write: Write, userId: string, id: number): boolean {
  return retryFailed(write).get(userId, id, write.now) !== null;
}
