// ctxrepo restore: replaces the database by a backup. Rejected while a server runs.

import { Command } from "commander";
import { restore } from "../maintenance/restore.ts";
import { openMaintenance } from "../maintenance/worker.ts";
import { type DataDirOption, withDataDir, withIgnoredUser } from "./data-dir.ts";
import { countOf, printJson, printMessage } from "./output.ts";

interface RestoreOptions extends DataDirOption {
  force?: boolean;
  json?: boolean;
}

export function restoreCommand(): Command {
  return withIgnoredUser(withDataDir(new Command("restore")))
    .description("replace the database by a backup; the replaced one is kept next to the backup")
    .argument("<FILE>", "a file that `ctxrepo backup` wrote")
    .option("--force", "replace the file that an earlier restore kept")
    .option("--json", "print JSON")
    .action(restoreFile);
}

async function restoreFile(file: string, { dataDir, force = false, json }: RestoreOptions): Promise<void> {
  const worker = openMaintenance();
  const restored = await restore({ file, dataDir, force, worker }).finally(() => worker.close());
  if (json) return printJson(restored);
  const { documents, prompts, collections, keptAt } = restored;
  printMessage(
    `restored ${restored.file}: ${countOf(documents, "document")}, ${countOf(prompts, "prompt")}, ${countOf(collections, "collection")}`,
  );
  if (keptAt !== null) printMessage(`the replaced database is ${keptAt}`);
}
