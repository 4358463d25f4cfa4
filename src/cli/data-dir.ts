// The option --data-dir of all commands except `serve`, which declares it with its other settings.

import type { Command } from "commander";
import { dataDirectory } from "../assets.ts";

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
