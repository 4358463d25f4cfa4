// Writes a backup: a snapshot of the database in one file, made while a server may be writing, checked before it gets
// its name.

import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { databasePath } from "../db/open.ts";
import type { Clock } from "../kernel/clock.ts";
import { Failure, messageOf, reasonOf } from "../kernel/errors.ts";
import { rejectDataDirectory } from "./backup-place.ts";
import type { Contents } from "./contents.ts";
import { syncEntry, syncFile } from "./sync.ts";
import type { MaintenanceWorker } from "./worker.ts";

export interface Backup extends Contents {
  /** Absolute path of the file. */
  file: string;
  bytes: number;
  durationMs: number;
}

export interface BackupOptions {
  dataDir: string;
  file: string;
  worker: Pick<MaintenanceWorker, "call">;
  /** Writes the snapshot into a new file; default: from the database in the data directory. */
  takeSnapshot?: (target: string) => Promise<void>;
  clock: Clock;
  /** When it fires, what was written is removed, and the promise rejects with its reason. */
  signal: AbortSignal;
}

/**
 * Writes `file`, mode 0600. Throws `conflict` if it exists, and `unavailable` if it cannot
 * be written or the database is damaged. A failure leaves nothing behind.
 */
export async function backUp({ dataDir, worker, clock, signal, ...options }: BackupOptions): Promise<Backup> {
  const startedAt = clock.monotonic();
  const file = resolve(options.file);
  const source = databasePath(resolve(dataDir));
  const { takeSnapshot = (target) => worker.call.snapshot({ source, target }) } = options;
  rejectDataDirectory(file, dataDir);
  rejectExisting(file);
  const folder = makeFolder(file);
  try {
    const snapshot = join(folder, basename(file));
    await orAborted(takeSnapshot(snapshot), signal).catch((error) => {
      signal.throwIfAborted();
      throw new Failure("unavailable", `no backup was written: ${messageOf(error)}`, { cause: error });
    });
    chmodSync(snapshot, 0o600);
    syncFile(snapshot);
    const contents = await orAborted(worker.call.checkFile({ path: snapshot }), signal).catch((error) => {
      signal.throwIfAborted();
      const message = `no backup was written, because the snapshot cannot be used: ${messageOf(error)}`;
      throw new Failure("unavailable", message, { cause: error });
    });
    const bytes = statSync(snapshot).size;
    rejectExisting(file);
    renameSync(snapshot, file);
    syncEntry(file);
    return { file, bytes, ...contents, durationMs: Math.round(clock.monotonic() - startedAt) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rejectExisting(file: string): void {
  if (existsSync(file)) throw new Failure("conflict", `${file} exists already: choose another name`);
}

/**
 * A private folder beside the file, so that a rename suffices at the end and nobody else can read what is written until
 * then.
 */
function makeFolder(file: string): string {
  try {
    return mkdtempSync(join(dirname(file), ".ctxrepo-backup-"));
  } catch (error) {
    const message = `cannot write to ${dirname(file)}: ${reasonOf(error)}`;
    throw new Failure("unavailable", message, { cause: error });
  }
}

/** The promise, or a rejection with the reason of `signal` as soon as that fires. */
async function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
