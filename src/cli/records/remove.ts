// ctxrepo rm: deletes documents, prompts or collections with their versions.

import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { Command } from "commander";
import { dataOf } from "../../requests/reply.ts";
import { withClient } from "../client.ts";
import { type ClientCommandOptions, withClientOptions } from "../client-options.ts";
import { countOf, printJson, printMessage } from "../output.ts";
import { printableLine } from "../printable.ts";
import { confirm } from "./confirm.ts";
import { NAME_HELP, PATH_OF, recordsNamed } from "./named.ts";

interface RemoveOptions extends ClientCommandOptions {
  yes?: boolean;
}

/** The command `rm`. */
export function removeCommand(): Command {
  return withClientOptions(new Command("rm"))
    .description("delete documents, prompts or collections with all their versions")
    .argument("<NAME...>", NAME_HELP)
    .option("--yes", "delete several records without asking")
    .action(remove);
}

async function remove(names: string[], { yes, json, ...options }: RemoveOptions): Promise<void> {
  await withClient(options, async (client) => {
    const records = await recordsNamed(client, "NAME", names, ["document", "prompt", "collection"]);
    if (records.length > 1 && !yes) {
      const lines = records.map(({ type, title }) => `${type} "${printableLine(title)}"`);
      await confirm(`delete ${countOf(records.length, "record")}`, lines);
    }
    for (const { type, id } of records) {
      const reply = await client.request("DELETE", `${PATH_OF[type]}/${id}`);
      if (reply.status >= 300) dataOf(reply);
    }
    if (json) printJson(records);
    for (const { type, title, place } of records) {
      const isKept = place !== null && isAbsolute(place) && existsSync(place);
      const hint = isKept ? `; the next import of ${printableLine(place)} stores it again` : "";
      printMessage(`deleted the ${type} "${printableLine(title)}"${hint}`);
    }
  });
}
