// ctxrepo refresh: fetches the pages of scraped documents again, one after the other.

import { Command } from "commander";
import { systemClock } from "../../kernel/clock.ts";
import { badRequest, Failure, messageOf } from "../../kernel/errors.ts";
import { dataOf } from "../../requests/reply.ts";
import { walk } from "../../requests/walk.ts";
import type { NamedRecord } from "../../kernel/names.ts";
import { type Client, withClient } from "../client.ts";
import { type ClientCommandOptions, parseDuration, withClientOptions } from "../client-options.ts";
import { abortOnInterrupt } from "../interrupt.ts";
import { countOf, printJson, printMessage } from "../output.ts";
import { printableLine } from "../printable.ts";
import { NAME_HELP, recordNamed, recordsNamed } from "./named.ts";

interface RefreshOptions extends ClientCommandOptions {
  collection?: string;
  older?: string;
}

interface Outcome {
  id: string;
  status: "changed" | "unchanged" | "failed";
  reason?: string;
}

/** The command `refresh`. */
export function refreshCommand(): Command {
  return withClientOptions(new Command("refresh"))
    .description("fetch the pages of scraped documents again")
    .argument("[NAME...]", NAME_HELP)
    .option("--collection <NAME>", "all scraped documents of this collection: its name or id")
    .option("--older <TIME>", "only documents that were fetched longer ago, such as 12h or 7d")
    .action(refresh);
}

async function refresh(
  names: string[],
  { collection, older, json, ...options }: RefreshOptions,
): Promise<void> {
  if (names.length === 0 && collection === undefined) {
    throw badRequest({ path: "NAME", message: "or --collection is needed" });
  }
  const maxAgeMs = older === undefined ? undefined : 1_000 * parseDuration("--older", older);
  const { signal } = abortOnInterrupt();
  await withClient({ ...options, indexes: true }, async (client) => {
    const documents = await recordsNamed(client, "NAME", names, ["document"]);
    if (collection !== undefined) documents.push(...(await documentsIn(client, collection)));
    const outcomes: Outcome[] = [];
    for (const document of documents) {
      if (signal.aborted) break;
      const outcome = await refreshOne(client, document, maxAgeMs);
      if (outcome === undefined) continue;
      outcomes.push(outcome);
      const reason = outcome.reason === undefined ? "" : `: ${outcome.reason}`;
      printMessage(`${outcome.status} "${printableLine(document.title)}"${printableLine(reason)}`);
    }
    if (json) printJson(outcomes);
    await client.finishJobs();
    const failed = outcomes.filter(({ status }) => status === "failed").length;
    if (failed > 0) throw new Failure("unavailable", `${countOf(failed, "document")} could not be refreshed`);
  });
}

type Page = Pick<NamedRecord, "id" | "title">;

/** The scraped documents of a collection. */
async function documentsIn(client: Client, collection: string): Promise<NamedRecord[]> {
  const types = ["collection"] as const;
  const { id } = await recordNamed(client, { argument: "--collection", name: collection, types });
  const documents: NamedRecord[] = [];
  const query = { collectionId: id };
  for await (const { id: documentId, title, sourceType } of walk(client, "/v1/documents", { query })) {
    if (sourceType === "scrape") documents.push({ id: documentId, type: "document", title, place: null });
  }
  return documents;
}

/** Undefined if it was fetched more recently than `maxAgeMs` ago. */
async function refreshOne(
  client: Client,
  { id }: Page,
  maxAgeMs: number | undefined,
): Promise<Outcome | undefined> {
  const query = { includeContent: false };
  const { sourceType, source } = dataOf(await client.request("GET", `/v1/documents/${id}`, { query }));
  if (sourceType !== "scrape") return { id, status: "failed", reason: "is not scraped from a page" };
  if (maxAgeMs !== undefined && systemClock.now() - (source?.lastCheckedAt ?? 0) < maxAgeMs) return undefined;
  try {
    const { changed } = dataOf(await client.request("POST", `/v1/documents/${id}/refresh`));
    return { id, status: changed ? "changed" : "unchanged" };
  } catch (error) {
    return { id, status: "failed", reason: messageOf(error) };
  }
}
