// Where backups may be: anywhere but in the data directory, which contains only the database.

import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Failure } from "../kernel/errors.ts";

/** Throws `conflict` if the file is in the data directory, also through a symbolic link. */
export function rejectDataDirectory(file: string, dataDir: string): void {
  if (real(dirname(resolve(file))) !== real(resolve(dataDir))) return;
  throw new Failure(
    "conflict",
    `${file} is in the data directory, which must contain only the database: use another directory`,
  );
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
