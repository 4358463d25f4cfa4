// Checks of the data directory: who can read it, and what else it contains.

import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { databasePath } from "../../db/open.ts";
import { SIDE_FILES } from "../replace.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const OTHERS = 0o077;

/** Whether other users of the machine can read the directory or a file of the database. */
export function checkPermissions(dataDir: string): Check {
  const name = "permissions";
  if (process.platform === "win32") return ok(name, "Windows: those of the user's profile apply");
  const paths = [dataDir, ...databaseFiles(dataDir)].filter((path) => existsSync(path));
  const open = paths.filter((path) => statSync(path).mode & OTHERS);
  if (open.length === 0) return ok(name, "only your user can read the data directory");
  return fail(
    name,
    `other users can access ${open.join(", ")}`,
    `chmod 700 ${quoted(dataDir)}${open.some((path) => path !== dataDir) ? ` && chmod 600 ${quoted(databasePath(dataDir))}*` : ""}`,
  );
}

/** Whether the directory contains anything but the database. */
export function checkForeignFiles(dataDir: string): Check {
  const name = "foreign-files";
  const own = databaseFiles(dataDir).map((path) => basename(path));
  const foreign = readdirSync(dataDir).filter((file) => !own.includes(file));
  if (foreign.length === 0) return ok(name, "the data directory contains only the database");
  const named = foreign.slice(0, 5).join(", ");
  return warn(
    name,
    `the data directory contains ${foreign.length} other files: ${named}${foreign.length > 5 ? ", …" : ""}`,
    `move them out of ${dataDir}`,
  );
}

function databaseFiles(dataDir: string): string[] {
  const path = databasePath(dataDir);
  return [path, ...SIDE_FILES.map((suffix) => path + suffix)];
}

/** A path for a POSIX shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${join(path).replaceAll("'", "'\\''")}'`;
}
