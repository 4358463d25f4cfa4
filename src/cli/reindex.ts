// ctxrepo reindex: makes the whole search index again from the records and shows the progress. A running server does
// the work; if none runs, this process does it.

import { Command } from "commander";
import { readSettings, type Settings } from "../base/config.ts";
import { databasePath } from "../db/open.ts";
import type { Store } from "../db/store.ts";
import { INDEX_JOBS } from "../jobs/kinds.ts";
import { countOpenJobs, listFailedJobs, retryFailedJobs } from "../jobs/queue.ts";
import { systemClock } from "../kernel/clock.ts";
import { Failure } from "../kernel/errors.ts";
import { repairIndex } from "../maintenance/repair-index.ts";
import { openMaintenance } from "../maintenance/worker.ts";
import { removeOrphans } from "../retrieval/generations/orphans.ts";
import { renewIndex } from "../retrieval/generations/renew.ts";
import { type DataDirOption, requireDatabase, withDataDir, withIgnoredUser } from "./data-dir.ts";
import { type Holder, hold } from "./holder.ts";
import { abortOnInterrupt } from "./interrupt.ts";
import { findProcess, rejectLostDatabase } from "./local-calls.ts";
import { countOf, printJson, printMessage } from "./output.ts";
import { showProgress } from "./progress.ts";
import { withStore } from "./user-options.ts";

const POLL_MS = 250;
/** How often to check whether this process must do the work because no server runs any more. */
const TAKE_OVER_INTERVAL_MS = 1_000;

interface ReindexOptions extends DataDirOption {
  json?: boolean;
  failed?: boolean;
}

export function reindexCommand(): Command {
  return withIgnoredUser(withDataDir(new Command("reindex")))
    .description("make the search index again from the records; searches continue meanwhile")
    .option("--failed", "only try again what could not be indexed or fetched")
    .option("--json", "print JSON")
    .action(reindex);
}

async function reindex({ dataDir, json, failed: onlyFailed = false }: ReindexOptions): Promise<void> {
  await rejectLostDatabase(dataDir);
  requireDatabase(dataDir);
  const startedAt = systemClock.monotonic();
  const settings = readSettings({ dataDir, logLevel: "error" }, process.env);
  const { signal } = abortOnInterrupt();
  const worker = openMaintenance();
  try {
    if (await repairIndex(databasePath(dataDir), worker))
      printMessage("the damaged index was removed: nothing is found until its records are indexed again");
  } finally {
    await worker.close();
  }
  await withStore(dataDir, async (store) => {
    const { enqueued, ...counts } = onlyFailed ? retry(store) : await renew(store);
    await untilIndexed({ store, settings, records: enqueued, signal });
    const failed = listFailedJobs(store).filter(({ kind }) => INDEX_JOBS.includes(kind));
    const durationMs = Math.round(systemClock.monotonic() - startedAt);
    if (json) printJson({ ...counts, failed: failed.length, durationMs });
    else {
      const seconds = (durationMs / 1000).toFixed(1);
      printMessage(`${countOf(enqueued, "record")} indexed in ${seconds} s`);
    }
    const [first] = failed;
    if (first)
      throw new Failure("unavailable", `${failed.length} records could not be indexed: ${first.error}`);
  });
}

async function renew(store: Store) {
  const orphans = await removeOrphans(store);
  const { documents, prompts } = await renewIndex(store);
  return { documents, prompts, orphans, enqueued: documents + prompts };
}

function retry(store: Store) {
  const retried = store.write(retryFailedJobs);
  return { retried, enqueued: retried };
}

interface Waiting {
  store: Store;
  settings: Settings;
  /** Number of records that were enqueued. */
  records: number;
  signal: AbortSignal;
}

/** Resolves when no job of the index is queued or running. Jobs stay queued when `signal` fires. */
async function untilIndexed({ store, settings, records, signal }: Waiting): Promise<void> {
  let holder: Holder | undefined;
  let lookAt = 0;
  if (process.stderr.isTTY !== true) printMessage(`indexing ${countOf(records, "record")}`);
  const progress = showProgress("records", records);
  try {
    for (let open = countOpenJobs(store, INDEX_JOBS); open > 0; ) {
      // A server that starts takes over.
      if (holder?.isReleasing) holder = undefined;
      if (!holder && systemClock.monotonic() >= lookAt) {
        holder = await holdUnlessServed(settings);
        lookAt = systemClock.monotonic() + TAKE_OVER_INTERVAL_MS;
      }
      await systemClock.sleep(POLL_MS, signal);
      open = countOpenJobs(store, INDEX_JOBS);
      progress.set(Math.max(0, records - open), records);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    const rest = holder ? "when a server runs, or by ctxrepo reindex" : "by the running server";
    throw new Failure("unavailable", `interrupted: the remaining records are indexed ${rest}`);
  } finally {
    progress.end();
    await holder?.release();
  }
}

/** Runs the jobs in this process, unless another one does. */
async function holdUnlessServed(settings: Settings): Promise<Holder | undefined> {
  if (await findProcess(settings.dataDir)) return undefined;
  try {
    const holder = hold(settings);
    holder.startWork();
    return holder;
  } catch (error) {
    // A process that is starting or ending.
    if (error instanceof Failure && error.kind === "conflict") return undefined;
    throw error;
  }
}
