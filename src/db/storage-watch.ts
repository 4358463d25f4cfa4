// What is wrong with the disk or the file, as far as this process knows: from errors, and from checks of the whole file in
// another thread. It must not know who shows it or repairs it.

import type { Log } from "../kernel/log.ts";
import { STORAGE_MESSAGES, type StorageProblem, storageProblemOf } from "./storage-errors.ts";
import type { Store } from "./store.ts";

/** The damaged tables: those of the search index, which can be made again, and the others. */
interface DamagedTables {
  index: readonly string[];
  records: readonly string[];
}

export interface StorageWatch {
  /** Notes what an error shows about the storage. Damage makes it check the file. */
  observe(error: unknown): void;
  /** Checks the file in another thread. Resolves when the result is known; never rejects. */
  check(): Promise<void>;
  /** What is wrong and what to do, for people; empty if nothing is known to be wrong. */
  problems(): string[];
  /** Resolves when a check has found that only the search index is damaged. */
  readonly indexDamaged: Promise<void>;
}

export interface StorageWatchOptions {
  store: Store;
  log: Log;
  /** Checks the file; null if it is intact. */
  findDamage: () => Promise<DamagedTables | null>;
}

/** Opens the watch of one store. It has checked nothing yet. */
export function openStorageWatch({ store, log, findDamage }: StorageWatchOptions): StorageWatch {
  const seen = new Set<StorageProblem>();
  const { promise: indexDamaged, resolve: setIndexDamaged } = Promise.withResolvers<void>();
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
  };

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
    indexDamaged,
    problems() {
      const messages = [...seen].filter((problem) => !(damage && problem === "damaged"));
      return [...messages.map((problem) => STORAGE_MESSAGES[problem]), ...(damage ? [describe(damage)] : [])];
    },
  };
}

function describe({ index, records }: DamagedTables): string {
  if (records.length > 0)
    return `records are damaged (${records.join(", ")}): stop the server, and restore a backup with ctxrepo restore`;
  if (index.length > 0)
    return `the search index is damaged (${index.join(", ")}): stop the server, and rebuild it with ctxrepo reindex`;
  return "pages of the database that belong to no table are damaged: make a backup, which leaves the damage out, and restore it";
}
