// Jobs by the owner of the document that is their subject.

import { preparedSql } from "../db/prepared.ts";
import type { Store } from "../db/store.ts";
import type { JobKind } from "./kinds.ts";

/** How many jobs of a kind are queued or running. */
export interface OpenJobs {
  ofAll: number;
  ofUser: number;
}

const openOfKind = preparedSql<OpenJobs, [string, JobKind]>(
  `SELECT count(*) AS ofAll, ifnull(sum(document.user_id = ?1), 0) AS ofUser
   FROM jobs LEFT JOIN documents AS document ON document.id = jobs.subject
   WHERE jobs.kind = ?2 AND jobs.state IN ('queued', 'running')`,
);

/** The jobs of a kind that are queued or running, those for documents of one user among them. */
export function countOpenOfUser(reader: Pick<Store, "sql">, kind: JobKind, userId: string): OpenJobs {
  return openOfKind(reader).get(userId, kind)!;
}
