// ctxrepo users: lists users and removes them.

import { Command } from "commander";
import { countRecords, findUserByEmail, listUsers, type User } from "../auth/users.ts";
import type { Write } from "../db/store.ts";
import { leaveGap } from "../db/waiting-writes.ts";
import { beginRemoval, removeNext } from "../features/identity/remove-user.ts";
import { systemClock } from "../kernel/clock.ts";
import { Failure, notFound } from "../kernel/errors.ts";
import { type DataDirOption, withDataDir } from "./data-dir.ts";
import { countOf, printJson, printMessage, printTable } from "./output.ts";
import { withExistingStore } from "./user-options.ts";

/** One write of `users remove --with-data`: a running server waits no longer for it. */
const MAX_WRITE_MS = 20;

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
    listUsers(store).map(({ removedAt: _, ...user }) => ({ ...user, records: countRecords(store, user.id) })),
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
    const { user, records } = store.write((write) => {
      const found = requireRemovable(write, email, withData);
      beginRemoval(write, found.user.id);
      return found;
    });
    while (store.write((write) => removeSome(write, user.id))) await leaveGap();
    return { success: true, id: user.id, email: user.email, records };
  });
  if (json) printJson(removed);
  else
    printMessage(
      `${removed.email} is removed${removed.records > 0 ? ` with ${countOf(removed.records, "record")}` : ""}`,
    );
}

function requireRemovable(write: Write, email: string, withData: boolean): { user: User; records: number } {
  const user = findUserByEmail(write, email);
  if (!user) throw notFound(`user ${email}`);
  const records = countRecords(write, user.id);
  if (records === 0 || withData) return { user, records };
  throw new Failure(
    "conflict",
    `${user.email} has ${countOf(records, "record")} (add --with-data to delete them too)`,
  );
}

/** Removes as much of a user as fits into a short write. Returns whether there is more. */
function removeSome(write: Write, userId: string): boolean {
  const until = systemClock.monotonic() + MAX_WRITE_MS;
  while (systemClock.monotonic() < until) if (!removeNext(write, userId)) return false;
  return true;
}
