// The Bun runtimes of all targets: npm packages of the lock file in scripts/release, never Bun's own download.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../targets.ts";

const RELEASE = join(import.meta.dir, "../release");
const MODULES = join(RELEASE, "node_modules");

/** Path of the runtime of a target, after installing the packages of all platforms (1.2 GB) if necessary. */
export function installRuntimes({ runtime }: Target): string {
  const path = join(MODULES, runtime);
  if (existsSync(path)) return path;
  const everyPlatform = ["--os", "*", "--cpu", "*", "--libc", "*"];
  const command = [process.execPath, "install", "--frozen-lockfile", "--ignore-scripts", ...everyPlatform];
  const { exitCode } = Bun.spawnSync(command, { cwd: RELEASE, stdout: "inherit", stderr: "inherit" });
  if (exitCode !== 0 || !existsSync(path)) throw new Error(`${runtime} could not be installed`);
  return path;
}
