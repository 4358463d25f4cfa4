// Watches what an import reads: imports it once, and then what changes in it.

import { systemClock } from "../../kernel/clock.ts";
import { printMessage } from "../output.ts";
import { printableLine } from "../printable.ts";
import { findFiles, type FoundFiles } from "./find-files.ts";
import type { Reporter } from "./report.ts";
import type { Source } from "./sources.ts";
import { openChanges, watchPaths } from "./watch.ts";

/** A source and its files. */
export interface ReadSource {
  source: Source;
  found: FoundFiles;
  /** Whether this is the first look at the source. */
  isNew: boolean;
}

/** Finds the files of a source. */
export const readSource = (source: Source): ReadSource => ({
  source,
  found: findFiles(source.paths, source),
  isNew: true,
});

/** How often the sources are read anew. */
const READ_MS = 10_000;

interface Watch {
  first: readonly Source[];
  /** Reads the sources anew: folders may be remembered and forgotten meanwhile. */
  readSources(): readonly Source[] | Promise<readonly Source[]>;
  importAll(read: readonly ReadSource[], add: Reporter["add"]): Promise<void>;
  report: Reporter;
  signal: AbortSignal;
}

/** Imports the sources, and what changes in them until `signal` fires. */
export async function watchSources({ first, readSources, importAll, report, signal }: Watch): Promise<void> {
  const changes = openChanges();
  const keyOf = ({ paths }: Source) => paths.join("\0");
  let [sources, readAt] = [first, systemClock.monotonic()];
  let seen: ReadonlySet<string> | undefined;
  let watched = "";
  const pass = async (): Promise<void> => {
    const now = systemClock.monotonic();
    if (now - readAt >= READ_MS) {
      sources = await readSources();
      readAt = now;
    }
    const all = sources.map(readSource);
    const changed = new Set(changes.find(all.flatMap(({ found }) => found.files)));
    const read = all.map(({ source, found }) => {
      const isNew = seen?.has(keyOf(source)) !== true;
      const files = found.files.filter((file) => changed.has(file));
      return { source, found: { ...found, files, skipped: isNew ? found.skipped : [] }, isNew };
    });
    await importAll(read, seen === undefined ? report.add : report.change);
    changes.accept();
    seen = new Set(sources.map(keyOf));
    const names = sources.flatMap(({ paths }) => paths).join(", ");
    if (names !== watched && !signal.aborted) printMessage(`watching ${printableLine(names)} (Ctrl-C ends)`);
    watched = names;
  };
  await pass();
  await watchPaths(() => sources.flatMap(({ paths }) => paths), pass, signal);
}
