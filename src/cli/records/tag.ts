// ctxrepo tag: shows, adds and removes the tags of a record.

import { Command } from "commander";
import { badRequest } from "../../kernel/errors.ts";
import { dataOf } from "../../requests/reply.ts";
import { withClient } from "../client.ts";
import { type ClientCommandOptions, withClientOptions } from "../client-options.ts";
import { print, printJson } from "../output.ts";
import { printableLine } from "../printable.ts";
import { changeRecord } from "./change.ts";
import { NAME_HELP, PATH_OF, recordNamed } from "./named.ts";

/** The command `tag`. */
export function tagCommand(): Command {
  return (
    withClientOptions(new Command("tag"))
      .description("show the tags of a record, or add (+TAG) and remove (-TAG) some")
      .argument("<NAME>", NAME_HELP)
      .argument("[CHANGE...]", "+TAG adds a tag, -TAG removes one")
      // `-draft` is a change and not an option.
      .allowUnknownOption()
      .action(tag)
  );
}

async function tag(
  name: string,
  changes: string[],
  { json, ...options }: ClientCommandOptions,
): Promise<void> {
  const wrong = changes.find((change) => !/^[+-][^-]/.test(change));
  if (wrong !== undefined) throw badRequest({ path: "CHANGE", message: `${wrong} must be +TAG or -TAG` });
  const chosen = (sign: string) => changes.filter((one) => one.startsWith(sign)).map((one) => one.slice(1));
  const [added, removed] = [chosen("+"), chosen("-")];
  await withClient({ ...options, indexes: true }, async (client) => {
    const types = ["document", "prompt", "collection"] as const;
    const record = await recordNamed(client, { argument: "NAME", name, types });
    const without = (tags: string[]) => tags.filter((one) => !removed.includes(one));
    const change = ({ tags }: { tags: string[] }) => ({ tags: [...new Set([...without(tags), ...added])] });
    if (changes.length > 0) await changeRecord(client, record, change);
    const { tags } = dataOf(await client.request("GET", `${PATH_OF[record.type]}/${record.id}`));
    if (json) printJson(tags);
    else for (const one of tags) print(printableLine(one));
    await client.finishJobs();
  });
}
