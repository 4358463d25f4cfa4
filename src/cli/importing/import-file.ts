// Imports one file of this machine.

import {
  type Importer as RecordImporter,
  importRecord,
  type Outcome,
} from "../../importing/import-record.ts";
import { recordOf } from "../../importing/record.ts";
import { Failure } from "../../kernel/errors.ts";
import { isStorageFailure } from "../../requests/reply.ts";
import type { FileReader } from "./read-file.ts";

export interface Importer extends RecordImporter {
  reader: FileReader;
  /** Tags that every imported record gets. */
  tags: readonly string[];
  /** The earlier paths of files that were moved, by their new ones. */
  moves: ReadonlyMap<string, string>;
}

/**
 * Imports one file; `root` is the folder that was named, if it was not the file. What is wrong with the file or its
 * record is a status. Throws a Failure if the database cannot be written: no other file can be imported then.
 */
export async function importFile(
  importer: Importer,
  path: string,
  root: string | undefined,
): Promise<Outcome> {
  const { reader, tags, moves } = importer;
  const read = async () => {
    const { bytes, hash } = reader.read(path);
    return { hash, describe: async () => recordOf(await reader.textOf(path, bytes), tags) };
  };
  try {
    return await importRecord(importer, { path, root, movedFrom: moves.get(path), read });
  } catch (error) {
    return { path, status: "failed", reason: reasonOf(error) };
  }
}

/** What is wrong with a file. Throws any other error again. */
export function reasonOf(error: unknown): string {
  if (isStorageFailure(error)) throw error;
  if (!(error instanceof Failure) && (error as Error).name !== "ExtractionError") throw error;
  return (error as Error).message;
}
