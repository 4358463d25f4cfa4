// ctxrepo mv: gives a document, prompt or collection another title.

import { Command } from "commander";
import { withClient } from "../client.ts";
import { type ClientCommandOptions, withClientOptions } from "../client-options.ts";
import { printJson, printMessage } from "../output.ts";
import { printableLine } from "../printable.ts";
import { changeRecord } from "./change.ts";
import { NAME_HELP, recordNamed } from "./named.ts";

/** The command `mv`. */
export function moveCommand(): Command {
  return withClientOptions(new Command("mv"))
    .description("give a document, prompt or collection another title")
    .argument("<NAME>", NAME_HELP)
    .argument("<TITLE>", "the new title")
    .action(move);
}

async function move(name: string, title: string, { json, ...options }: ClientCommandOptions): Promise<void> {
  await withClient({ ...options, indexes: true }, async (client) => {
    const types = ["document", "prompt", "collection"] as const;
    const record = await recordNamed(client, { argument: "NAME", name, types });
    await changeRecord(client, record, () => (record.type === "collection" ? { name: title } : { title }));
    if (json) printJson({ id: record.id, title });
    printMessage(`"${printableLine(record.title)}" is now "${printableLine(title)}"`);
    await client.finishJobs();
  });
}
