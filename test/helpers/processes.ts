// How tests start this program, or scripts of their own, in processes that do not outlive the test process.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The program's main file. */
export const MAIN = resolve(import.meta.dir, "../../src/main.ts");

/** Where the programs of this test process find each other. */
export const RUNTIME_DIR = mkdtempSync(join(tmpdir(), "ctxrepo-runtime-"));

/**
 * The command that runs a script in Bun. With `plainEnvironment` it ends at the latest half a second after the test
 * process.
 */
export function commandOf(script: string, ...args: string[]): [command: string, ...args: string[]] {
  return [process.execPath, "--preload", resolve(import.meta.dir, "end-with-tests.ts"), script, ...args];
}

/**
 * The only variables that programs get from this machine's environment, with a runtime directory and what commandOf
 * needs.
 */
export const plainEnvironment = (home = process.env.HOME ?? "") => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  XDG_RUNTIME_DIR: RUNTIME_DIR,
  TESTS_PID: String(process.pid),
});
