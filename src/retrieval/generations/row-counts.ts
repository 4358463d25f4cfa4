// How much is stored: rows that are counted from indexes, for monitoring.

import type { Database } from "bun:sqlite";
import { LANES } from "../../jobs/kinds.ts";

export interface RowCounts {
  documents: number;
  prompts: number;
  /** Documents that can be searched, and their chunks. */
  liveGenerations: number;
  liveChunks: number;
  /** Every combination of kind and state. */
  jobs: { kind: string; state: string; jobs: number }[];
}

const JOB_STATES = ["queued", "running", "failed"];

/** Counts rows of one database. */
export function countRows(database: Database): RowCounts {
  const records = database
    .query<Omit<RowCounts, "jobs">, []>(
      `SELECT (SELECT count(*) FROM documents) AS documents,
              (SELECT count(*) FROM prompts) AS prompts,
              count(*) AS liveGenerations, coalesce(sum(chunk_count), 0) AS liveChunks
       FROM index_generations WHERE state = 'live'`,
    )
    .get()!;
  const counted = database
    .query<{ kind: string; state: string; jobs: number }, []>(
      "SELECT kind, state, count(*) AS jobs FROM jobs GROUP BY kind, state",
    )
    .all();
  const jobs = LANES.flatMap(({ kinds }) => kinds).flatMap((kind) =>
    JOB_STATES.map((state) => {
      const found = counted.find((one) => one.kind === kind && one.state === state);
      return { kind, state, jobs: found?.jobs ?? 0 };
    }),
  );
  return { ...records, jobs };
}
