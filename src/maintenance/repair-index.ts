// Finds damage of the search index and removes it, so that the index can be made again.

import { dirname } from "node:path";
import { Failure } from "../kernel/errors.ts";
import { openMaintenance, type MaintenanceWorker } from "./worker.ts";
import type { Damage } from "./index-tables.ts";
import { rebuildFile } from "./rebuild.ts";

/** Checks a database that may be in use, in a thread of its own. Null if it is intact. */
export async function findDamagedTables(path: string): Promise<Damage | null> {
  const worker = openMaintenance();
  try {
    const problems = await worker.call.quickIntegrity({ path });
    return problems.length === 0 ? null : await worker.call.damage({ path });
  } finally {
    await worker.close();
  }
}

/**
 * Replaces the database by one with the same records and an empty index if its index is damaged. Returns whether it
 * was. Throws `conflict` if it is and a process uses the database, and `unavailable` if records are damaged, too.
 */
export async function repairIndex(path: string, worker: Pick<MaintenanceWorker, "call">): Promise<boolean> {
  const problems = await worker.call.integrity({ path });
  if (problems.length === 0) return false;
  const { index, records } = await worker.call.damage({ path });
  if (records.length > 0) {
    throw new Failure(
      "unavailable",
      `records are damaged (${records.join(", ")}), not only the index: restore a backup`,
    );
  }
  // Pages that belong to no table: the index is not affected.
  if (index.length === 0) return false;
  try {
    rebuildFile(dirname(path));
  } catch (error) {
    if (!(error instanceof Failure && error.kind === "conflict")) throw error;
    const message = `the index is damaged (${index.join(", ")}) and can be rebuilt only while no server runs: stop it, and try again`;
    throw new Failure("conflict", message, { cause: error });
  }
  return true;
}
