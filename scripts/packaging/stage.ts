// Collects the files that an executable contains besides code: native libraries and the models, compressed where it
// pays.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { type NativeDigests, WASM_RUNTIME } from "../../src/base/assets.ts";
import { type FilePart, PARTS_ENDING } from "../../src/engine/inference/compressed.ts";
import { WEIGHTS } from "../../src/engine/inference/load.ts";
import { WORD_EMBEDDINGS } from "../../src/engine/inference/word-embeddings.ts";
import { bundleConsole } from "../../src/site/console/bundle.ts";
import { sha256Hex } from "../../src/kernel/hash.ts";
import type { Target } from "../targets.ts";

const ROOT = join(import.meta.dir, "../..");
/** Packages of this repository, and those of other platforms. */
const PACKAGES = [join(ROOT, "node_modules"), join(ROOT, "scripts/release/node_modules")];

/** Absolute path of a file of a package. Throws an Error if no such package is installed. */
export function packageFile(path: string): string {
  const found = PACKAGES.map((folder) => join(folder, path)).find((file) => existsSync(file));
  if (!found) throw new Error(`missing: ${path}`);
  return found;
}

/**
 * Copies the native files of a target to `folder`, compressed with a level of zstd, and writes their digests into it.
 */
export function stageNatives(
  { natives }: Target,
  { folder, level }: { folder: string; level: number },
): void {
  mkdirSync(folder, { recursive: true });
  const stage = (path: string) => {
    const bytes = readFileSync(packageFile(path));
    const name = basename(path);
    writeFileSync(join(folder, `${name}.zst`), Bun.zstdCompressSync(bytes, { level }));
    return { name, sha256: sha256Hex(bytes) };
  };
  const digests: NativeDigests = {
    vec0: natives.vec0.map(stage),
    onnxruntime: natives.onnxruntime.map(stage),
  };
  if (natives.onnxruntime.length === 0) stage(WASM_RUNTIME);
  writeFileSync(join(folder, "digests.json"), JSON.stringify(digests));
}

/** Models whose weights have their word embeddings in common, because one was trained from the other without them. */
const RELATED = ["all-MiniLM-L6-v2", "passage-reader"] as const;
/** Where they are, among the models. */
const COMMON = "common.bin";

/** Larger files of models are compressed. */
const MAX_PLAIN_BYTES = 100_000;
/** For tokenizers; the weights have the same size at every level. */
const JSON_LEVEL = 12;

/**
 * Copies what the program reads of the models to `folder`; large files compressed, unless rows are read of them. What
 * two weights have in common is stored once.
 */
export function stageModels(folder: string): void {
  const isRead = (path: string) => !/\.py$|\bvocab\.txt$/.test(path);
  cpSync(join(ROOT, "models"), folder, { recursive: true, filter: isRead });
  storeOnce(folder);
  compressLarge(folder);
}

function compressLarge(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const found = statSync(path);
    if (found.isDirectory() || found.size <= MAX_PLAIN_BYTES || name.endsWith(WORD_EMBEDDINGS)) continue;
    const options = name.endsWith(".json") ? { level: JSON_LEVEL } : {};
    writeFileSync(`${path}.zst`, Bun.zstdCompressSync(readFileSync(path), options));
    rmSync(path);
  }
}

/** Replaces both weights by their parts. Throws an Error if they have less in common than a third. */
function storeOnce(folder: string): void {
  const [first, second] = RELATED.map((model) => readFileSync(join(folder, model, WEIGHTS))) as [
    Buffer,
    Buffer,
  ];
  const { starts, length } = longestCommon(first, second);
  if (length < first.length / 3) throw new Error(`the weights of ${RELATED.join(" and ")} differ too much`);
  writeFileSync(join(folder, COMMON), first.subarray(starts[0], starts[0] + length));
  for (const [i, bytes] of [first, second].entries()) {
    const inModel = (path: string) => join(folder, RELATED[i]!, path);
    const sections = [bytes.subarray(0, starts[i]!), bytes.subarray(starts[i]! + length)];
    const [before, after] = sections.map((section, at): FilePart => {
      const path = `${WEIGHTS}.${at}`;
      writeFileSync(inModel(path), section);
      return { path: storedName(path, section.length), bytes: section.length };
    });
    const common = { path: join("..", storedName(COMMON, length)), bytes: length };
    writeFileSync(inModel(WEIGHTS + PARTS_ENDING), JSON.stringify([before, common, after]));
    rmSync(inModel(WEIGHTS));
  }
}

const storedName = (name: string, bytes: number) => (bytes > MAX_PLAIN_BYTES ? `${name}.zst` : name);

/** Bytes that are compared first, and the distance between them. */
const PROBE_BYTES = 64;
const PROBE_STEP = 100_000;

/** The longest run of bytes that both have, if it is longer than PROBE_STEP, and where it starts in each. */
function longestCommon(a: Buffer, b: Buffer): { starts: [number, number]; length: number } {
  let longest: { starts: [number, number]; length: number } = { starts: [0, 0], length: 0 };
  for (let probe = 0; probe + PROBE_BYTES <= a.length; probe += PROBE_STEP) {
    const [from] = longest.starts;
    if (probe < from + longest.length) continue;
    const found = b.indexOf(a.subarray(probe, probe + PROBE_BYTES));
    if (found < 0) continue;
    let [start, end] = [0, PROBE_BYTES];
    while (probe + start > 0 && found + start > 0 && a[probe + start - 1] === b[found + start - 1]) start--;
    while (probe + end < a.length && found + end < b.length && a[probe + end] === b[found + end]) end++;
    if (end - start > longest.length)
      longest = { starts: [probe + start, found + start], length: end - start };
  }
  return longest;
}

/** Writes the files of the console to `folder`, compressed. */
export async function stageConsole(folder: string): Promise<void> {
  mkdirSync(folder);
  for (const { name, bytes } of await bundleConsole(ROOT)) writeFileSync(join(folder, name), bytes);
}
