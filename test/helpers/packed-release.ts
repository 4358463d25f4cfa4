// A release that is packed from small stand-ins of the executables of all platforms.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { executablePath, packRelease, writeComponents } from "../../scripts/packaging/pack.ts";
import { TARGETS } from "../../scripts/targets.ts";

export const PACKED_VERSION = "1.2.3";

/** Writes a shell script for each target, which `codeOf` gets the name of, into the folder `executables`. */
export function writeStandIns(executables: string, codeOf: (target: string) => string): void {
  for (const target of TARGETS) {
    const path = executablePath(executables, target);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${codeOf(target.name)}\n`);
    const component = {
      name: "one",
      version: "1.0.0",
      license: "MIT",
      purl: "pkg:npm/one@1.0.0",
      text: "one",
    };
    writeComponents(executables, target, [component]);
  }
}

/** Packs the executables of a folder. */
export function packStandIns(executables: string, into: string, address = "") {
  return packRelease({ executables, into, version: PACKED_VERSION, address });
}
