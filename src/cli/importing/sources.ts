// What an import reads: the paths of the command, or the remembered folders, each with its options.

import type { Folder } from "../../features/console/replies.ts";
import { messageOf } from "../../kernel/errors.ts";
import { dataOf, type Requests } from "../../requests/reply.ts";
import { printMessage } from "../output.ts";
import { printableLine } from "../printable.ts";
import type { FoundFiles } from "./find-files.ts";

export type SourceOptions = Pick<Folder, "collection" | "tags" | "kinds" | "exclude">;

export interface Source extends SourceOptions {
  paths: readonly string[];
}

const FOLDERS = "/console/api/folders";

/** The remembered folders of the user, by path. */
export async function listFolders(client: Requests): Promise<Folder[]> {
  return dataOf(await client.request("GET", FOLDERS));
}

/** The remembered folders as sources. */
export async function rememberedSources(client: Requests): Promise<Source[]> {
  return (await listFolders(client)).map(({ path, ...options }) => ({ ...options, paths: [path] }));
}

/** Remembers a folder by its real path, or replaces its options. Throws `conflict` if too many are remembered. */
export async function rememberFolder(client: Requests, path: string, options: SourceOptions): Promise<void> {
  const { collection, tags, kinds, exclude } = options;
  dataOf(await client.request("PUT", FOLDERS, { body: { path, collection, tags, kinds, exclude } }));
}

/** Remembers the folders that were found. If that fails, a message says why, and the import goes on. */
export async function rememberFound(client: Requests, { roots }: FoundFiles, source: Source): Promise<void> {
  for (const { path } of roots.filter(({ isFolder }) => isFolder)) {
    try {
      await rememberFolder(client, path, source);
    } catch (error) {
      printMessage(`${printableLine(path)} is not remembered: ${messageOf(error)}`);
    }
  }
}

/** Notes that an import of the folders that were found has ended. */
export async function noteImported(client: Requests, { roots }: FoundFiles): Promise<void> {
  for (const { path } of roots.filter(({ isFolder }) => isFolder)) {
    dataOf(await client.request("POST", `${FOLDERS}/imported`, { body: { path } }));
  }
}

/** Forgets a folder. Returns whether it was remembered. */
export async function forgetFolder(client: Requests, path: string): Promise<boolean> {
  const reply = await client.request("DELETE", FOLDERS, { query: { path } });
  if (reply.status === 404) return false;
  dataOf(reply);
  return true;
}
