// How this program is started, for other processes.

import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/** The command with absolute paths: the executable, or Bun with the entry point in the repository. */
export function programCommand(): string[] {
  const program = realpathSync(process.execPath);
  return Bun.isStandaloneExecutable ? [program] : [program, resolve(import.meta.dir, "..", "main.ts")];
}
