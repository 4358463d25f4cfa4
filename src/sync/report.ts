// What a run has done, or would do.

import type { Kind } from "./records.ts";

export type Action =
  | "created"
  | "updated"
  | "merged"
  | "archived"
  | "deleted"
  | "paired"
  | "waiting"
  | "conflict"
  | "failed";

/** One record of the report. */
export interface Line {
  action: Action;
  kind: Kind;
  title: string;
  /** Where it was written: on this server or on the other one; both for a merged record. */
  side: "here" | "there" | "both";
  /** The id of the record here, or there if it is not here. */
  id: string;
  reason?: string;
}

export interface Report {
  /** At most MAX_LINES; the counts are complete. */
  lines: Line[];
  counts: Record<Action, number>;
  unchanged: number;
  isDryRun: boolean;
}

const MAX_LINES = 10_000;

/** A report of nothing. */
export function emptyReport(isDryRun: boolean): Report {
  const actions = [
    "created",
    "updated",
    "merged",
    "archived",
    "deleted",
    "paired",
    "waiting",
    "conflict",
    "failed",
  ];
  const counts = Object.fromEntries(actions.map((action) => [action, 0])) as Report["counts"];
  return { lines: [], counts, unchanged: 0, isDryRun };
}

/** Adds what was done to one record. */
export function note(report: Report, line: Line): void {
  report.counts[line.action]++;
  if (report.lines.length < MAX_LINES) report.lines.push(line);
}
