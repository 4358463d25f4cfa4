// install.sh: a script for POSIX shells that installs the archive of its platform if the SHA-256 is right.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../targets.ts";
import type { Downloads } from "./downloads.ts";

const TEMPLATE = join(import.meta.dir, "install-template.sh");

/** What `uname` prints. */
const SYSTEMS: Record<string, string> = { linux: "Linux", darwin: "Darwin" };
const MACHINES = { x64: ["x86_64", "amd64"], arm64: ["aarch64", "arm64"] };

/** The script for the targets that have these systems. */
export function installScript({ version, address, archives }: Downloads): string {
  const installed = archives.filter(({ target }) => target.npm.os in SYSTEMS);
  const values: Record<string, string> = {
    VERSION: version,
    ADDRESS: address,
    DEFAULT_FROM: address || "the folder of this script",
    TARGETS: installed.map(({ target }) => `    ${patternOf(target)}) target=${target.name} ;;`).join("\n"),
    SUMS: installed.map(({ target, sha256 }) => `    ${target.name}) sum=${sha256} ;;`).join("\n"),
  };
  return readFileSync(TEMPLATE, "utf8").replace(/@([A-Z_]+)@/g, (_whole, name: string) => values[name]!);
}

/** The pattern of `case` for `system-machine-libc`. */
function patternOf({ npm: { os, cpu, libc } }: Target): string {
  return MACHINES[cpu].map((machine) => `${SYSTEMS[os]}-${machine}-${libc ?? "*"}`).join(" | ");
}
