// ctxrepo users: lists and removes users, and links identities of an external provider to them.

import { Command } from "commander";
import {
  type ExternalIdentity,
  findLinkedUser,
  identitiesOf,
  isSubject,
  linkIdentity,
} from "../auth/external-identities.ts";
import { countRecords, findUserByEmail, listUsers, type User } from "../auth/users.ts";
import type { Write } from "../db/store.ts";
import { leaveGap } from "../db/waiting-writes.ts";
import { beginRemoval, removeNext } from "../features/identity/remove-user.ts";
import { systemClock } from "../kernel/clock.ts";
import { badRequest, Failure, messageOf, notFound } from "../kernel/errors.ts";
import { type DataDirOption, withDataDir } from "./data-dir.ts";
import { issuerUrl } from "../base/config.ts";
import { printableLine } from "./printable.ts";
import { countOf, printJson, printMessage, printTable, tableCell } from "./output.ts";
import { withExistingStore } from "./user-options.ts";

/** One write of `users remove --with-data`: a running server waits no longer for it. */
const MAX_WRITE_MS = 20;

interface ListOptions extends DataDirOption {
  json?: boolean;
}

interface RemoveOptions extends ListOptions {
  withData?: boolean;
}

interface LinkOptions extends ListOptions {
  issuer: string;
  subject: string;
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
    )
    .addCommand(
      withDataDir(new Command("link"))
        .description("let an identity of the provider of --oidc-issuer act as a user, and as no other user")
        .argument("<EMAIL>", "e-mail of the user")
        .requiredOption("--issuer <URL>", "issuer of the provider, as in --oidc-issuer")
        .requiredOption("--subject <TEXT>", "claim `sub` of the tokens")
        .option("--json", "print JSON")
        .action(link),
    );
}

async function list({ dataDir, json }: ListOptions): Promise<void> {
  const users = await withExistingStore(dataDir, (store) =>
    listUsers(store).map(({ id, email, name, createdAt }) => {
      const identities = identitiesOf(store, id);
      const records = countRecords(store, id);
      return { id, email, name, createdAt, records, ...(identities.length > 0 && { identities }) };
    }),
  );
  if (json) return printJson(users);
  printTable(
    ["ID", "E-MAIL", "RECORDS", "CREATED", "SUBJECTS"],
    users.map(({ id, email, records, createdAt, identities = [] }) => [
      id,
      tableCell(email),
      String(records),
      new Date(createdAt).toISOString().slice(0, 16),
      tableCell(identities.map(({ subject }) => subject).join(", ")),
    ]),
    "no users yet",
  );
}

async function link(email: string, { dataDir, issuer, subject, json }: LinkOptions): Promise<void> {
  const identity = parseIdentity(issuer, subject);
  const linked = await withExistingStore(dataDir, (store) =>
    store.write((write) => {
      const user = findUserByEmail(write, email);
      if (!user) throw notFound(`user ${email}`);
      const before = findLinkedUser(write, identity);
      linkIdentity(write, user, identity);
      return { success: true, id: user.id, email: user.email, ...identity, before: before?.email ?? null };
    }),
  );
  if (json) return printJson(linked);
  const { before } = linked;
  const moved = before === null || before === linked.email ? "" : ` and no longer as ${before}`;
  printMessage(printableLine(`${identity.subject} of ${identity.issuer} acts as ${linked.email}${moved}`));
}

function parseIdentity(issuer: string, subject: string): ExternalIdentity {
  if (!isSubject(subject))
    throw badRequest({ path: "--subject", message: "must be 1 to 255 printable ASCII characters" });
  try {
    return { issuer: issuerUrl(issuer), subject };
  } catch (error) {
    throw badRequest({ path: "--issuer", message: messageOf(error) });
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
