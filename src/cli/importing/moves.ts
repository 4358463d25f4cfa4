// Finds files that were moved or renamed: new files with the content of one whose path is gone.

import type { KnownRecords } from "../../importing/known.ts";
import { isGone, type FoundFile, type FoundFiles } from "./find-files.ts";
import type { FileReader } from "./read-file.ts";

interface Search {
  known: KnownRecords;
  reader: Pick<FileReader, "read">;
}

/**
 * The earlier paths of moved files, by their new ones. Content that several new files or several records of gone files
 * have says nothing about which is which: such files are not among them.
 */
export function findMoves(
  { known, reader }: Search,
  { files, failed, unpacked }: Pick<FoundFiles, "files" | "failed" | "unpacked">,
): Map<string, string> {
  const added = files.filter(({ path }) => !known.byPath.has(path));
  if (added.length === 0) return new Map();
  const found = new Set(files.map(({ path }) => path));
  const gone = [...known.byPath].filter(([path]) => !found.has(path) && isGone(path, { failed, unpacked }));
  const goneByHash = pathsByHash(gone.map(([path, { hash }]) => [path, hash]));
  if (goneByHash.size === 0) return new Map();
  const addedByHash = pathsByHash(added.map((file) => [file.path, hashOf(reader, file)]));
  const moves = new Map<string, string>();
  for (const [hash, [path, ...others]] of addedByHash) {
    const [before, ...rivals] = goneByHash.get(hash) ?? [];
    if (path === undefined || before === undefined || others.length + rivals.length > 0) continue;
    moves.set(path, before);
  }
  return moves;
}

/** The digest of a file; undefined if it cannot be read, which the import reports. */
function hashOf({ read }: Search["reader"], { path }: FoundFile): string | undefined {
  try {
    return read(path).hash;
  } catch {
    return undefined;
  }
}

function pathsByHash(hashes: readonly [path: string, hash: string | undefined][]): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const [path, hash] of hashes) {
    if (hash !== undefined && hash !== "") paths.set(hash, [...(paths.get(hash) ?? []), path]);
  }
  return paths;
}
