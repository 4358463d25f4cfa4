// What is wrong with the disk or the file, as far as this process knows: from errors, from looks at the paths of the
// open files, and from checks of the whole file in another thread.

import { dirname } from "node:path";
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { identityOf } from "./file-identity.ts";
import { STORAGE_MESSAGES, type StorageProblem, storageProblemOf } from "./storage-errors.ts";
import type { Store } from "./store.ts";

/** The damaged tables: those of the search index, which can be made again, and the others. */
interface DamagedTables {
  index: readonly string[];
  records: readonly string[];
}

/** How long a server answers without its data directory: its records can be saved with a backup meanwhile. @testOnly */
export const MAX_WITHOUT_DIRECTORY_MS = 60_000;

export interface StorageWatch {
  /** Notes what an error shows about the storage. Damage makes it check the file. */
  observe(error: unknown): void;
  /** Checks the file in another thread. Resolves when the result is known; never rejects. */
  check(): Promise<void>;
  /**
   * Looks whether the open files and their directory are still at their paths. It takes a few microseconds and never
   * throws.
   */
  look(): void;
  /** Looks, and returns what is wrong and what to do, for people; empty if nothing is known to be wrong. */
  problems(): string[];
  /** Resolves when a check has found that only the search index is damaged. */
  readonly indexDamaged: Promise<void>;
  /** Resolves when the data directory was not at its path at any look for MAX_WITHOUT_DIRECTORY_MS. */
  readonly directoryGone: Promise<void>;
}

export interface StorageWatchOptions {
  store: Store;
  clock: Clock;
  log: Log;
  /** How many pages at the end of the database were missing when it was opened. */
  missingPages: number;
  /** Checks the file; null if it is intact. */
  findDamage: () => Promise<DamagedTables | null>;
  /**
   * Copies the whole log into the database that is open. False if a scan that reads the log prevents a part of that.
   */
  emptyLog: () => Promise<boolean>;
}

/** Opens the watch of one store. It has checked nothing yet. */
export function openStorageWatch(options: StorageWatchOptions): StorageWatch {
  const { store, clock, log, missingPages, findDamage, emptyLog } = options;
  const seen = new Set<StorageProblem>();
  const { promise: indexDamaged, resolve: setIndexDamaged } = Promise.withResolvers<void>();
  const { promise: directoryGone, resolve: setDirectoryGone } = Promise.withResolvers<void>();
  const directory = dirname(store.sql.filename);
  const directoryIdentity = identityOf(directory);
  /** When the directory was last at its path, monotonic ms. */
  let directorySeenAt = clock.monotonic();
  /** Whether that has succeeded or is under way, since the files were moved. */
  let isLogSaved = false;
  let damage: DamagedTables | null = null;
  let checking: Promise<void> | undefined;

  const examine = async () => {
    try {
      damage = await findDamage();
    } catch (error) {
      log.error("the database could not be checked", { reason: String(error) });
      return;
    }
    if (!damage) return;
    log.error("the database is damaged", {
      index: damage.index.join(", "),
      records: damage.records.join(", "),
    });
    if (damage.index.length > 0 && damage.records.length === 0) setIndexDamaged();
  };
  const check = () => {
    // Another file is at the path, or its content is another one.
    if (seen.has("moved") || seen.has("overwritten")) return Promise.resolve();
    checking ??= examine().finally(() => {
      checking = undefined;
    });
    return checking;
  };

  const observe = (error: unknown) => {
    const problem = storageProblemOf(error);
    // A lock of another process is no problem of the storage.
    if (problem === undefined || problem === "busy") return;
    const isNew = !seen.has(problem);
    seen.add(problem);
    if (isNew && problem === "damaged") void check();
    if (isNew && (problem === "moved" || problem === "overwritten"))
      log.error(STORAGE_MESSAGES[problem], { directory });
  };
  /**
   * Afterwards the file is complete without its log, and no log is left that SQLite would apply to another file at the
   * path.
   */
  const saveLog = async () => {
    try {
      isLogSaved = true;
      isLogSaved = await emptyLog();
    } catch (error) {
      log.error("the write-ahead log cannot be copied into the database", { reason: messageOf(error) });
    }
  };
  const look = () => {
    try {
      store.checkFiles();
      seen.delete("moved");
      isLogSaved = false;
    } catch (error) {
      observe(error);
      if (!isLogSaved && !seen.has("overwritten")) void saveLog();
    }
    const now = clock.monotonic();
    if (identityOf(directory) === directoryIdentity) directorySeenAt = now;
    else if (now - directorySeenAt >= MAX_WITHOUT_DIRECTORY_MS) setDirectoryGone();
  };

  if (missingPages > 0) log.error(describeMissing(missingPages));
  store.onError(observe);
  store.onCommit(({ usesReserve }) => {
    // It shows only that the reserve is not used up.
    if (usesReserve) return;
    seen.delete("full");
    seen.delete("read-only");
  });
  return {
    observe,
    check,
    look,
    indexDamaged,
    directoryGone,
    problems() {
      look();
      const messages = [...seen].filter((problem) => !(damage && problem === "damaged"));
      return [
        ...(missingPages > 0 ? [describeMissing(missingPages)] : []),
        ...messages.map((problem) => STORAGE_MESSAGES[problem]),
        ...(damage ? [describe(damage)] : []),
      ];
    },
  };
}

const describeMissing = (pages: number) =>
  `the end of the database file is missing (${pages} pages): stop the server, and restore a backup with ctxrepo restore`;

function describe({ index, records }: DamagedTables): string {
  if (records.length > 0)
    return `records are damaged (${records.join(", ")}): stop the server, and restore a backup with ctxrepo restore`;
  if (index.length > 0)
    return `the search index is damaged (${index.join(", ")}): stop the server, and rebuild it with ctxrepo reindex`;
  return "pages of the database that belong to no table are damaged: make a backup, which leaves the damage out, and restore it";
}
