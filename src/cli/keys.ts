// ctxrepo keys: make, list and revoke first-party API keys. Works beside a running server.

import { Command } from "commander";
import { openLocalStore } from "../app.ts";
import { createKey, type ListedKey, listKeys, revokeKey } from "../auth/keys.ts";
import { isScope, SCOPES, type Scope } from "../auth/scopes.ts";
import { ensureUser, LOCAL_OWNER } from "../auth/users.ts";
import type { Store } from "../db/store.ts";
import { badRequest, notFound } from "../kernel/errors.ts";
import { type DataDirOption, withDataDir } from "./data-dir.ts";
import { print, printJson, printTable, talk } from "./output.ts";

const DEFAULT_SCOPES = "prompts.write,documents.write";
const EMAIL = /^[^\s@]+@[^\s@]+$/;

interface JsonOption {
  json?: boolean;
}

export function keysCommand(): Command {
  const keys = new Command("keys").description("API keys");
  keys.addCommand(
    withDataDir(new Command("create"))
      .description("make a key and print it, once")
      .option("--user <EMAIL>", "whose key; an unknown e-mail makes that user", LOCAL_OWNER)
      .option("--name <LABEL>", "what the key is for")
      .option("--scopes <LIST>", `comma-separated: ${SCOPES.join(", ")}`, DEFAULT_SCOPES)
      .option("--json", "print JSON")
      .action(create),
  );
  keys.addCommand(
    withDataDir(new Command("list"))
      .description("list keys, without secrets")
      .option("--json", "print JSON")
      .action(list),
  );
  keys.addCommand(
    withDataDir(new Command("revoke"))
      .description("end a key at once, in a running server too")
      .argument("<ID>", "the key's public id")
      .option("--json", "print JSON")
      .action(revoke),
  );
  return keys;
}

interface CreateOptions extends DataDirOption, JsonOption {
  user: string;
  name?: string;
  scopes: string;
}

function create({ dataDir, user, name, scopes, json }: CreateOptions): void {
  const wanted = parseScopes(scopes);
  if (!EMAIL.test(user)) throw badRequest({ path: "--user", message: "must be an e-mail address" });
  const created = withStore(dataDir, (store) =>
    store.write((write) => createKey(write, ensureUser(write, user), name ?? null, wanted)),
  );
  if (json) {
    printJson(created);
  } else {
    print(created.key);
    talk(`Key ${created.id} of ${created.email} (${created.scopes.join(", ")}). It is shown this once.`);
  }
}

function list({ dataDir, json }: DataDirOption & JsonOption): void {
  const keys = withStore(dataDir, listKeys);
  if (json) printJson(keys);
  else printKeys(keys);
}

function printKeys(keys: ListedKey[]): void {
  const date = (at: number | null) => (at === null ? "-" : new Date(at).toISOString().slice(0, 16));
  printTable(
    ["ID", "USER", "NAME", "SCOPES", "CREATED", "LAST USED", "REVOKED"],
    keys.map((key) => [
      key.id,
      key.email,
      key.name ?? "-",
      key.scopes.join(","),
      date(key.createdAt),
      date(key.lastUsedAt),
      date(key.revokedAt),
    ]),
    "no keys yet",
  );
}

function revoke(id: string, { dataDir, json }: DataDirOption & JsonOption): void {
  const found = withStore(dataDir, (store) => store.write((write) => revokeKey(write, id)));
  if (!found) throw notFound(`key ${id}`);
  if (json) printJson({ success: true, id });
  else talk(`key ${id} is revoked`);
}

function parseScopes(text: string): Scope[] {
  const names = [...new Set(text.split(",").map((name) => name.trim()))].filter((name) => name !== "");
  const unknown = names.find((name) => !isScope(name));
  if (unknown !== undefined || names.length === 0) {
    throw badRequest({
      path: "--scopes",
      message: `unknown scope "${unknown ?? ""}" (known: ${SCOPES.join(", ")})`,
    });
  }
  return names.filter(isScope);
}

function withStore<Value>(dataDir: string, action: (store: Store) => Value): Value {
  const store = openLocalStore(dataDir);
  try {
    return action(store);
  } finally {
    store.close();
  }
}
