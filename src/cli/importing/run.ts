// One run of an import: files in several requests at a time, then collections, then pruning.

import { join } from "node:path";
import { showProgress } from "../progress.ts";
import { addItems, collectionNamed, type Item, restoreCollections } from "../../importing/collections.ts";
import type { Outcome } from "../../importing/import-record.ts";
import { type Importer, importFile } from "./import-file.ts";
import { prune } from "./prune.ts";
import type { FoundFiles } from "./find-files.ts";

/** Requests in flight. The server writes one after the other, so more would not be faster. */
const LANES = 8;

export interface RunOptions {
  /** Name of the collection to which the records are added. */
  collection?: string;
  prune: boolean;
  /** Whether the records of a folder that has become empty are pruned, too. */
  pruneEmptied: boolean;
  /** Aborted by the first Ctrl-C: files in work are finished, no others are started. */
  signal: AbortSignal;
  /** Receives every outcome as soon as it is known. */
  report(outcome: Outcome): void;
}

/** Imports the files. Resolves when everything is stored; it does not wait for indexing. */
export async function runImport(importer: Importer, found: FoundFiles, options: RunOptions): Promise<void> {
  const { client, known } = importer;
  const { signal, report } = options;
  for (const { path, reason } of found.skipped) report({ path, status: "skipped", reason });
  for (const { path, reason } of found.failed) report({ path, status: "failed", reason });

  const ids = new Map<string, string>();
  const progress = showProgress("files", found.files.length);
  const files = found.files.values();
  const lane = async () => {
    for (const { path, root } of files) {
      if (signal.aborted) return;
      const outcome = await importFile(importer, path, root.isFolder ? root.path : undefined);
      if (outcome.id !== undefined) ids.set(path, outcome.id);
      progress.step();
      report(outcome);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    progress.end();
  }
  const itemOf = (path: string): Item | undefined => {
    const id = ids.get(path);
    const kind = id === undefined ? undefined : known.kinds.get(id);
    return id === undefined || kind === undefined ? undefined : { id, kind };
  };
  if (importer.options.dryRun === false) {
    if (options.collection !== undefined && ids.size > 0) {
      const items = found.files.flatMap(({ path }) => itemOf(path) ?? []);
      await addItems(client, await collectionNamed(client, options.collection), items);
    }
    for (const { path, index } of found.roots) {
      if (index && !signal.aborted)
        await restoreCollections(client, index, (file) => itemOf(join(path, file)));
    }
  }
  if (!options.prune || signal.aborted) return;
  for await (const outcome of prune(importer, found, { emptied: options.pruneEmptied })) {
    report(outcome);
    if (signal.aborted) return;
  }
}
