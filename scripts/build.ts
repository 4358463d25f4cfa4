// Builds one executable that contains the models, the migrations, the console and the native libraries: dist/ctxrepo
// for this machine, or dist/ctxrepo-TARGET for another. Usage: bun scripts/build.ts [--target TARGET]. Without --target
// it needs only node_modules.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sha256Hex } from "../src/kernel/hash.ts";
import { VERSION } from "../src/base/version.ts";
import { licensesFile } from "./packaging/components.ts";
import { buildExecutable } from "./packaging/executable.ts";
import { installRuntimes } from "./packaging/runtimes.ts";
import { ownTarget, targetNamed } from "./targets.ts";

/** Level 19, as in releases, makes the libraries 9 % smaller and takes twelve times as long. */
const LEVEL = 12;
const DIST = join(import.meta.dir, "..", "dist");

const { values } = parseArgs({ options: { target: { type: "string" } } });
const target = values.target === undefined ? ownTarget() : targetNamed(values.target);
const isOwn = target.name === ownTarget().name;
const runtime = isOwn ? undefined : installRuntimes(target);
const outfile = join(
  DIST,
  isOwn ? target.program : target.program.replace("ctxrepo", `ctxrepo-${target.name}`),
);

const startedAt = performance.now();
mkdirSync(DIST, { recursive: true });
const components = await buildExecutable({ target, runtime, outfile, level: LEVEL });
writeFileSync(join(DIST, "licenses.json"), JSON.stringify(licensesFile(components)));
const bytes = readFileSync(outfile);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(`ctxrepo ${VERSION}  ${target.name}  ${outfile}`);
console.log(`${(bytes.length / 1e6).toFixed(1)} MB  sha256 ${sha256Hex(bytes)}  built in ${seconds} s`);
