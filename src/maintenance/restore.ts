// Restores a backup: checks it, keeps the database that it replaces, and swaps the two while no other process uses
// them.

import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { databasePath } from "../db/open.ts";
import { lockDataDirectory } from "../db/server-lock.ts";
import { Failure, messageOf, notFound } from "../kernel/errors.ts";
import { rejectDataDirectory } from "./backup-place.ts";
import type { Contents } from "./contents.ts";
import { foldLog, installStaged, keepCopy, removeStaged, stagedPath } from "./replace.ts";
import { copyDurably } from "./sync.ts";
import type { MaintenanceWorker } from "./worker.ts";

export interface Restored extends Contents {
  /** Absolute path of the backup. */
  file: string;
  /** Absolute path of the replaced database; null if there was none. */
  keptAt: string | null;
}

export interface RestoreOptions {
  file: string;
  dataDir: string;
  /** Whether a file that an earlier restore kept may be replaced. */
  force: boolean;
  worker: Pick<MaintenanceWorker, "call">;
}

const KEPT_NAME = "ctxrepo.db.before-restore";

/**
 * Makes the backup the database of the data directory, which is created if necessary. The replaced database is kept
 * next to the backup. Throws `not-found` without the file, `unavailable` if it is no intact database of this program,
 * and `conflict` if a process uses the data directory or a kept file would be lost. Nothing has changed then.
 */
export async function restore({ force, worker, ...options }: RestoreOptions): Promise<Restored> {
  const file = resolve(options.file);
  const dataDir = resolve(options.dataDir);
  const database = databasePath(dataDir);
  const kept = join(dirname(file), KEPT_NAME);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw notFound(`file ${file}`);
  rejectDataDirectory(file, dataDir);
  const hasDatabase = existsSync(database);
  if (hasDatabase && existsSync(kept) && !force) {
    throw new Failure(
      "conflict",
      `${kept} exists: an earlier restore kept it. Move it away, or add --force to replace it`,
    );
  }
  rejectLog(file);
  const contents = await worker.call.checkFile({ path: file }).catch((error) => {
    throw new Failure("unavailable", `${file} cannot be restored: ${messageOf(error)}`, { cause: error });
  });

  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockDataDirectory(dataDir);
  try {
    chmodSync(dataDir, 0o700);
    removeStaged(dataDir);
    copyDurably(file, stagedPath(dataDir));
    if (hasDatabase) {
      foldLog(database);
      keepCopy(database, kept);
    }
    installStaged(dataDir);
  } catch (error) {
    removeStaged(dataDir);
    if (error instanceof Failure) throw error;
    throw new Failure("unavailable", `nothing was restored: ${messageOf(error)}`, { cause: error });
  } finally {
    unlock();
  }
  return { file, keptAt: hasDatabase ? kept : null, ...contents };
}

/** A plain copy of a database in use has its newest commits in a second file. */
function rejectLog(file: string): void {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (!log || log.size === 0) return;
  throw new Failure(
    "unavailable",
    `${file} was copied from a database in use: its newest records are in ${file}-wal. Move both into an empty folder ` +
      "as ctxrepo.db and ctxrepo.db-wal, make a backup with --data-dir FOLDER, and restore that",
  );
}
