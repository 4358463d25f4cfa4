// ctxrepo get: shows one document, prompt, collection or paragraph, or an earlier version of a document or prompt.

import { Command } from "commander";
import { badRequest, notFound } from "../kernel/errors.ts";
import { ID_PATTERN } from "../kernel/ids.ts";
import { dataOf } from "../requests/reply.ts";
import { type Client, withClient } from "./client.ts";
import { type ClientCommandOptions, parseWholeNumber, withClientOptions } from "./client-options.ts";
import { countOf, printJson, printMessage } from "./output.ts";
import { paged } from "./pager.ts";
import { printable, printableLine } from "./printable.ts";
import { NAME_HELP, recordNamed } from "./records/named.ts";
import { outputStyle } from "./style.ts";
import { walk } from "../requests/walk.ts";

const MAX_VERSION = 999_999_999;

interface GetOptions extends ClientCommandOptions {
  version?: string;
}

/** What a kind of record is found by. Versions are numbered by its own `version`. */
const KINDS = [
  { kind: "document", path: "/v1/documents", hasVersions: true },
  { kind: "prompt", path: "/v1/prompts", hasVersions: true },
  { kind: "collection", path: "/v1/collections", hasVersions: false },
  { kind: "paragraph", path: "/v1/pd/read", hasVersions: false },
] as const;

// biome-ignore lint/suspicious/noExplicitAny: the shapes of four kinds of records
type Data = any;

interface Found {
  kind: (typeof KINDS)[number]["kind"];
  data: Data;
  /** The id of the record, if `data` is a version of it. */
  recordId?: string;
}

export function getCommand(): Command {
  return withClientOptions(new Command("get"))
    .description("show a document, prompt, collection or paragraph")
    .argument("<NAME>", `${NAME_HELP}; for a paragraph its id`)
    .option("--version <N>", "show this version of a document or prompt")
    .action(get);
}

async function get(name: string, options: GetOptions): Promise<void> {
  const version =
    options.version === undefined
      ? undefined
      : parseWholeNumber("--version", options.version, { minimum: 0, maximum: MAX_VERSION });
  await withClient(options, async (client) => {
    const types = ["document", "prompt", "collection"] as const;
    // Also public prompts of others, and paragraphs, have an id.
    const { id } = ID_PATTERN.test(name)
      ? { id: name }
      : await recordNamed(client, { argument: "NAME", name, types });
    const found =
      version === undefined ? await findRecord(client, id) : await findVersion(client, id, version);
    if (options.json) printJson(found.data);
    else await show(client, found);
  });
}

async function findRecord(client: Client, id: string): Promise<Found> {
  for (const { kind, path } of KINDS) {
    const reply = await client.request("GET", `${path}/${id}`);
    if (reply.status !== 404) return { kind, data: dataOf(reply) };
  }
  throw notFound(`a document, prompt, collection or paragraph with the id ${id}`);
}

async function findVersion(client: Client, id: string, wanted: number): Promise<Found> {
  const { kind } = await findRecord(client, id);
  const { path, hasVersions } = KINDS.find((entry) => entry.kind === kind)!;
  if (!hasVersions) throw badRequest({ path: "--version", message: `a ${kind} has no versions` });
  for await (const data of walk(client, `${path}/${id}/versions`)) {
    if (data.version === wanted) return { kind, data, recordId: id };
  }
  throw notFound(`version ${wanted} of the ${kind} ${id}`);
}

/** The text on stdout; what describes it above the text on a terminal, elsewhere on stderr. */
async function show(client: Client, { kind, data, recordId }: Found): Promise<void> {
  const { isTerminal, strong, faint } = outputStyle();
  const title = printableLine(data.title ?? data.name ?? data.hierarchy?.documentTitle ?? `${kind} version`);
  const details = detailsOf(kind, recordId === undefined ? data : { ...data, id: recordId }).map(
    printableLine,
  );
  const heading = [strong(title), ...details.map((line) => faint(line))];
  if (!isTerminal) printMessage(heading.join("\n"));
  await paged(async (write) => {
    if (isTerminal) await write(`${heading.join("\n")}\n\n`);
    if (kind === "collection") {
      for await (const item of walk(client, `/v1/collections/${data.id}/items`)) {
        await write(`${item.id}  ${item.type}  ${printableLine(item.title)}\n`);
      }
      return;
    }
    const content = printable(data.content ?? "");
    await write(content.endsWith("\n") ? content : `${content}\n`);
  });
}

function detailsOf(kind: Found["kind"], data: Data): string[] {
  const date = (at: number) => new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const id = data.id ?? data.chunkId;
  const version = data.version ?? data.currentVersion;
  const facts = [
    version === undefined ? "" : `version ${version}`,
    data.updatedAt === undefined ? "" : `changed ${date(data.updatedAt)}`,
    data.version === undefined ? "" : `created ${date(data.createdAt)} by ${data.createdBy ?? "unknown"}`,
    kind === "collection" ? countOf(data.itemCount, "item") : "",
    data.hierarchy ? `document ${data.hierarchy.documentId}` : "",
  ];
  return [
    [`${kind} ${id}`, ...facts].filter((fact) => fact !== "").join(", "),
    data.hierarchy?.sectionPath ?? "",
    data.tags?.length > 0 ? `tags: ${data.tags.join(", ")}` : "",
    data.sourceUrl ?? "",
    data.metadata?.importPath ?? "",
    data.description ?? "",
  ].filter((line) => line !== "");
}
