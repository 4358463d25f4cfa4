// ctxrepo list: the documents, prompts or collections of a user, newest first. Reads and prints page by page.

import { Argument, Command, Option } from "commander";
import type { FailedFetch, TagCount } from "../features/console/replies.ts";
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
import { printFolders } from "./folders.ts";
import { printJson, printMessage, printTable } from "./output.ts";
import { paged, type WriteText } from "./pager.ts";
import { printableJson, printableLine } from "./printable.ts";
import { recordNamed } from "./records/named.ts";
import { fit, outputStyle } from "./style.ts";
import { dataOf } from "../requests/reply.ts";
import { walk } from "../requests/walk.ts";

const RECORDS = ["documents", "prompts", "collections"] as const;
const KINDS = [...RECORDS, "tags", "folders"] as const;
const STATUSES = ["draft", "published", "archived", "failed"] as const;
const MAX_LIMIT = 999_999_999;
const COLUMN_GAP = "  ";

interface ListOptions extends ClientCommandOptions {
  tag?: string[];
  collection?: string;
  path?: string;
  status?: (typeof STATUSES)[number];
  limit?: string;
}

interface Listed {
  id: string;
  title?: string;
  name?: string;
  updatedAt?: number;
  lastActivityAt?: number;
  /** Why the last fetch of the page failed. */
  reason?: string;
}

export function listCommand(): Command {
  return withClientOptions(new Command("list"))
    .description("list documents, prompts or collections, newest first, or tags or remembered folders")
    .addArgument(
      new Argument("[KIND]", "what to list").choices(KINDS).argParser(parseKind(KINDS)).default("documents"),
    )
    .option("--tag <TAG>", "only records with this tag; repeatable", collect)
    .option("--collection <NAME>", "only documents of this collection: its name or id")
    .option("--path <PREFIX>", PATH_HELP)
    .addOption(
      new Option(
        "--status <STATUS>",
        "only documents with this status; failed: the last fetch of the page",
      ).choices(STATUSES),
    )
    .option("--limit <N>", "maximum number of records (default: all)")
    .action((kind: (typeof KINDS)[number], options: ListOptions) => {
      if (kind === "folders" || kind === "tags") requireNoFilters(kind, options);
      if (kind === "folders") return printFolders(options);
      return kind === "tags" ? printTags(options) : list(kind, options);
    });
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

async function list(kind: (typeof RECORDS)[number], options: ListOptions): Promise<void> {
  const { limit, tag, collection, path, status, json } = options;
  if (status !== undefined && kind !== "documents") throw onlyFor("--status", "documents");
  if (status === "failed") requireNoFilters("failed documents", options);
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
        status,
        path: path === undefined ? undefined : pathPrefix(path),
      };
      const items =
        status === "failed"
          ? failedFetches(client, maximum)
          : walk(client, `/v1/${kind}`, { query, maximum });
      const count = await (json ? writeJson : writeTable)(items, write);
      if (count === 0 && !json) printMessage(`no ${kind}`);
    }),
  );
}

/** Documents whose last fetch has failed, with the time and the reason of that. */
async function* failedFetches(client: Client, maximum = MAX_LIMIT): AsyncGenerator<Listed> {
  const { failedFetches }: { failedFetches: FailedFetch[] } = dataOf(
    await client.request("GET", "/console/api/jobs"),
  );
  for (const { source, ...document } of failedFetches.slice(0, maximum)) {
    const { at, message } = source.lastRefreshError ?? {};
    yield { ...document, updatedAt: at, reason: message };
  }
}

async function printTags(options: ListOptions): Promise<void> {
  const tags: TagCount[] = await withClient(options, async (client) =>
    dataOf(await client.request("GET", "/console/api/tags")),
  );
  if (options.json) return printJson(tags);
  const rows = tags.map(({ tag, count }) => [String(count), printableLine(tag)]);
  printTable(["RECORDS", "TAG"], rows, "no tags");
}

/** Throws `bad-request` for options that select records. */
function requireNoFilters(what: string, options: ListOptions): void {
  for (const name of ["tag", "collection", "path", "status", "limit"] as const) {
    const isOwn = what === "failed documents" && (name === "status" || name === "limit");
    if (options[name] === undefined || isOwn) continue;
    throw badRequest({ path: `--${name}`, message: `does not apply to a list of ${what}` });
  }
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
    const { id, title, name, updatedAt, lastActivityAt, reason } = item;
    const text = printableLine(`${title ?? name ?? ""}${reason === undefined ? "" : `: ${reason}`}`);
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
