// Removes a user with all records: access ends at once, the records are deleted in short writes. A job continues after
// the process has ended.

import { deleteKeysOf } from "../../auth/keys.ts";
import { markRemoved, removeUser } from "../../auth/users.ts";
import type { Store, Write } from "../../db/store.ts";
import { deleteFromTrash, trashedIdsOf } from "../../db/trash.ts";
import { dequeue, enqueue } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import { writeInSlices } from "../../retrieval/generations/slices.ts";
import { collectionIdsOf, deleteCollectionRow } from "../collections/store.ts";
import { deleteDocument } from "../documents/delete.ts";
import { documentIdsOf } from "../documents/store.ts";
import { deletePrompt, promptIdsOf } from "../prompts/store.ts";

/** Each kind of records: how they are found and deleted. */
const RECORDS = [
  [documentIdsOf, deleteDocument],
  [promptIdsOf, deletePrompt],
  [trashedIdsOf, deleteFromTrash],
  [collectionIdsOf, deleteCollectionRow],
] as const;

/** Ends the use of all credentials of a user and frees the e-mail address. The records are deleted afterwards. */
export function beginRemoval(write: Write, userId: string): void {
  deleteKeysOf(write, userId);
  markRemoved(write, userId);
  enqueue(write, "user.remove", userId);
}

/**
 * Deletes one record of a user whose removal has begun, or, without records, the user. Returns whether there may be
 * more.
 */
export function removeNext(write: Write, userId: string): boolean {
  for (const [idsOf, remove] of RECORDS) {
    const [id] = idsOf(write, userId, 1);
    if (id === undefined) continue;
    remove(write, id);
    return true;
  }
  removeUser(write, userId);
  dequeue(write, "user.remove", userId);
  return false;
}

export interface RemoveUserDeps {
  store: Store;
  clock: Clock;
}

/** The job: deletes what is left of a user whose removal has begun. Throws when `signal` fires. */
export async function continueRemoval(
  { store, clock }: RemoveUserDeps,
  userId: string,
  signal: AbortSignal,
): Promise<void> {
  await writeInSlices({ store, clock, signal, usesReserve: true }, (write) => removeNext(write, userId));
}
