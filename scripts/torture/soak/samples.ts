// What the soak measures of the server from outside: memory, threads, file descriptors, log size, and the age of jobs.

import type { Database } from "bun:sqlite";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { residentMemory } from "../../bench/child-server.ts";

export interface Sample {
  /** Since the load started. */
  minute: number;
  /** Resident memory: of the process itself, and pages of files. MB. */
  anonMb: number;
  fileMb: number;
  walMb: number;
  databaseMb: number;
  /** Descriptors that are not connections. */
  files: number;
  sockets: number;
  threads: number;
  jobs: number;
  /** How long the oldest job has been due, s. */
  oldestJobS: number;
}

/** Reads a sample of a running server. `reader` is a handle on its database. */
export function takeSample(pid: number, reader: Database, minute: number): Sample {
  const { anonMb, fileMb } = residentMemory(pid);
  const sizeMb = (suffix: string) => {
    const stat = statSync(reader.filename + suffix, { throwIfNoEntry: false });
    return (stat?.size ?? 0) / 1e6;
  };
  const { jobs, oldest } = reader
    .query<{ jobs: number; oldest: number | null }, []>(
      "SELECT count(*) AS jobs, min(run_at) AS oldest FROM jobs WHERE state <> 'failed'",
    )
    .get()!;
  return {
    minute,
    anonMb,
    fileMb,
    walMb: sizeMb("-wal"),
    databaseMb: sizeMb(""),
    ...countDescriptors(pid),
    threads: Number(/^Threads:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]),
    jobs,
    oldestJobS: oldest === null ? 0 : Math.max(0, (Date.now() - oldest) / 1000),
  };
}

function countDescriptors(pid: number): { files: number; sockets: number } {
  const folder = `/proc/${pid}/fd`;
  const counts = { files: 0, sockets: 0 };
  for (const name of readdirSync(folder)) {
    try {
      counts[readlinkSync(join(folder, name)).startsWith("socket:") ? "sockets" : "files"]++;
    } catch {
      // Closed in the meantime.
    }
  }
  return counts;
}

/** Slope of the line through the points by least squares, per unit of x; 0 for fewer than two points. */
export function slopeOf(points: readonly { x: number; y: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x0, y0] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const covariance = points.reduce((sum, { x, y }) => sum + (x - x0) * (y - y0), 0);
  const variance = points.reduce((sum, { x }) => sum + (x - x0) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}
