// Shared by the commands that act for a user: options, their parsers, and access to the database.

import type { Command } from "commander";
import { openLocalStore } from "../app.ts";
import { isEmail } from "../auth/email.ts";
import { isScope, SCOPES, type Scope } from "../auth/scopes.ts";
import { LOCAL_OWNER } from "../auth/users.ts";
import { readSettings } from "../base/config.ts";
import type { Store } from "../db/store.ts";
import { badRequest } from "../kernel/errors.ts";
import { type DataDirOption, requireDatabase } from "./data-dir.ts";
import { rejectLostDatabase } from "./local-calls.ts";

export const DEFAULT_SCOPES = "prompts.write,documents.write";

export interface UserOptions extends DataDirOption {
  user: string;
  scopes: string;
  json?: boolean;
}

/** Adds --user and --json. */
export function withUserOptions(command: Command): Command {
  return command
    .option("--user <EMAIL>", "e-mail of the user; an unknown one creates a user", LOCAL_OWNER)
    .option("--json", "print JSON");
}

/** The e-mail address in lower case. Throws `bad-request` for anything else. */
export function parseUser(text: string): string {
  if (!isEmail(text)) throw badRequest({ path: "--user", message: "must be an e-mail address" });
  return text.toLowerCase();
}

/** Parses a comma-separated list of scopes. Throws `bad-request` for an empty list and for an unknown scope. */
export function parseScopes(text: string): Scope[] {
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

/** Like withStore, but throws `not-found` instead of creating a database. */
export async function withExistingStore<Value>(
  dataDir: string,
  action: (store: Store) => Value | Promise<Value>,
): Promise<Value> {
  await rejectLostDatabase(dataDir);
  requireDatabase(dataDir);
  return useStore(dataDir, action);
}

/**
 * Opens the database, which is created if it does not exist, for one action and closes it afterwards. Throws `conflict`
 * if a process has another file open.
 */
export async function withStore<Value>(
  dataDir: string,
  action: (store: Store) => Value | Promise<Value>,
): Promise<Value> {
  await rejectLostDatabase(dataDir);
  return useStore(dataDir, action);
}

async function useStore<Value>(
  dataDir: string,
  action: (store: Store) => Value | Promise<Value>,
): Promise<Value> {
  const store = openLocalStore(dataDir);
  if (readSettings({ dataDir }, process.env).replicated) store.leaveLog();
  try {
    return await action(store);
  } finally {
    store.close();
  }
}
