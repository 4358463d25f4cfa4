// ctxrepo folders: the folders that `ctxrepo import` without a path and `serve --watch` import again.

import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import { badRequest } from "../kernel/errors.ts";
import type { Folder } from "../features/console/replies.ts";
import { withClient } from "./client.ts";
import { type ClientCommandOptions, withClientOptions } from "./client-options.ts";
import {
  checkSourceOptions,
  type SourceFlags,
  sourceOptions,
  withSourceOptions,
} from "./importing/source-options.ts";
import { forgetFolder, listFolders, rememberFolder } from "./importing/sources.ts";
import { printJson, printMessage, printTable } from "./output.ts";
import { printableLine } from "./printable.ts";
import { pathProblem } from "./regular-file.ts";

/** The command with its subcommands. */
export function foldersCommand(): Command {
  const command = new Command("folders").description(
    "manage the folders that import and serve --watch import again",
  );
  command.addCommand(
    withSourceOptions(withClientOptions(new Command("add")))
      .description("remember a folder without importing it, or replace its options")
      .argument("<DIR>", "the folder")
      .action(add),
  );
  command.addCommand(
    withClientOptions(new Command("list"))
      .description("list the remembered folders with the time of their last import")
      .action(printFolders),
  );
  command.addCommand(
    withClientOptions(new Command("remove"))
      .description("forget a folder; its records stay")
      .argument("<DIR>", "the folder")
      .action(remove),
  );
  return command;
}

async function add(given: string, options: ClientCommandOptions & SourceFlags): Promise<void> {
  checkSourceOptions(options);
  const path = realFolder(given);
  const source = sourceOptions(options);
  await withClient({ ...options, creates: true }, (client) => rememberFolder(client, path, source));
  if (options.json) printJson({ path, ...source });
  else printMessage(`remembered ${printableLine(path)}: ctxrepo import imports it`);
}

/** The real path of a folder. Throws `bad-request` if it is none. */
function realFolder(given: string): string {
  try {
    const path = realpathSync(given);
    if (statSync(path).isDirectory()) return path;
  } catch (error) {
    throw badRequest({ path: "DIR", message: `${given} ${pathProblem(error)}` });
  }
  throw badRequest({ path: "DIR", message: `${given} is not a folder` });
}

async function remove(given: string, options: ClientCommandOptions): Promise<void> {
  const paths = namesOf(given);
  await withClient(options, async (client) => {
    for (const path of paths) {
      if (!(await forgetFolder(client, path))) continue;
      if (options.json) printJson({ path, removed: true });
      else printMessage(`forgot ${printableLine(path)}: its records stay`);
      return;
    }
    const known = (await listFolders(client)).map(({ path }) => printableLine(path));
    const message = [`${given} is not a remembered folder`, ...known].join("\n  ");
    throw badRequest({ path: "DIR", message });
  });
}

/** The paths that may be meant: the folder may be gone, so that its real path is not known. */
function namesOf(given: string): string[] {
  const path = resolve(given);
  try {
    return [realpathSync(given), path];
  } catch {
    return [path];
  }
}

/** Prints the remembered folders; the command `list folders`, too. */
export async function printFolders(options: ClientCommandOptions): Promise<void> {
  const folders = await withClient(options, listFolders);
  if (options.json) return printJson(folders);
  const rows = folders.map((folder) => [
    importTime(folder),
    printableLine(folder.path),
    describeOptions(folder),
  ]);
  printTable(
    ["IMPORTED", "FOLDER", "OPTIONS"],
    rows,
    "no folder is remembered: ctxrepo import DIR remembers one",
  );
}

/** When a folder was last imported, for people. */
export const importTime = ({ importedAt }: Folder): string =>
  importedAt === null ? "never" : new Date(importedAt).toISOString().slice(0, 16).replace("T", " ");

/** The options as they are written on the command line. */
function describeOptions({ collection, tags, kinds, exclude }: Folder): string {
  const all = [
    ...(collection === undefined ? [] : [["--collection", collection]]),
    ...tags.map((tag) => ["--tag", tag]),
    ...kinds.map((kind) => ["--kind", kind]),
    ...exclude.map((pattern) => ["--exclude", pattern]),
  ];
  return printableLine(
    all.map(([name, value = ""]) => `${name} ${/[\s'"\\*]/.test(value) ? `'${value}'` : value}`).join(" "),
  );
}
