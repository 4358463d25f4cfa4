// The numbers that are expensive to count: rows of the database. They are counted in the search worker, so that nothing
// else waits, and at most once every few seconds, however often /metrics is requested.

import { statSync } from "node:fs";
import type { Settings } from "../../base/config.ts";
import { databasePath } from "../../db/open.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { RowCounts } from "../../retrieval/generations/row-counts.ts";
import type { SearchWorker } from "../../retrieval/search/worker.ts";

export interface Sizes extends RowCounts {
  databaseBytes: number;
  walBytes: number;
}

/** How long counted numbers are used. @testOnly */
export const MAX_AGE_MS = 5_000;

interface SizesDeps {
  settings: Settings;
  clock: Clock;
  searchWorker: SearchWorker;
}

/** The sizes of one database. `read` resolves with undefined while they cannot be counted. */
export function openSizes({ settings, clock, searchWorker }: SizesDeps): {
  read(): Promise<Sizes | undefined>;
} {
  const path = databasePath(settings.dataDir);
  let counted: Promise<Sizes | undefined> | undefined;
  let countedAt = 0;

  const count = async (): Promise<Sizes | undefined> => {
    try {
      const rows = await searchWorker.call.rowCounts(null);
      return { ...rows, databaseBytes: bytesOf(path), walBytes: bytesOf(`${path}-wal`) };
    } catch {
      // The worker is being restarted, or the server stops. The other metrics are still worth having.
      return undefined;
    }
  };

  return {
    read() {
      const now = clock.monotonic();
      if (!counted || now - countedAt >= MAX_AGE_MS) {
        counted = count();
        countedAt = now;
      }
      return counted;
    },
  };
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
