// ctxrepo archive: hides documents from lists, or shows them again.

import { Command } from "commander";
import { withClient } from "../client.ts";
import { type ClientCommandOptions, withClientOptions } from "../client-options.ts";
import { countOf, printJson, printMessage } from "../output.ts";
import { printableLine } from "../printable.ts";
import { changeRecord } from "./change.ts";
import { confirm } from "./confirm.ts";
import { NAME_HELP, recordsNamed } from "./named.ts";

interface ArchiveOptions extends ClientCommandOptions {
  undo?: boolean;
  yes?: boolean;
}

/** The command `archive`. */
export function archiveCommand(): Command {
  return withClientOptions(new Command("archive"))
    .description("archive documents: lists no longer show them, and nothing is deleted")
    .argument("<NAME...>", NAME_HELP)
    .option("--undo", "make archived documents normal ones again")
    .option("--yes", "change several documents without asking")
    .action(archive);
}

async function archive(names: string[], { undo, yes, json, ...options }: ArchiveOptions): Promise<void> {
  const status = undo ? "published" : "archived";
  await withClient(options, async (client) => {
    const documents = await recordsNamed(client, "NAME", names, ["document"]);
    if (documents.length > 1 && !yes) {
      const lines = documents.map(({ title }) => `"${printableLine(title)}"`);
      await confirm(`${undo ? "unarchive" : "archive"} ${countOf(documents.length, "document")}`, lines);
    }
    for (const document of documents) await changeRecord(client, document, () => ({ status }));
    if (json) printJson(documents.map(({ id }) => ({ id, status })));
    for (const { title } of documents) printMessage(`"${printableLine(title)}" is ${status}`);
  });
}
