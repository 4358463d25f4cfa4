// ctxrepo list: the documents, prompts or collections of a user, newest first. Reads and prints page by page.

import { Argument, Command } from "commander";
import { badRequest } from "../kernel/errors.ts";
import { type Client, withClient } from "./client.ts";
import {
  type ClientCommandOptions,
  collect,
  PATH_HELP,
  parseKind,
  pathPrefix,
  parseWholeNumber,
  withClientOptions,
} from "./client-options.ts";
import { printMessage } from "./output.ts";
import { paged, type WriteText } from "./pager.ts";
import { printableJson, printableLine } from "./printable.ts";
import { recordNamed } from "./records/named.ts";
import { fit, outputStyle } from "./style.ts";
import { walk } from "../requests/walk.ts";

const KINDS = ["documents", "prompts", "collections"] as const;
const MAX_LIMIT = 999_999_999;
const COLUMN_GAP = "  ";

interface ListOptions extends ClientCommandOptions {
  tag?: string[];
  collection?: string;
  path?: string;
  limit?: string;
}

interface Listed {
  id: string;
  title?: string;
  name?: string;
  updatedAt?: number;
  lastActivityAt?: number;
}

export function listCommand(): Command {
  return withClientOptions(new Command("list"))
    .description("list documents, prompts or collections, newest first")
    .addArgument(new Argument("<KIND>", "what to list").choices(KINDS).argParser(parseKind(KINDS)))
    .option("--tag <TAG>", "only records with this tag; repeatable", collect)
    .option("--collection <NAME>", "only documents of this collection: its name or id")
    .option("--path <PREFIX>", PATH_HELP)
    .option("--limit <N>", "maximum number of records (default: all)")
    .action(list);
}

/** The command `prompt list`. */
export function listPromptsCommand(): Command {
  return withClientOptions(new Command("list"))
    .description("list prompts, newest first")
    .option("--tag <TAG>", "only prompts with this tag; repeatable", collect)
    .option("--path <PREFIX>", PATH_HELP)
    .option("--limit <N>", "maximum number of prompts (default: all)")
    .action((options: ListOptions) => list("prompts", options));
}

async function list(kind: (typeof KINDS)[number], options: ListOptions): Promise<void> {
  const { limit, tag, collection, path, json } = options;
  if (collection !== undefined && kind !== "documents") throw onlyFor("--collection", "documents");
  if (path !== undefined && kind === "collections") throw onlyFor("--path", "documents and prompts");
  const maximum =
    limit === undefined ? undefined : parseWholeNumber("--limit", limit, { minimum: 1, maximum: MAX_LIMIT });
  await withClient(options, (client: Client) =>
    paged(async (write) => {
      const types = ["collection"] as const;
      const inside =
        collection === undefined
          ? undefined
          : await recordNamed(client, { argument: "--collection", name: collection, types });
      const query = {
        tags: tag,
        collectionId: inside?.id,
        path: path === undefined ? undefined : pathPrefix(path),
      };
      const items = walk(client, `/v1/${kind}`, { query, maximum });
      const count = await (json ? writeJson : writeTable)(items, write);
      if (count === 0 && !json) printMessage(`no ${kind}`);
    }),
  );
}

const onlyFor = (option: string, kinds: string) =>
  badRequest({ path: option, message: `is only for a list of ${kinds}` });

async function writeJson(items: AsyncIterable<Listed>, write: WriteText): Promise<number> {
  let count = 0;
  for await (const item of items) {
    await write(`${count++ === 0 ? "[\n" : ",\n"}${printableJson(item).replace(/^/gm, "  ")}`);
  }
  await write(count === 0 ? "[]\n" : "\n]\n");
  return count;
}

/** On a terminal a table that fits; elsewhere lines of id, time and title, separated by tabs. */
async function writeTable(items: AsyncIterable<Listed>, write: WriteText): Promise<number> {
  const { isTerminal, columns, strong, faint } = outputStyle();
  let count = 0;
  for await (const item of items) {
    const { id, title, name, updatedAt, lastActivityAt } = item;
    const text = printableLine(title ?? name ?? "");
    const at = new Date(updatedAt ?? lastActivityAt ?? 0).toISOString();
    if (!isTerminal) await write(`${id}\t${at}\t${text}\n`);
    else {
      const row = (cells: string[]) => cells.join(COLUMN_GAP).trimEnd();
      const date = at.slice(0, 10);
      const width = columns - id.length - date.length - 2 * COLUMN_GAP.length;
      if (count === 0)
        await write(`${strong(row([fit("ID", id.length), fit("CHANGED", date.length), "TITLE"]))}\n`);
      await write(`${row([id, faint(date), fit(text, width)])}\n`);
    }
    count++;
  }
  return count;
}
