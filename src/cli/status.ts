// ctxrepo status: what is stored, whether a server runs, and what waits to be indexed or has failed.

import { Command } from "commander";
import type { Status } from "../features/console/replies.ts";
import { dataOf } from "../requests/reply.ts";
import { withClient } from "./client.ts";
import { type ClientCommandOptions, withClientOptions } from "./client-options.ts";
import { importTime } from "./folders.ts";
import { findProcess } from "./local-calls.ts";
import { countOf, print, printJson } from "./output.ts";
import { printableLine } from "./printable.ts";

export function statusCommand(): Command {
  return withClientOptions(new Command("status"))
    .description("show the server, what is stored, what waits to be indexed, and what has failed")
    .action(status);
}

async function status(options: ClientCommandOptions): Promise<void> {
  const process = await findProcess(options.dataDir);
  const state: Status = await withClient(options, async (client) =>
    dataOf(await client.request("GET", "/console/api/status")),
  );
  if (options.json) return printJson({ server: process?.url ?? null, dataDir: options.dataDir, ...state });
  const { records, database, jobs, pending, pendingSeconds, failedFetches } = state;
  const { documents, prompts, collections } = records;
  const counts = [
    countOf(documents, "document"),
    countOf(prompts, "prompt"),
    countOf(collections, "collection"),
  ];
  const estimate = pendingSeconds === undefined ? "" : `, about ${durationOf(pendingSeconds)}`;
  const failures = [
    ...(jobs.failed > 0 ? [`${countOf(jobs.failed, "job")} (ctxrepo doctor says which)`] : []),
    ...(failedFetches > 0 ? [`${countOf(failedFetches, "page")} could not be fetched`] : []),
  ];
  const rows: [string, string][] = [
    ["server", process?.url ?? "not running"],
    ["data", `${options.dataDir}, ${(database.bytes / 1e6).toFixed(1)} MB`],
    ["records", counts.join(", ")],
    ["to be indexed", pending === 0 ? "nothing" : `${countOf(pending, "record")}${estimate}`],
    ["failed", failures.length === 0 ? "nothing" : failures.join(", ")],
    ...state.folders.map((folder, index): [string, string] => {
      const at = `last import: ${importTime(folder)}`;
      return [index === 0 ? "folders" : "", `${printableLine(folder.path)}, ${at}`];
    }),
    ...(state.follows === null ? [] : [["follows", twinOf(state.follows)] as [string, string]]),
    ...(state.multilingual === null
      ? []
      : [["languages", languagesOf(state.multilingual)] as [string, string]]),
    ...(state.embedder.problem === undefined ? [] : [["model", state.embedder.problem] as [string, string]]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) print(`${name.padEnd(width)}  ${value}`);
}

function twinOf({ remote, pulledAt, hasFailed }: NonNullable<Status["follows"]>): string {
  const at =
    pulledAt === null
      ? "not pulled yet"
      : `pulled ${new Date(pulledAt).toISOString().slice(0, 16).replace("T", " ")}`;
  return `${remote}, read-only, ${at}${hasFailed ? "; the last pull has failed" : ""}`;
}

function languagesOf({ waiting }: NonNullable<Status["multilingual"]>): string {
  if (waiting === 0) return "all";
  return `all; ${countOf(waiting, "record")} ${waiting === 1 ? "is" : "are"} still to be read by the multilingual model`;
}

/** `40 s`, `12 min` or `3 h`. */
function durationOf(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 90 * 60 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
