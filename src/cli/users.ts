// ctxrepo users: lists users and removes them.

import { Command } from "commander";
import { deleteKeysOf } from "../auth/keys.ts";
import { countRecords, findUserByEmail, listUsers, removeUser, type User } from "../auth/users.ts";
import type { Write } from "../db/store.ts";
import { leaveGap } from "../db/waiting-writes.ts";
import { collectionIdsOf, deleteCollectionRow } from "../features/collections/store.ts";
import { deleteDocument } from "../features/documents/delete.ts";
import { documentIdsOf } from "../features/documents/store.ts";
import { deletePrompt, promptIdsOf } from "../features/prompts/store.ts";
import { systemClock } from "../kernel/clock.ts";
import { Failure, notFound } from "../kernel/errors.ts";
import { type DataDirOption, withDataDir } from "./data-dir.ts";
import { countOf, printJson, printMessage, printTable } from "./output.ts";
import { withExistingStore } from "./user-options.ts";

/** One write of `users remove --with-data`: a running server waits no longer for it. */
const MAX_WRITE_MS = 20;
const MAX_RECORDS = 200;

/** Each kind of records: how they are found and deleted. */
const RECORDS = [
  [documentIdsOf, deleteDocument],
  [promptIdsOf, deletePrompt],
  [collectionIdsOf, deleteCollectionRow],
] as const;

interface ListOptions extends DataDirOption {
  json?: boolean;
}

interface RemoveOptions extends ListOptions {
  withData?: boolean;
}

export function usersCommand(): Command {
  return new Command("users")
    .description("manage users")
    .addCommand(
      withDataDir(new Command("list")).description("list users").option("--json", "print JSON").action(list),
    )
    .addCommand(
      withDataDir(new Command("remove"))
        .description("remove a user with all keys and tokens immediately, also in a running server")
        .argument("<EMAIL>", "e-mail of the user")
        .option(
          "--with-data",
          "also delete the user's records; without it, a user who has records is not removed",
        )
        .option("--json", "print JSON")
        .action(remove),
    );
}

async function list({ dataDir, json }: ListOptions): Promise<void> {
  const users = await withExistingStore(dataDir, (store) =>
    listUsers(store).map((user) => ({ ...user, records: countRecords(store, user.id) })),
  );
  if (json) printJson(users);
  else {
    printTable(
      ["ID", "E-MAIL", "RECORDS", "CREATED"],
      users.map((user) => [
        user.id,
        user.email,
        String(user.records),
        new Date(user.createdAt).toISOString().slice(0, 16),
      ]),
      "no users yet",
    );
  }
}

async function remove(email: string, { dataDir, withData = false, json }: RemoveOptions): Promise<void> {
  const removed = await withExistingStore(dataDir, async (store) => {
    const user = store.write((write) => {
      const found = requireRemovable(write, email, withData);
      // First, so that no key adds records while they are deleted.
      deleteKeysOf(write, found.id);
      return found;
    });
    let records = 0;
    for (;;) {
      const deleted = store.write((write) => {
        const some = deleteRecords(write, user.id);
        if (some === 0) removeUser(write, user.id);
        return some;
      });
      if (deleted === 0) return { success: true, id: user.id, email: user.email, records };
      records += deleted;
      await leaveGap();
    }
  });
  if (json) printJson(removed);
  else
    printMessage(
      `${removed.email} is removed${removed.records > 0 ? ` with ${countOf(removed.records, "record")}` : ""}`,
    );
}

function requireRemovable(write: Write, email: string, withData: boolean): User {
  const user = findUserByEmail(write, email);
  if (!user) throw notFound(`user ${email}`);
  const records = countRecords(write, user.id);
  if (records === 0 || withData) return user;
  throw new Failure(
    "conflict",
    `${user.email} has ${countOf(records, "record")} (add --with-data to delete them too)`,
  );
}

/** Deletes some of the user's records: as many as fit into a short write. Returns how many; 0 if none is left. */
function deleteRecords(write: Write, userId: string): number {
  const until = systemClock.monotonic() + MAX_WRITE_MS;
  let deleted = 0;
  for (const [idsOf, remove] of RECORDS) {
    for (const id of idsOf(write, userId, MAX_RECORDS)) {
      remove(write, id);
      deleted++;
      if (systemClock.monotonic() >= until) return deleted;
    }
  }
  return deleted;
}
