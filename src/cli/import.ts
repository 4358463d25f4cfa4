// ctxrepo import: stores files as documents and prompts, and repeats that without making anything twice.

import { existsSync } from "node:fs";
import { Command } from "commander";
import { databasePath } from "../db/open.ts";
import { badRequest, Failure } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import { withClient } from "./client.ts";
import { type ClientCommandOptions, withClientOptions } from "./client-options.ts";
import {
  checkSourceOptions,
  type SourceFlags,
  sourceOptions,
  withSourceOptions,
} from "./importing/source-options.ts";
import { emptyStore, type ImportClient, readKnownRecords } from "./importing/known.ts";
import { findMoves } from "./importing/moves.ts";
import { prune } from "./importing/prune.ts";
import { openFileReader } from "./importing/read-file.ts";
import { openReport, type Reporter } from "./importing/report.ts";
import { runImport } from "./importing/run.ts";
import { noteImported, rememberedSources, rememberFound, type Source } from "./importing/sources.ts";
import { type ReadSource, readSource, watchSources } from "./importing/watch-sources.ts";
import { countOf } from "./output.ts";
import { readPending, waitUntilIndexed } from "./pending.ts";
import { parseUser } from "./user-options.ts";

interface ImportCommandOptions extends ClientCommandOptions, SourceFlags {
  wait?: boolean;
  watch?: boolean;
  prune?: boolean;
  pruneEmptied?: boolean;
  force?: boolean;
  dryRun?: boolean;
  asIs?: boolean;
}

export function importCommand(): Command {
  const command = withClientOptions(new Command("import"))
    .description(
      "store files as documents and prompts: Markdown, text, web pages, PDF, Office files, tables, mails and more",
    )
    .argument("[PATH...]", "files and folders; without one, the remembered folders: all that were imported");
  return withSourceOptions(command)
    .option("--wait", "return when everything is indexed; without a server, import always does")
    .option("--watch", "keep running and import what changes")
    .option("--prune", "delete the records of files that are gone from the folders")
    .option("--prune-emptied", "like --prune, also for a folder that has become empty")
    .option("--force", "overwrite edits that were made in the store")
    .option("--as-is", "keep all of a saved web page, with its menus and footers")
    .option("--dry-run", "only say what would be done")
    .action(run);
}

async function run(paths: string[], options: ImportCommandOptions): Promise<void> {
  checkOptions(paths, options);
  const interrupted = new AbortController();
  const onSignal = () => interrupted.abort();
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);
  // `serve --watch` starts this command, which ends with the server.
  if (options.watch) process.once("disconnect", onSignal);
  const report = openReport(options);
  const { dryRun = false, dataDir } = options;
  const all = { paths, options, report, signal: interrupted.signal };
  try {
    if (dryRun && paths.length > 0 && !existsSync(databasePath(dataDir))) await importInto(emptyStore(), all);
    else {
      const connection = { ...options, creates: !dryRun && paths.length > 0, indexes: true };
      await withClient(connection, (client) => importInto(client, all));
    }
    report.end();
  } catch (error) {
    // What was done until then.
    report.end({ isComplete: false });
    throw error;
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
    process.off("disconnect", onSignal);
  }
  const { failed, conflict } = report.counts;
  if (interrupted.signal.aborted && options.watch !== true) {
    throw new Failure("unavailable", "interrupted: run the command again to continue");
  }
  if (failed + conflict > 0) {
    const parts = [
      ...(failed > 0 ? [`${countOf(failed, "file")} failed`] : []),
      ...(conflict > 0
        ? [`${countOf(conflict, "conflict")} (--force overwrites edits made in the store)`]
        : []),
    ];
    throw new Failure("conflict", parts.join(", "));
  }
}

function checkOptions(paths: readonly string[], options: ImportCommandOptions): void {
  parseUser(options.user);
  checkSourceOptions(options);
  if (options.dryRun && options.watch)
    throw badRequest({ path: "--dry-run", message: "cannot be used with --watch" });
  if (paths.length > 0) return;
  for (const name of ["tag", "collection", "kind", "code", "exclude"] as const) {
    if (options[name] === undefined) continue;
    const message = "needs a PATH: remembered folders have their own (ctxrepo folders add changes them)";
    throw badRequest({ path: `--${name}`, message });
  }
}

interface Run {
  paths: string[];
  options: ImportCommandOptions;
  report: Reporter;
  signal: AbortSignal;
}

async function importInto(client: ImportClient, { paths, options, report, signal }: Run): Promise<void> {
  const { force = false, dryRun = false, watch = false, pruneEmptied = false } = options;
  const given: Source = { ...sourceOptions(options), paths };
  const isGiven = paths.length > 0;
  const readSources = () => (isGiven ? [given] : rememberedSources(client));
  const first = await readSources();
  if (first.length === 0) {
    const message = "no folder is remembered: name one, such as ctxrepo import ~/notes";
    throw badRequest({ path: "PATH", message });
  }
  const reader = openFileReader({ asIs: options.asIs });
  try {
    const importer = {
      client,
      reader,
      digest: sha256Hex,
      known: await readKnownRecords(client),
      options: { force, dryRun },
    };
    const isPruning = options.prune === true || pruneEmptied;
    const importAll = async (read: readonly ReadSource[], add: Reporter["add"]): Promise<void> => {
      const all = {
        files: read.flatMap(({ found }) => found.files),
        failed: read.flatMap(({ found }) => found.failed),
        unpacked: new Map<string, string[]>(),
      };
      const moves = findMoves(importer, all);
      for (const { source, found, isNew } of read) {
        if (signal.aborted) return;
        const { tags, collection } = source;
        if (isGiven && isNew && !dryRun) await rememberFound(client, found, source);
        await runImport({ ...importer, tags, moves }, found, { collection, signal, report: add });
        const isWork = isNew || found.files.length > 0;
        if (isWork && !dryRun && !signal.aborted) await noteImported(client, found);
      }
      // Last, because a file may have been moved from one folder to another.
      for (const { found } of isPruning ? read : []) {
        if (signal.aborted) return;
        for await (const outcome of prune(importer, found, { emptied: pruneEmptied })) {
          add(outcome);
          if (signal.aborted) return;
        }
      }
    };
    if (watch) return await watchSources({ first, readSources, importAll, report, signal });
    const read = first.map(readSource);
    report.ignored = read.reduce((sum, { found }) => sum + found.ignored, 0);
    await importAll(read, report.add);
    if (dryRun || signal.aborted) return;
    if (!(await client.usesServer())) await indexUnlessInterrupted(client, signal);
    else if (options.wait) await waitUntilIndexed(client, signal);
    else report.pending = await readPending(client);
  } finally {
    await reader.close();
  }
}

/**
 * Waits for the index if this process makes it. What is left when `signal` fires is indexed by the next import or
 * server.
 */
async function indexUnlessInterrupted(client: ImportClient, signal: AbortSignal): Promise<void> {
  const { promise: interrupted, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await Promise.race([client.finishJobs(), interrupted]);
}
