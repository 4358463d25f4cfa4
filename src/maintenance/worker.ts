// The API of the maintenance worker: work that reads a whole database file and would block its thread for seconds.

import type { Database } from "bun:sqlite";
import { openImmutable, openReader } from "../db/handles.ts";
import { openExisting, openUnchanged, reasonOf } from "../db/open.ts";
import { writeSnapshot } from "../db/snapshot.ts";
import type { Calibration } from "../engine/embedding/calibration.ts";
import { Failure } from "../kernel/errors.ts";
import { findIndexProblems, type IndexProblem } from "../retrieval/generations/index-problems.ts";
import type { WorkerApi } from "../workers/rpc.ts";
import { type SupervisedWorker, superviseWorker } from "../workers/supervisor.ts";
import { type Contents, integrityProblems, readContents } from "./contents.ts";
import { type Damage, findDamage } from "./index-tables.ts";

export interface MaintenanceApi extends WorkerApi {
  /** Writes a snapshot of a database that may be in use into a new file. Does not block writers. */
  snapshot(input: { source: string; target: string }): void;
  /** Checks a file that no process changes, such as a backup. Rejects with `unavailable` and what is wrong with it. */
  checkFile(input: { path: string }): Contents;
  /** See integrityProblems. */
  integrity(input: { path: string }): string[];
  /** The same without comparing indexes with their tables: half the time. */
  quickIntegrity(input: { path: string }): string[];
  /** See findDamage. */
  damage(input: { path: string }): Damage;
  /** See findIndexProblems. */
  index(input: { path: string; calibration: Calibration | null }): IndexProblem[];
}

export type MaintenanceWorker = SupervisedWorker<MaintenanceApi>;

/** The functions of the worker. */
export function serveMaintenance(): MaintenanceApi {
  return {
    snapshot({ source, target }) {
      const database = openExisting(source);
      try {
        writeSnapshot(database, target);
      } catch (error) {
        throw new Failure("unavailable", reasonOf(error), { cause: error });
      } finally {
        database.close();
      }
    },
    checkFile({ path }) {
      try {
        const database = openImmutable(path);
        try {
          const contents = readContents(database);
          const [problem] = integrityProblems(database);
          if (problem !== undefined) throw new Failure("unavailable", `it is damaged: ${problem}`);
          return contents;
        } finally {
          database.close();
        }
      } catch (error) {
        if (error instanceof Failure) throw error;
        throw new Failure("unavailable", reasonOf(error), { cause: error });
      }
    },
    integrity: ({ path }) => withDatabase(path, (database) => integrityProblems(database)),
    quickIntegrity: ({ path }) =>
      withDatabase(path, (database) => integrityProblems(database, { isQuick: true })),
    damage: ({ path }) => withDatabase(path, findDamage),
    // A handle with query_only cannot have the temporary tables in which SQLite lists the words.
    index: ({ path, calibration }) =>
      withDatabase(path, (database) => findIndexProblems(database, calibration), openReader),
  };
}

function withDatabase<Value>(
  path: string,
  action: (database: Database) => Value,
  open: (path: string) => Database = openUnchanged,
): Value {
  const database = open(path);
  try {
    return action(database);
  } finally {
    database.close(true);
  }
}

/** Opens the worker. It starts with the first call. */
export function openMaintenance(): MaintenanceWorker {
  return superviseWorker<MaintenanceApi>({ role: "maintenance" });
}
