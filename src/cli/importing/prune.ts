// Deletes the records of files that are gone from the folders of an import.

import { sep } from "node:path";
import { dataOf } from "../api-data.ts";
import { type Importer, type Outcome, readRecord } from "./import-file.ts";
import { COLLECTION_OF, type KnownRecord } from "./known.ts";
import { stateOf } from "./record.ts";
import { isGone, type FoundFiles } from "./find-files.ts";

/** Deletes such records one after the other. A record that was edited in the store is kept as a conflict. */
export async function* prune(importer: Importer, found: FoundFiles): AsyncGenerator<Outcome> {
  const files = new Set(found.files.map(({ path }) => path));
  const folders = found.roots.filter(({ isFolder }) => isFolder).map(({ path }) => path);
  const { document, prompt } = importer.known.byPath;
  for (const [path, record] of [...document, ...prompt]) {
    const isInside = folders.some((folder) => path.startsWith(folder === sep ? sep : folder + sep));
    if (!isInside || files.has(path) || !isGone(path, found)) continue;
    // A folder that has disappeared since it was read says nothing about its files.
    if (folders.some((folder) => path.startsWith(folder + sep) && isGone(folder, found))) continue;
    yield await pruneRecord(importer, path, record);
  }
}

async function pruneRecord(
  { client, known, options }: Importer,
  path: string,
  { id, kind, state }: KnownRecord,
): Promise<Outcome> {
  const stored = await readRecord(client, kind, id);
  if (stored && !options.force && stateOf(stored.fields) !== state) {
    return {
      path,
      status: "conflict",
      id,
      reason: "the file is gone, but the record was edited in the store",
    };
  }
  if (options.dryRun) return { path, status: "pruned", id };
  if (stored) {
    const headers = stored.etag === null ? undefined : { "If-Match": stored.etag };
    const reply = await client.request("DELETE", `${COLLECTION_OF[kind]}/${id}`, { headers });
    if (reply.status === 412) return { path, status: "conflict", id, reason: "was edited during the import" };
    if (reply.status !== 404) dataOf(reply);
  }
  known.byPath[kind].delete(path);
  known.kinds.delete(id);
  return { path, status: "pruned", id };
}
