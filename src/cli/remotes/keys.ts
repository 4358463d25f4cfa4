// The keys of other servers: a file that only the user can read, outside the data directory, so that a copy or a backup
// of the database contains none of them.

import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configDirectory, type Environment } from "../../base/assets.ts";
import { badRequest, Failure, reasonOf } from "../../kernel/errors.ts";

/** The path of the file. */
export const keyFile = (env: Environment) => join(configDirectory(env), "remote-keys.json");

/** The key in an environment variable. Throws `bad-request` if it is not set or is no key. */
export function keyFromVariable(name: string, env: Environment): string {
  const key = env[name]?.trim();
  const reject = (message: string) => badRequest({ path: "--key-env", message });
  if (!key)
    throw reject(`the variable ${name} is not set: it must contain the key or token of the other server`);
  if (!/^[\x21-\x7e]{8,8192}$/.test(key)) throw reject(`the variable ${name} does not contain a key`);
  return key;
}

/** The key of a remote. Throws `not-found` if there is none, and `forbidden` if other users can read the file. */
export function keyOf(remoteId: string, env: Environment): string {
  const key = readKeys(env)[remoteId];
  if (key !== undefined) return key;
  const path = keyFile(env);
  throw new Failure("not-found", `${path} has no key for this remote: remove it and add it again`);
}

/** Stores the key of a remote. Throws `unavailable` if the file cannot be written. */
export function storeKey(remoteId: string, key: string, env: Environment): void {
  writeKeys({ ...readKeys(env), [remoteId]: key }, env);
}

/** Removes the key of a remote. */
export function removeKey(remoteId: string, env: Environment): void {
  const { [remoteId]: removed, ...others } = readKeys(env);
  if (removed !== undefined) writeKeys(others, env);
}

function readKeys(env: Environment): Record<string, string> {
  const path = keyFile(env);
  let text: string;
  try {
    const { mode } = statSync(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new Failure(
        "forbidden",
        `${path} can be read by other users: chmod 600 it, and replace its keys`,
      );
    }
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Failure) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Failure("unavailable", `${path}: ${reasonOf(error)}`, { cause: error });
  }
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch (error) {
    throw new Failure("unavailable", `${path} is not JSON: remove it and add the remotes again`, {
      cause: error,
    });
  }
}

function writeKeys(keys: Record<string, string>, env: Environment): void {
  const path = keyFile(env);
  try {
    const temporary = `${path}.${process.pid}`;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    // The mode above applies only to a new file.
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } catch (error) {
    throw new Failure("unavailable", `${path}: ${reasonOf(error)}`, { cause: error });
  }
}
