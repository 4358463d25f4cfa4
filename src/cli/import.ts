// ctxrepo import: stores files as documents and prompts, and repeats that without making anything twice.

import { existsSync } from "node:fs";
import { Command } from "commander";
import { databasePath } from "../db/open.ts";
import { systemClock } from "../kernel/clock.ts";
import { badRequest, Failure } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import { LIMITS } from "../kernel/limits.ts";
import { tagProblems } from "../kernel/tags.ts";
import { utf8Length } from "../kernel/text.ts";
import { withClient } from "./client.ts";
import { type ClientCommandOptions, collect, withClientOptions } from "./client-options.ts";
import type { Outcome } from "../importing/import-record.ts";
import type { Importer } from "./importing/import-file.ts";
import { emptyStore, type ImportClient, readKnownRecords } from "./importing/known.ts";
import { openFileReader } from "./importing/read-file.ts";
import { runImport } from "./importing/run.ts";
import { findFiles } from "./importing/find-files.ts";
import { openChanges, watchPaths } from "./importing/watch.ts";
import { countOf, print, printMessage } from "./output.ts";
import { describePending, readPending, waitUntilIndexed } from "./pending.ts";
import { printableJson, printableLine } from "./printable.ts";
import { parseUser } from "./user-options.ts";

interface ImportCommandOptions extends ClientCommandOptions {
  tag?: string[];
  collection?: string;
  wait?: boolean;
  watch?: boolean;
  prune?: boolean;
  pruneEmptied?: boolean;
  force?: boolean;
  dryRun?: boolean;
}

export function importCommand(): Command {
  return withClientOptions(new Command("import"))
    .description("store Markdown, text, HTML, PDF and Word files as documents and prompts")
    .argument("<PATH...>", "files and folders; the same path is the same record")
    .option("--tag <TAG>", "add this tag to every record; repeatable", collect)
    .option(
      "--collection <NAME>",
      "add the records to this collection, which is created if it does not exist",
    )
    .option("--wait", "return when everything is indexed; without a server, import always does")
    .option("--watch", "keep running and import what changes")
    .option("--prune", "delete the records of files that are gone from the given folders")
    .option("--prune-emptied", "like --prune, also for a folder that has become empty")
    .option("--force", "overwrite edits that were made in the store")
    .option("--dry-run", "only say what would be done")
    .action(run);
}

async function run(paths: string[], options: ImportCommandOptions): Promise<void> {
  checkOptions(options);
  const interrupted = new AbortController();
  const onSignal = () => interrupted.abort();
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);
  const report = reporter(options.json === true);
  const { dryRun = false, dataDir } = options;
  const all = { paths, options, report, signal: interrupted.signal };
  try {
    if (dryRun && !existsSync(databasePath(dataDir))) await importInto(emptyStore(), all);
    else {
      const connection = { ...options, creates: !dryRun, indexes: true };
      await withClient(connection, (client) => importInto(client, all));
    }
  } finally {
    report.end();
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
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

function checkOptions({ tag = [], collection, user }: ImportCommandOptions): void {
  parseUser(user);
  const [problem] = tagProblems(tag, "--tag");
  if (problem) throw badRequest({ ...problem, path: "--tag" });
  const isName = collection === undefined || collection.trim() !== "";
  if (!isName || utf8Length(collection ?? "") > LIMITS.title.bytes) {
    throw badRequest({ path: "--collection", message: `must have 1 to ${LIMITS.title.bytes} bytes` });
  }
}

interface Run {
  paths: string[];
  options: ImportCommandOptions;
  report: Reporter;
  signal: AbortSignal;
}

async function importInto(client: ImportClient, { paths, options, report, signal }: Run): Promise<void> {
  const reader = openFileReader();
  const { tag: tags = [], force = false, dryRun = false, collection, pruneEmptied = false } = options;
  const prune = options.prune === true || pruneEmptied;
  const importer: Importer = {
    client,
    reader,
    digest: sha256Hex,
    known: await readKnownRecords(client),
    tags,
    options: { force, dryRun },
  };
  const runOptions = { collection, prune, pruneEmptied, signal, report: report.add };
  try {
    if (options.watch === true) {
      const changes = openChanges();
      const later = { ...runOptions, report: report.change };
      let isFirst = true;
      const pass = async (): Promise<void> => {
        const found = findFiles(paths);
        const only = { ...found, files: changes.find(found.files), skipped: isFirst ? found.skipped : [] };
        await runImport(importer, only, isFirst ? runOptions : later);
        changes.accept();
        isFirst = false;
      };
      await pass();
      if (!signal.aborted) printMessage(`watching ${paths.join(", ")} (Ctrl-C ends)`);
      await watchPaths(paths, pass, signal);
    } else {
      await runImport(importer, findFiles(paths), runOptions);
      if (dryRun || signal.aborted) return;
      if (!(await client.usesServer())) await indexUnlessInterrupted(client, signal);
      else if (options.wait) await waitUntilIndexed(client, signal);
      else report.pending = await readPending(client);
    }
  } finally {
    await reader.close();
  }
}

/** Waits for the index if this process makes it. What is left when `signal` fires is indexed by the next import or server. */
async function indexUnlessInterrupted(client: ImportClient, signal: AbortSignal): Promise<void> {
  const { promise: interrupted, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await Promise.race([client.finishJobs(), interrupted]);
}

interface Reporter {
  counts: Record<Outcome["status"], number>;
  /** Records that a server still indexes, for the summary. */
  pending: number;
  add(outcome: Outcome): void;
  /** Also says on stderr what was done; for --watch. */
  change(outcome: Outcome): void;
  /** Prints the summary. */
  end(): void;
}

/** Prints outcomes: as members of one JSON array, or only those that need attention. */
function reporter(asJson: boolean): Reporter {
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, conflict: 0, pruned: 0, failed: 0 };
  const startedAt = systemClock.monotonic();
  const reported = new Set<string>();
  let isFirst = true;
  const line = ({ path, status, reason }: Outcome) =>
    `${status} ${printableLine(path)}${reason === undefined ? "" : `: ${printableLine(reason)}`}`;
  const add = (outcome: Outcome) => {
    counts[outcome.status]++;
    if (asJson) print(`${isFirst ? "[" : ","}${printableJson(outcome, 0)}`);
    isFirst = false;
    const needsAttention = outcome.status === "failed" || outcome.status === "conflict";
    if (needsAttention || (outcome.reason !== undefined && outcome.status !== "skipped")) {
      printMessage(line(outcome));
    }
  };
  return {
    counts,
    pending: 0,
    add,
    change(outcome) {
      const text = line(outcome);
      // What cannot be read is found again by every walk.
      if (outcome.status === "failed" && reported.has(text)) return;
      reported.add(text);
      add(outcome);
      if (["created", "updated", "pruned"].includes(outcome.status)) printMessage(text);
    },
    end() {
      if (asJson) print(isFirst ? "[]" : "]");
      const seconds = ((systemClock.monotonic() - startedAt) / 1_000).toFixed(1);
      const parts = Object.entries(counts).filter(([, count]) => count > 0);
      const list = parts.map(([status, count]) => `${count.toLocaleString("en")} ${status}`).join(", ");
      printMessage(`${list === "" ? "no files" : list} (${seconds} s)`);
      if (this.pending > 0) printMessage(describePending(this.pending));
    },
  };
}
