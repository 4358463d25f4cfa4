// The API of the checkpoint worker: copies the write-ahead log into the database file on a handle of its own, so that the
// writing thread need not wait for the disk.

import { createLogCopy, restartLog } from "./checkpoints.ts";
import { openCheckpointer } from "./open.ts";

export interface CheckpointOptions {
  databasePath: string;
}

export type CheckpointApi = {
  checkpoint(input: null): void;
  /** Copies all of the log, after which it is not needed any more. False if it is being read. */
  copyAll(input: null): boolean;
  /** Closes the handle. No other function may be called afterwards. */
  close(input: null): void;
};

/** Opens the handle and returns the functions of the worker. */
export async function serveCheckpoints({ databasePath }: CheckpointOptions): Promise<CheckpointApi> {
  const database = openCheckpointer(databasePath);
  const copyLog = createLogCopy(database);
  return {
    checkpoint: () => copyLog(),
    copyAll: () => restartLog(database),
    close: () => database.close(true),
  };
}
