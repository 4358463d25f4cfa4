// ctxrepo backup: writes a checked copy of the database into one file. Works whether a server runs or not.

import { Command } from "commander";
import { systemClock } from "../kernel/clock.ts";
import { backUp } from "../maintenance/backup.ts";
import { openMaintenance } from "../maintenance/worker.ts";
import { type DataDirOption, requireDatabase, withDataDir, withIgnoredUser } from "./data-dir.ts";
import { abortOnInterrupt } from "./interrupt.ts";
import { findLostDatabase, requestSnapshot } from "./local-calls.ts";
import { countOf, printJson, printMessage } from "./output.ts";

interface BackupOptions extends DataDirOption {
  json?: boolean;
}

export function backupCommand(): Command {
  return withIgnoredUser(withDataDir(new Command("backup")))
    .description("write a checked copy of the database into one file, also while a server runs")
    .argument("<FILE>", "the new file; an existing one is not replaced")
    .option("--json", "print JSON")
    .action(backup);
}

async function backup(file: string, { dataDir, json }: BackupOptions): Promise<void> {
  const lost = await findLostDatabase(dataDir);
  if (!lost) requireDatabase(dataDir);
  const worker = openMaintenance();
  const { signal } = abortOnInterrupt();
  const written = await backUp({
    ...{ dataDir, file, worker, clock: systemClock, signal },
    ...(lost && { takeSnapshot: (target) => requestSnapshot(lost, target, signal) }),
  }).finally(() => worker.close());
  if (json) return printJson(written);
  const { documents, prompts, collections, bytes, durationMs } = written;
  const size = `${(bytes / 1e6).toFixed(1)} MB in ${(durationMs / 1000).toFixed(1)} s`;
  printMessage(
    `${written.file}: ${countOf(documents, "document")}, ${countOf(prompts, "prompt")}, ${countOf(collections, "collection")}, ${size}, checked`,
  );
}
