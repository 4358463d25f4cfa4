// One run of an import: files in several requests at a time, then collections.

import { join } from "node:path";
import { Failure } from "../../kernel/errors.ts";
import { isStorageFailure } from "../../requests/reply.ts";
import { countOf } from "../output.ts";
import type { ContainerKind } from "../../kernel/file-kinds.ts";
import { isContainer, typeOf } from "../../importing/file-types.ts";
import { showProgress } from "../progress.ts";
import { addItems, collectionNamed, type Item, restoreCollections } from "../../importing/collections.ts";
import type { Outcome } from "../../importing/import-record.ts";
import { type Importer, importFile } from "./import-file.ts";
import type { FoundFile, FoundFiles } from "./find-files.ts";
import { importParts } from "./import-parts.ts";
import { openThreads } from "./threads.ts";

/** Requests in flight. The server writes one after the other, so more would not be faster. */
const LANES = 8;

export interface RunOptions {
  /** Name of the collection to which the records are added. */
  collection?: string;
  /** Aborted by the first Ctrl-C: files in work are finished, no others are started. */
  signal: AbortSignal;
  /** Receives every outcome as soon as it is known. */
  report(outcome: Outcome): void;
}

/**
 * Imports the files. Resolves when everything is stored; it does not wait for indexing. Throws a Failure if the
 * database cannot be written; what was reported until then is stored.
 */
export async function runImport(importer: Importer, found: FoundFiles, options: RunOptions): Promise<void> {
  const { client, known } = importer;
  const { signal, report } = options;
  for (const { path, reason } of found.skipped) report({ path, status: "skipped", reason });
  for (const { path, reason } of found.failed) report({ path, status: "failed", reason });

  const ids = new Map<string, string>();
  const progress = showProgress("files", found.files.length);
  const files = found.files.values();
  let failure: Error | undefined;
  let done = 0;
  const take = (outcome: Outcome) => {
    if (outcome.id !== undefined) ids.set(outcome.path, outcome.id);
    report(outcome);
  };
  const threads = openThreads();
  const takeParts = async (file: FoundFile, type: ContainerKind) => {
    for await (const { thread, ...outcome } of importParts(file, type, { importer, found, signal })) {
      take(outcome);
      if (thread !== undefined) threads.add(file.path, thread, outcome);
    }
  };
  const lane = async () => {
    for (const { path, root } of files) {
      if (signal.aborted || failure !== undefined) return;
      const type = typeOf(path);
      if (isContainer(type)) await takeParts({ path, root }, type);
      else take(await importFile(importer, path, root.isFolder ? root.path : undefined));
      progress.step();
      done++;
    }
  };
  /** The lanes end together, so that no request is left behind. */
  const noteFailure = (error: Error) => {
    failure ??= error;
  };
  try {
    await Promise.all(Array.from({ length: LANES }, () => lane().catch(noteFailure)));
  } finally {
    progress.end();
  }
  if (isStorageFailure(failure)) {
    const [left, all] = [found.files.length - done, countOf(found.files.length, "file")];
    const message = `${failure.message}. Not imported: ${left} of ${all}. Run the command again afterwards`;
    throw new Failure(failure.kind, message, { cause: failure });
  }
  if (failure !== undefined) throw failure;
  const itemOf = (path: string): Item | undefined => {
    const id = ids.get(path);
    const kind = id === undefined ? undefined : known.kinds.get(id);
    return id === undefined || kind === undefined ? undefined : { id, kind };
  };
  if (importer.options.dryRun === false) {
    if (options.collection !== undefined && ids.size > 0) {
      const paths = found.files.flatMap(({ path }) => found.unpacked.get(path) ?? [path]);
      const items = paths.flatMap((path) => itemOf(path) ?? []);
      await addItems(client, await collectionNamed(client, options.collection), items);
    }
    for (const [name, paths] of threads.changed()) {
      if (signal.aborted) break;
      const items = paths.flatMap((path) => itemOf(path) ?? []);
      await addItems(client, await collectionNamed(client, name), items);
    }
    for (const { path, index } of found.roots) {
      if (index && !signal.aborted)
        await restoreCollections(client, index, (file) => itemOf(join(path, file)));
    }
  }
}
