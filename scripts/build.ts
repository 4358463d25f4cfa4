// Builds one executable that contains the model, the migrations, the console and the native libraries: dist/ctxrepo for this
// machine, or dist/ctxrepo-TARGET for another. Usage: bun scripts/build.ts [--target TARGET]. Without --target it needs only node_modules.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sha256Hex } from "../src/kernel/hash.ts";
import { VERSION } from "../src/version.ts";
import { buildExecutable } from "./packaging/executable.ts";
import { installRuntimes } from "./packaging/runtimes.ts";
import { ownTarget, targetNamed } from "./targets.ts";

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
await buildExecutable({ target, runtime, outfile });
const bytes = readFileSync(outfile);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(`ctxrepo ${VERSION}  ${target.name}  ${outfile}`);
console.log(`${(bytes.length / 1e6).toFixed(1)} MB  sha256 ${sha256Hex(bytes)}  built in ${seconds} s`);
