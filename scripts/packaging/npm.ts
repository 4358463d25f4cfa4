// The packages for npm: `ctxrepo` is a launcher and names one optional package per platform, of which npm installs the
// one whose os, cpu and libc are those of the machine.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../targets.ts";
import { type ArchiveFile, gzipped, tar } from "./archives.ts";
import { SHARED_PATHS } from "./shared-files.ts";

const LAUNCHER = "npm-launcher.cjs";
const DESCRIPTION = "A Context Repository in one file: prompts, documents and collections for AI agents";

const platformPackage = ({ name }: Target) => `@ctxrepo/${name}`;

/** File name of the package of a platform, as `npm pack` would name it. */
export const platformPackageFile = ({ name }: Target, version: string) => `ctxrepo-${name}-${version}.tgz`;
export const launcherPackageFile = (version: string) => `ctxrepo-${version}.tgz`;

/** The package of a platform. `files` are the executable and the licences. */
export function platformNpmPackage(
  target: Target,
  version: string,
  files: readonly ArchiveFile[],
): Uint8Array {
  const { os, cpu, libc } = target.npm;
  return npmPackage(files, {
    name: platformPackage(target),
    version,
    description: `${DESCRIPTION} (${target.name})`,
    license: "MIT",
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
    // Yarn leaves packages in archives, where no program can be run.
    preferUnplugged: true,
  });
}

/** The package `ctxrepo` of these platforms. `files` are what it contains besides the launcher. */
export function launcherNpmPackage(
  targets: readonly Target[],
  version: string,
  files: readonly ArchiveFile[],
): Uint8Array {
  const platforms = targets.map((target) => ({
    package: platformPackage(target),
    ...target.npm,
    program: target.program,
  }));
  const launcher = readFileSync(join(import.meta.dir, LAUNCHER));
  const code: ArchiveFile[] = [
    { path: "ctxrepo.cjs", bytes: launcher, isExecutable: true },
    { path: "platforms.json", bytes: Buffer.from(JSON.stringify(platforms, null, 2)) },
  ];
  return npmPackage([...code, ...files], {
    name: "ctxrepo",
    version,
    description: DESCRIPTION,
    license: "MIT",
    bin: { ctxrepo: "ctxrepo.cjs" },
    man: [SHARED_PATHS.manual],
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(targets.map((target) => [platformPackage(target), version])),
  });
}

function npmPackage(files: readonly ArchiveFile[], manifest: Record<string, unknown>): Uint8Array {
  const description = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const all = [{ path: "package.json", bytes: description }, ...files];
  return gzipped(tar(all.map((file) => ({ ...file, path: `package/${file.path}` }))));
}
