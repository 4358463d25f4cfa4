// Builds and checks the executables of all targets in dist/executables, and packs them into dist/release with licences,
// SBOMs, packages, installers and SHA256SUMS. The same sources give the same bytes.
// Usage: bun scripts/release.ts [--target TARGET]… [--downloads URL]   builds and packs
//        bun scripts/release.ts --pack [--downloads URL]               packs what is in dist/executables

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { VERSION } from "../src/base/version.ts";
import type { Component } from "./packaging/components.ts";
import { DOWNLOADS } from "./packaging/downloads.ts";
import { buildExecutable } from "./packaging/executable.ts";
import { readHeader } from "./packaging/headers.ts";
import { executablePath, packRelease, writeComponents } from "./packaging/pack.ts";
import { runTarget } from "./packaging/run-target.ts";
import { installRuntimes } from "./packaging/runtimes.ts";
import { packageFile } from "./packaging/stage.ts";
import { TARGETS, type Target, targetNamed } from "./targets.ts";

const DIST = join(import.meta.dir, "..", "dist");
const EXECUTABLES = join(DIST, "executables");
const RELEASE = join(DIST, "release");
const LEVEL = 19;

function check(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(what);
}

/** Throws an Error if the executable or one of its libraries was built for another platform. */
function checkHeaders(target: Target, executable: Uint8Array): void {
  const expected = JSON.stringify(target.header);
  const libraries = Object.values(target.natives).flat();
  const files = [
    { name: target.program, bytes: executable },
    ...libraries.map((name) => ({ name, bytes: readFileSync(packageFile(name)) })),
  ];
  for (const { name, bytes } of files) {
    const found = JSON.stringify(readHeader(bytes));
    check(found === expected, `${target.name}: ${name} is ${found}, not ${expected}`);
  }
}

function checkLicenses(components: readonly Component[]): void {
  const without = components.filter(({ text }) => text === undefined).map(({ name }) => name);
  check(
    without.length === 0,
    `no licence text: ${without.join(", ")}; add them to scripts/packaging/notices`,
  );
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Builds and tests the executable of one target. Returns its row of the table. */
async function build(target: Target): Promise<Record<string, string>> {
  const outfile = executablePath(EXECUTABLES, target);
  mkdirSync(dirname(outfile), { recursive: true });
  const components = await buildExecutable({
    target,
    runtime: installRuntimes(target),
    outfile,
    level: LEVEL,
  });
  const executable = readFileSync(outfile);
  checkHeaders(target, executable);
  checkLicenses(components);
  writeComponents(EXECUTABLES, target, components);
  return {
    target: target.name,
    executable: megabytes(executable.length),
    "ONNX Runtime": target.natives.onnxruntime.length > 0 ? "native" : "WebAssembly",
    "vector search": target.natives.vec0.length > 0 ? "sqlite-vec" : "JavaScript",
    tested: runTarget(target, outfile),
  };
}

const { values } = parseArgs({
  options: {
    target: { type: "string", multiple: true },
    pack: { type: "boolean", default: false },
    downloads: { type: "string", default: DOWNLOADS },
  },
});
if (!values.pack) {
  const rows: Record<string, string>[] = [];
  rmSync(EXECUTABLES, { recursive: true, force: true });
  for (const target of values.target?.map(targetNamed) ?? TARGETS) {
    console.log(`== ${target.name}`);
    rows.push(await build(target));
  }
  console.log(Bun.inspect.table(rows));
}
const packed = packRelease({
  executables: EXECUTABLES,
  into: RELEASE,
  version: VERSION,
  address: values.downloads,
});
console.log(Bun.inspect.table(packed.map(({ file, length }) => ({ file, size: megabytes(length) }))));
