// The API of the checkpoint worker: copies the write-ahead log into the database file on a handle of its own, so that the
// writing thread need not wait for the disk.

import { createLogCopy } from "./checkpoints.ts";
import { openCheckpointer } from "./open.ts";

export interface CheckpointOptions {
  databasePath: string;
}

export type CheckpointApi = {
  checkpoint(input: null): void;
  /** Closes the handle. No other function may be called afterwards. */
  close(input: null): void;
};

/** Opens the handle and returns the functions of the worker. */
export async function serveCheckpoints({ databasePath }: CheckpointOptions): Promise<CheckpointApi> {
  const database = openCheckpointer(databasePath);
  const copyLog = createLogCopy(database);
  return {
    checkpoint: () => copyLog(),
    close: () => database.close(true),
  };
}
