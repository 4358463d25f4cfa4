// ctxrepo users: lists users and removes them.

import { Command } from "commander";
import { countRecords, findUserByEmail, listUsers, removeUser } from "../auth/users.ts";
import type { Write } from "../db/store.ts";
import { deleteCollectionsOf } from "../features/collections/store.ts";
import { deleteDocument } from "../features/documents/delete.ts";
import { documentIdsOf } from "../features/documents/store.ts";
import { deletePromptsOf } from "../features/prompts/store.ts";
import { Failure, notFound } from "../kernel/errors.ts";
import { type DataDirOption, withDataDir } from "./data-dir.ts";
import { countOf, printJson, printMessage, printTable } from "./output.ts";
import { withExistingStore } from "./user-options.ts";

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

async function remove(email: string, { dataDir, withData, json }: RemoveOptions): Promise<void> {
  const removed = await withExistingStore(dataDir, (store) =>
    store.write((write) => {
      const user = findUserByEmail(write, email);
      if (!user) throw notFound(`user ${email}`);
      const records = countRecords(write, user.id);
      if (records > 0 && !withData) {
        throw new Failure(
          "conflict",
          `${user.email} has ${countOf(records, "record")} (add --with-data to delete them too)`,
        );
      }
      deleteRecords(write, user.id);
      removeUser(write, user.id);
      return { success: true, id: user.id, email: user.email, records };
    }),
  );
  if (json) printJson(removed);
  else
    printMessage(
      `${removed.email} is removed${removed.records > 0 ? ` with ${countOf(removed.records, "record")}` : ""}`,
    );
}

function deleteRecords(write: Write, userId: string): void {
  for (const id of documentIdsOf(write, userId)) deleteDocument(write, id);
  deletePromptsOf(write, userId);
  deleteCollectionsOf(write, userId);
}
