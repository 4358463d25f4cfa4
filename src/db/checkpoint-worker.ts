// The API of the checkpoint worker: copies the write-ahead log into the database file on a handle of its own, so that the
// writing thread need not wait for the disk, and saves a database whose file is no longer at its path.

import { createLogCopy, emptyLog, restartLog } from "./checkpoints.ts";
import { requireSameFile } from "./file-identity.ts";
import { openCheckpointer } from "./open.ts";
import { writeSnapshot } from "./snapshot.ts";

export interface CheckpointOptions {
  databasePath: string;
  /** Device and inode of the file that the writing thread has open; see identityOf. */
  identity: string | undefined;
}

export type CheckpointApi = {
  checkpoint(input: null): void;
  /** Copies all of the log, after which it is not needed any more. False if it is being read. */
  copyAll(input: null): boolean;
  /** See emptyLog. */
  emptyLog(input: null): boolean;
  /** Writes a snapshot of the file that is open, wherever it is now, into a new file. */
  snapshot(input: { target: string }): void;
  /** Closes the handle. No other function may be called afterwards. */
  close(input: null): void;
};

/** Opens the handle and returns the functions of the worker. Throws a `moved` error of SQLite if another file is at the path. */
export async function serveCheckpoints({
  databasePath,
  identity,
}: CheckpointOptions): Promise<CheckpointApi> {
  requireSameFile(databasePath, identity);
  const database = openCheckpointer(databasePath);
  const copyLog = createLogCopy(database);
  return {
    checkpoint: () => copyLog(),
    copyAll: () => restartLog(database),
    emptyLog: () => emptyLog(database),
    snapshot: ({ target }) => writeSnapshot(database, target),
    close: () => database.close(true),
  };
}
