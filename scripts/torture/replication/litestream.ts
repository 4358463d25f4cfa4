// Litestream as a child process: replicates one database to a replica, and restores from it.

import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { databasePath } from "../../../src/db/open.ts";
import { type Bench, Missing } from "../../bench/bench.ts";

const PACKAGE = "@flydotio/litestream-linux-x64/package.json";
/** Another version than that of the package. */
const PATH_VARIABLE = "LITESTREAM_PATH";

/** It must not read proxies or certificates for S3 from the variables of this machine. */
const NO_ENVIRONMENT = {};

/** A replica as Litestream's configuration describes it. */
export type Replica = Readonly<Record<string, string | boolean>>;

export interface Litestream {
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
}

/** Where the program is; undefined if there is none for this machine. @testOnly */
export function litestreamPath(): string | undefined {
  const given = process.env[PATH_VARIABLE];
  if (given) return given;
  try {
    const path = join(dirname(Bun.resolveSync(PACKAGE, import.meta.dir)), "litestream");
    return existsSync(path) ? path : undefined;
  } catch {
    // Not installed: it is for Linux on x64 only.
    return undefined;
  }
}

function programPath(): string {
  const path = litestreamPath();
  if (path === undefined)
    throw new Missing(`there is no Litestream for this machine: set ${PATH_VARIABLE} to one`);
  return path;
}

/**
 * Replicates the database of a data directory, which must exist, until it is killed. `folder` is for its own files.
 * Throws Missing where there is no Litestream.
 */
export async function replicate(
  bench: Bench,
  dataDir: string,
  { replica, folder }: { replica: Replica; folder: string },
): Promise<Litestream> {
  const path = programPath();
  const config = join(folder, "litestream.yml");
  // JSON is YAML. The folder of its own files must not be the data directory.
  const database = { path: databasePath(dataDir), "meta-path": join(folder, "meta"), replicas: [replica] };
  writeFileSync(config, JSON.stringify({ dbs: [database] }));
  const command = [path, "replicate", "-config", config];
  const output = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
  const child = bench.own(Bun.spawn(command, { ...output, env: NO_ENVIRONMENT }));
  return {
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/**
 * Restores the newest state of the replica as the database of a data directory. False if there is nothing to restore
 * yet.
 */
export async function restore(folder: string, dataDir: string): Promise<boolean> {
  const path = programPath();
  const source = join(folder, "litestream.yml");
  const { dbs } = await Bun.file(source).json();
  const command = [path, "restore", "-config", source, "-o", databasePath(dataDir), dbs[0].path];
  const child = Bun.spawn(command, { env: NO_ENVIRONMENT, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [output, errors] = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const message = `${await output}${await errors}`;
  if ((await child.exited) === 0) return true;
  if (/no matching backup|no snapshots|cannot find|no generation|not found/i.test(message)) return false;
  throw new Error(`litestream restore failed: ${message.slice(-500)}`);
}
