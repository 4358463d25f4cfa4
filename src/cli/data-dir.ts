// The option that every command has: where the data stands.

import type { Command } from "commander";
import { dataDirectory } from "../assets.ts";

export interface DataDirOption {
  dataDir: string;
}

export function withDataDir(command: Command): Command {
  return command.option(
    "--data-dir <DIR>",
    "folder of the database",
    process.env.CTXREPO_DATA_DIR || dataDirectory(process.env),
  );
}
