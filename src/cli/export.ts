// ctxrepo export: writes all records of a user as Markdown files, from which import restores them.

import { lstatSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { systemClock } from "../kernel/clock.ts";
import { Failure, reasonOf } from "../kernel/errors.ts";
import { type Client, withClient } from "./client.ts";
import { type ClientCommandOptions, withClientOptions } from "./client-options.ts";
import { requireDatabase } from "./data-dir.ts";
import { readExportIndex } from "./export-index.ts";
import { readCollections } from "./exporting/collections.ts";
import { type Nameable, uniqueNames } from "../importing/export-names.ts";
import { exportRecord, exportVersions, fileOf, type RecordToExport } from "../importing/export-records.ts";
import {
  EXPORT_FORMAT,
  EXPORT_INDEX,
  EXPORT_ONLY_FOLDERS,
  type ExportIndex,
  FOLDER_OF,
} from "../importing/export-layout.ts";
import { maxBytesOf } from "../importing/file-types.ts";
import { COLLECTION_OF } from "../importing/known.ts";
import { findProcess } from "./local-calls.ts";
import { countOf, printJson, printMessage } from "./output.ts";
import { showProgress } from "./progress.ts";
import { readRegularFile, writeRegularFile } from "./regular-file.ts";
import { walk } from "../requests/walk.ts";

/** Requests in flight. */
const LANES = 8;

interface ExportOptions extends ClientCommandOptions {
  versions?: boolean;
  force?: boolean;
}

export function exportCommand(): Command {
  return withClientOptions(new Command("export"))
    .description("write all records as Markdown files with front matter; import restores them")
    .argument("<DIR>", "folder to write to; it is created if it does not exist")
    .option("--versions", "also write earlier versions")
    .option("--force", "write into a folder that is not empty; an earlier export in it is replaced")
    .action(run);
}

async function run(given: string, options: ExportOptions): Promise<void> {
  if (!(await findProcess(options.dataDir))) requireDatabase(options.dataDir);
  const folder = prepareFolder(resolve(given), options.force === true);
  const startedAt = systemClock.monotonic();
  const counts = await withClient(options, (client) => exportAll(client, folder, options.versions === true));
  if (options.json) printJson({ folder, ...counts });
  const seconds = ((systemClock.monotonic() - startedAt) / 1_000).toFixed(1);
  const { documents, prompts, collections } = counts;
  printMessage(
    `${countOf(documents, "document")}, ${countOf(prompts, "prompt")} and ${countOf(collections, "collection")} in ${folder} (${seconds} s)`,
  );
}

/**
 * Creates the folder. Removes the files of an earlier export from it, and no others. Returns its real path. Throws
 * `conflict` if it is not empty, or if a link in it leads elsewhere.
 */
function prepareFolder(given: string, force: boolean): string {
  mkdirSync(given, { recursive: true, mode: 0o700 });
  const folder = realpathSync(given);
  if (readdirSync(folder).length === 0) return folder;
  if (!force) {
    throw new Failure("conflict", `${given} is not empty (--force replaces an earlier export in it)`);
  }
  const isExport = hasIndex(folder);
  for (const name of isExport ? EXPORT_ONLY_FOLDERS : []) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  for (const name of Object.values(FOLDER_OF)) {
    const records = join(folder, name);
    if (isFolder(records) && isExport) removeRecords(records);
  }
  return folder;
}

/** Whether there is a folder at this path. Throws `conflict` if something else is there, such as a link. */
function isFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new Failure("conflict", `${path} is not a folder: remove it`);
  return found !== undefined;
}

/** Removes the files that an export wrote into a folder and those below it, and the folders that become empty. */
function removeRecords(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      removeRecords(path);
      if (readdirSync(path).length === 0) rmdirSync(path);
    } else if (entry.name.endsWith(".md") && isExported(path)) rmSync(path);
  }
}

/** Makes the folders of a path inside the exported folder. Throws `conflict` if one of them is a link. */
function makeFolders(folder: string, path: string): void {
  let at = folder;
  for (const name of path.split("/").slice(0, -1)) {
    at = join(at, name);
    if (!isFolder(at)) mkdirSync(at, { mode: 0o700 });
  }
}

/** An index that cannot be read is one that an export wrote, too: it is replaced. */
function hasIndex(folder: string): boolean {
  try {
    return readExportIndex(folder) !== undefined;
  } catch {
    return true;
  }
}

/** Whether `export` wrote this file: its front matter starts with the number of the format. */
function isExported(path: string): boolean {
  try {
    const text = readRegularFile(path, maxBytesOf("markdown")).toString();
    return /^---\r?\nctxrepo: 1\r?\n/.test(text);
  } catch {
    return false;
  }
}

async function exportAll(
  client: Client,
  folder: string,
  withVersions: boolean,
): Promise<{ documents: number; prompts: number; collections: number }> {
  const collections = await readCollections(client);
  const namesOf = new Map<string, string[]>();
  for (const { name, itemIds } of collections) {
    for (const id of itemIds) namesOf.set(id, [...(namesOf.get(id) ?? []), name]);
  }
  const records = await recordsToExport(client, namesOf);
  const write = (path: string, text: string) => {
    const target = join(folder, path);
    try {
      makeFolders(folder, path);
      writeRegularFile(target, text);
    } catch (error) {
      if (error instanceof Failure && error.kind === "conflict") throw error;
      throw new Failure("unavailable", `${target}: ${reasonOf(error)}`, { cause: error });
    }
  };
  const counts = { documents: 0, prompts: 0, collections: collections.length };
  const progress = showProgress("records", records.length);
  const waiting = records.values();
  const lane = async () => {
    for (const record of waiting) {
      if (await exportRecord(client, record, write)) counts[FOLDER_OF[record.kind]]++;
      if (withVersions) await exportVersions(client, record, write);
      progress.step();
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    progress.end();
  }
  const pathOf = new Map(records.map((record) => [record.id, fileOf(record)]));
  const index: ExportIndex = {
    ctxrepo: EXPORT_FORMAT,
    collections: collections.map(({ itemIds, ...collection }) => ({
      ...collection,
      items: itemIds.flatMap((id) => pathOf.get(id) ?? []),
    })),
  };
  // Last, because it marks the folder as a complete export.
  write(EXPORT_INDEX, `${JSON.stringify(index, null, 2)}\n`);
  return counts;
}

async function recordsToExport(
  client: Client,
  namesOf: ReadonlyMap<string, string[]>,
): Promise<RecordToExport[]> {
  const records: RecordToExport[] = [];
  for (const kind of ["document", "prompt"] as const) {
    const listed: Nameable[] = [];
    const query = { includeMetadata: true, includeArchived: kind === "document" ? true : undefined };
    for await (const { id, title, metadata } of walk(client, COLLECTION_OF[kind], { query })) {
      const { importPath, importRoot } = metadata ?? {};
      listed.push({ id, kind, title, metadata: { importPath, importRoot } });
    }
    const names = uniqueNames(listed);
    for (const { id } of listed) {
      records.push({ kind, id, name: names.get(id)!, collections: namesOf.get(id) ?? [] });
    }
  }
  return records;
}
