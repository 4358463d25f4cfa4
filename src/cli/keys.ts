// ctxrepo keys: creates, lists and revokes first-party API keys. Works whether a server runs or not.

import { Command } from "commander";
import { createKey, type ListedKey, listKeys, revokeKey } from "../auth/keys.ts";
import { SCOPES } from "../auth/scopes.ts";
import { ensureUser } from "../auth/users.ts";
import { notFound } from "../kernel/errors.ts";
import { type DataDirOption, withDataDir } from "./data-dir.ts";
import { print, printJson, printMessage, printTable, tableCell } from "./output.ts";
import {
  DEFAULT_SCOPES,
  parseScopes,
  parseUser,
  type UserOptions,
  withExistingStore,
  withStore,
  withUserOptions,
} from "./user-options.ts";

interface JsonOption {
  json?: boolean;
}

export function keysCommand(): Command {
  const keys = new Command("keys").description("manage API keys");
  keys.addCommand(
    withUserOptions(withDataDir(new Command("create")))
      .description("create a key and print it; it is never shown again")
      .option("--name <LABEL>", "label that describes what the key is for")
      .option("--scopes <LIST>", `comma-separated: ${SCOPES.join(", ")}`, DEFAULT_SCOPES)
      .action(create),
  );
  keys.addCommand(
    withDataDir(new Command("list"))
      .description("list keys, without secrets")
      .option("--user <EMAIL>", "only the keys of this user")
      .option("--json", "print JSON")
      .action(list),
  );
  keys.addCommand(
    withDataDir(new Command("revoke"))
      .description("revoke a key immediately, also in a running server")
      .argument("<ID>", "public id of the key")
      .option("--json", "print JSON")
      .action(revoke),
  );
  return keys;
}

interface CreateOptions extends UserOptions {
  name?: string;
}

async function create({ dataDir, user, name, scopes, json }: CreateOptions): Promise<void> {
  const wanted = parseScopes(scopes);
  const email = parseUser(user);
  const created = await withStore(dataDir, (store) =>
    store.write((write) =>
      createKey(write, ensureUser(write, email), { name: name ?? null, scopes: wanted }),
    ),
  );
  if (json) {
    printJson(created);
  } else {
    print(created.key);
    printMessage(
      `Key ${created.id} of ${created.email} (${created.scopes.join(", ")}). It is not shown again.`,
    );
  }
}

async function list({ dataDir, user, json }: DataDirOption & JsonOption & { user?: string }): Promise<void> {
  const email = user === undefined ? undefined : parseUser(user);
  const all = await withExistingStore(dataDir, listKeys);
  const keys = all.filter((key) => email === undefined || key.email === email);
  if (json) printJson(keys);
  else printKeys(keys);
}

function printKeys(keys: ListedKey[]): void {
  const date = (at: number | null) => (at === null ? "-" : new Date(at).toISOString().slice(0, 16));
  printTable(
    ["ID", "USER", "NAME", "SCOPES", "CREATED", "LAST USED", "REVOKED"],
    keys.map((key) => [
      key.id,
      tableCell(key.email),
      tableCell(key.name ?? "-"),
      key.scopes.join(","),
      date(key.createdAt),
      date(key.lastUsedAt),
      date(key.revokedAt),
    ]),
    "no keys yet",
  );
}

async function revoke(id: string, { dataDir, json }: DataDirOption & JsonOption): Promise<void> {
  const found = await withExistingStore(dataDir, (store) => store.write((write) => revokeKey(write, id)));
  if (!found) throw notFound(`key ${id}`);
  if (json) printJson({ success: true, id });
  else printMessage(`key ${id} is revoked`);
}
