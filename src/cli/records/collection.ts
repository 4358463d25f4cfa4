// ctxrepo collection: makes collections, puts documents and prompts into them, and takes them out.

import { Command } from "commander";
import { addItems, removeItems } from "../../importing/collections.ts";
import { dataOf } from "../../requests/reply.ts";
import { withClient } from "../client.ts";
import { type ClientCommandOptions, withClientOptions } from "../client-options.ts";
import { print, printJson, printMessage } from "../output.ts";
import { printableLine } from "../printable.ts";
import { NAME_HELP, PATH_OF, recordNamed, recordsNamed, TEXT_TYPES, type TextType } from "./named.ts";

const COLLECTION_HELP = "its name or id, or the start of its id";

/** The command with its subcommands. */
export function collectionCommand(): Command {
  return new Command("collection")
    .description("create collections, and change what is in them")
    .addCommand(
      withClientOptions(new Command("create"))
        .description("create an empty collection and print its id")
        .argument("<TITLE>", "its name")
        .action(create),
    )
    .addCommand(
      withClientOptions(new Command("add"))
        .description("add documents and prompts to a collection")
        .argument("<COLLECTION>", COLLECTION_HELP)
        .argument("<NAME...>", NAME_HELP)
        .action(add),
    )
    .addCommand(
      withClientOptions(new Command("remove"))
        .description("take documents and prompts out of a collection; they are not deleted")
        .argument("<COLLECTION>", COLLECTION_HELP)
        .argument("<NAME...>", NAME_HELP)
        .action(remove),
    );
}

async function create(name: string, { json, ...options }: ClientCommandOptions): Promise<void> {
  await withClient({ ...options, creates: true }, async (client) => {
    const { id } = dataOf(await client.request("POST", PATH_OF.collection, { body: { name } }));
    if (json) printJson({ id, name });
    else print(id);
  });
}

const add = (collection: string, names: string[], options: ClientCommandOptions): Promise<void> =>
  change({ collection, names, put: addItems, done: "is in" }, options);

const remove = (collection: string, names: string[], options: ClientCommandOptions): Promise<void> =>
  change({ collection, names, put: removeItems, done: "is no longer in" }, options);

interface Change {
  collection: string;
  names: string[];
  put: typeof addItems;
  /** Says what has been done. */
  done: string;
}

async function change(
  { collection, names, put, done }: Change,
  { json, ...options }: ClientCommandOptions,
): Promise<void> {
  await withClient(options, async (client) => {
    const types = ["collection"] as const;
    const { id, title } = await recordNamed(client, { argument: "COLLECTION", name: collection, types });
    const records = await recordsNamed(client, "NAME", names, TEXT_TYPES);
    const items = records.map((record) => ({ id: record.id, kind: record.type as TextType }));
    await put(client, id, items);
    if (json) printJson({ id, items: items.map((item) => item.id) });
    for (const record of records)
      printMessage(`"${printableLine(record.title)}" ${done} "${printableLine(title)}"`);
  });
}
