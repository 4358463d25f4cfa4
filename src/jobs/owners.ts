// Jobs by the owner of the record that is their subject.

import { preparedSql } from "../db/prepared.ts";
import type { Store } from "../db/store.ts";
import { INDEX_JOBS, type JobKind } from "./kinds.ts";

/** How many jobs of a kind are queued or running. */
export interface OpenJobs {
  ofAll: number;
  ofUser: number;
}

/** The record of a queued job may have been deleted. */
const HAS_RECORD = `(EXISTS (SELECT 1 FROM documents WHERE id = jobs.subject)
  OR EXISTS (SELECT 1 FROM prompts WHERE id = jobs.subject))`;
const openOfKind = preparedSql<OpenJobs, [string, JobKind]>(
  `SELECT count(*) AS ofAll, ifnull(sum(user_id = ?1 AND ${HAS_RECORD}), 0) AS ofUser
   FROM jobs WHERE kind = ?2 AND state IN ('queued', 'running')`,
);
const openOfUser = preparedSql<{ n: number }, [string, string]>(
  `SELECT count(*) AS n FROM jobs INDEXED BY jobs_of_user
   WHERE user_id = ? AND kind IN (SELECT value FROM json_each(?)) AND state <> 'failed' AND ${HAS_RECORD}`,
);

/** The jobs of a kind that are queued or running, those for records of one user among them. */
export function countOpenOfUser(reader: Pick<Store, "sql">, kind: JobKind, userId: string): OpenJobs {
  return openOfKind(reader).get(userId, kind)!;
}

/** How many records of a user are not completely indexed yet. */
export function countPending(reader: Pick<Store, "sql">, userId: string): number {
  return openOfUser(reader).get(userId, JSON.stringify(INDEX_JOBS))!.n;
}
