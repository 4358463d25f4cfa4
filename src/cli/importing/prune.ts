// Deletes the records of files that are gone from the folders of an import.

import { readdirSync } from "node:fs";
import { sep } from "node:path";
import { dataOf } from "../../requests/reply.ts";
import { type Importer, type Outcome, readRecord } from "../../importing/import-record.ts";
import { COLLECTION_OF, type KnownRecord } from "../../importing/known.ts";
import { stateOf } from "../../importing/record.ts";
import { isGone, type FoundFiles } from "./find-files.ts";

/**
 * As many records in an empty folder are doubted: it may be the place of a disk that is not mounted. Fewer are soon
 * imported again.
 */
const MIN_DOUBTED = 10;

/**
 * Deletes such records one after the other. A record that was edited in the store is kept as a conflict. A folder that
 * has become empty is a failure, and its records are kept, unless `emptied` is set.
 */
export async function* prune(
  importer: Importer,
  found: FoundFiles,
  { emptied }: { emptied: boolean },
): AsyncGenerator<Outcome> {
  const files = new Set([...found.files.map(({ path }) => path), ...[...found.unpacked.values()].flat()]);
  const records = [...importer.known.byPath].filter(([path]) => !files.has(path));
  /** Roots may contain each other. */
  const pruned = new Set<string>();
  for (const { path: folder, isFolder } of found.roots) {
    if (!isFolder) continue;
    const gone = records.filter(([path]) => isInside(path, folder) && isGone(path, found));
    if (!emptied && gone.length >= MIN_DOUBTED && isEmpty(folder)) {
      const reason = `is empty: if that is right, --prune-emptied deletes the records of its ${gone.length} files`;
      yield { path: folder, status: "failed", reason };
      continue;
    }
    for (const [path, record] of gone) {
      // A folder that has disappeared since it was read says nothing about its files.
      if (isGone(folder, found)) break;
      if (!pruned.has(record.id)) yield await pruneRecord(importer, path, record);
      pruned.add(record.id);
    }
  }
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder === sep ? sep : folder + sep);
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return true;
  }
}

async function pruneRecord(
  { client, digest, known, options }: Importer,
  path: string,
  { id, kind, state }: KnownRecord,
): Promise<Outcome> {
  const stored = await readRecord(client, kind, id);
  if (stored && !options.force && (await stateOf(stored.fields, digest)) !== state) {
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
  known.byPath.delete(path);
  known.kinds.delete(id);
  return { path, status: "pruned", id };
}
