// The option --data-dir of all commands except `serve`, which declares it with its other settings.

import { existsSync } from "node:fs";
import type { Command } from "commander";
import { dataDirectory } from "../base/assets.ts";
import { databasePath } from "../db/open.ts";
import { Failure } from "../kernel/errors.ts";

export interface DataDirOption {
  dataDir: string;
}

/** Adds --data-dir, which defaults to CTXREPO_DATA_DIR or the platform's user data directory. */
export function withDataDir(command: Command): Command {
  return command.option(
    "--data-dir <DIR>",
    "directory of the database",
    process.env.CTXREPO_DATA_DIR || dataDirectory(process.env),
  );
}

/**
 * Adds --user to a command that does not act as a user, so that a script can pass the same options to every command.
 */
export function withIgnoredUser(command: Command): Command {
  return command.option("--user <EMAIL>", "no effect: the command does not act as a user");
}

/** Throws `not-found` if the directory contains no database. */
export function requireDatabase(dataDir: string): void {
  if (existsSync(databasePath(dataDir))) return;
  throw new Failure(
    "not-found",
    `there is no database in ${dataDir}: ctxrepo import or ctxrepo serve creates one, or name another --data-dir`,
  );
}
