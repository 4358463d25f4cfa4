// The file by which commands find the process that serves a data directory: its address, process id and secret. It is
// private to the user (mode 0600), in the runtime or cache directory, and belongs to one database, whatever links lead
// to it.

import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { cacheDirectory, type Environment, runtimeDirectory } from "../base/assets.ts";
import { identityOf } from "../db/file-identity.ts";
import { databasePath } from "../db/open.ts";
import { sha256Hex } from "../kernel/hash.ts";

/** A process that serves a data directory. */
export interface Address {
  pid: number;
  /**
   * Device and inode of the directory of the database: a folder that was moved away and replaced is another instance.
   */
  instance: string;
  /** Device and inode of the database that the process has open. */
  file: string;
  /** `http://HOST:PORT` without a slash at the end, reachable from this machine. */
  url: string;
  /** See auth/local-access.ts. */
  secret: string;
  /** Whether it is `ctxrepo serve`. A command gives the data directory to a starting server. */
  isServer: boolean;
}

/**
 * How often a process looks whether its file is still there. Shorter than a command waits for a process that does not
 * answer.
 */
const LOOK_MS = 5_000;

/**
 * Writes the file, and writes it again if something deletes or changes it, such as the end of the user's session.
 * Returns a function that deletes it. Throws the error of the file system if no directory for it can be written.
 */
export function writeAddress(
  dataDir: string,
  address: Pick<Address, "url" | "secret" | "isServer">,
  lookMs = LOOK_MS,
): () => void {
  const content: Address = {
    pid: process.pid,
    instance: String(identityOf(placeOf(dataDir).directory)),
    file: String(identityOf(databasePath(dataDir))),
    ...address,
  };
  const text = JSON.stringify(content);
  let path = writeToFirst(pathsOf(dataDir, process.env), text);
  const look = setInterval(() => {
    try {
      if (textIn(path) !== text) path = writeToFirst(pathsOf(dataDir, process.env), text);
    } catch {
      // Tried again at the next look.
    }
  }, lookMs);
  look.unref();
  return () => {
    clearInterval(look);
    // If the data directory is gone, another process may serve one of that name.
    if (readFile(path)?.pid === process.pid) rmSync(path, { force: true });
  };
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Writes a private file to the first path whose directory can be written, and returns that path. */
function writeToFirst([path, ...others]: readonly [string, ...string[]], text: string): string {
  try {
    const temporary = `${path}.${process.pid}`;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { mode: 0o600 });
    // The mode above applies only to a new file.
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
    return path;
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined) throw error;
    return writeToFirst([next, ...rest], text);
  }
}

/** The process named by a file whose process exists and whose data directory is this one, or undefined. */
export function readAddress(dataDir: string): Address | undefined {
  return pathsOf(dataDir, process.env)
    .map(readFile)
    .find((address) => address !== undefined && isCurrent(address, dataDir));
}

/**
 * Where the file may be. It is written to the first that works; a server may have another environment than a command.
 */
function pathsOf(dataDir: string, env: Environment): [string, ...string[]] {
  const name = `process-${sha256Hex(placeOf(dataDir).name).slice(0, 16)}.json`;
  const inCache = join(cacheDirectory(env), name);
  const runtime = runtimeDirectory(env);
  return runtime === undefined ? [inCache] : [join(runtime, name), inCache];
}

function readFile(path: string): Address | undefined {
  try {
    const { mode, uid } = statSync(path);
    // Another user could otherwise make commands send contents to a program of theirs.
    if (process.platform !== "win32" && ((mode & 0o077) !== 0 || uid !== process.getuid?.()))
      return undefined;
    const { pid, instance, file, url, secret, isServer } = JSON.parse(readFileSync(path, "utf8"));
    if (!Number.isSafeInteger(pid) || pid <= 0 || !URL.canParse(url) || typeof secret !== "string") {
      return undefined;
    }
    return { pid, instance: String(instance), file: String(file), url, secret, isServer: isServer === true };
  } catch {
    return undefined;
  }
}

function isCurrent({ pid, instance }: Address, dataDir: string): boolean {
  // Nothing else can be at the path of a directory that is gone.
  if ((identityOf(placeOf(dataDir).directory) ?? instance) !== instance) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The directory that really contains the database of a data directory, and a name that it has by every path. */
function placeOf(dataDir: string): { directory: string; name: string } {
  const path = databasePath(resolve(dataDir));
  const real = realPath(path);
  const directory = dirname(real);
  return { directory, name: basename(real) === basename(path) ? directory : real };
}

/** The path without links, as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
