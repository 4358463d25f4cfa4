// Runs the smoke test of an executable: on this machine, or in an emulator if one is installed.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownTarget, type Target } from "../targets.ts";

const SMOKE = join(import.meta.dir, "../smoke.ts");

/** Where Debian's packages libc6-arm64-cross and libstdc++6-arm64-cross install the libraries. */
const ARM64_ROOT = "/usr/aarch64-linux-gnu";
/** Exists if Linux starts arm64 programs in QEMU: the program starts itself again as a process of its own. */
const ARM64_FORMAT = "/proc/sys/fs/binfmt_misc/qemu-aarch64";

/** How an executable was tested. */
export type Tested = "natively" | "in QEMU" | "header check only";

/** Throws an Error if the smoke test fails. */
export function runTarget(target: Target, executable: string): Tested {
  const emulator = emulatorOf(target);
  if (target.name !== ownTarget().name && !emulator) return "header check only";
  const command = [process.execPath, SMOKE, executable, ...(emulator ?? [])];
  const { exitCode, stderr } = Bun.spawnSync(command, { stdout: "inherit", stderr: "pipe" });
  if (exitCode !== 0)
    throw new Error(`the smoke test of ${target.name} failed: ${command.join(" ")}\n${stderr.toString()}`);
  return emulator ? "in QEMU" : "natively";
}

function emulatorOf({ name }: Target): string[] | undefined {
  const qemu = Bun.which("qemu-aarch64-static");
  const isUsable = [ARM64_ROOT, ARM64_FORMAT].every((path) => existsSync(path));
  if (name !== "linux-arm64" || !qemu || !isUsable) return undefined;
  return [qemu, "-L", ARM64_ROOT, "-cpu", "neoverse-n1"];
}
