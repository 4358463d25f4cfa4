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

/** Larger files of models are compressed. */
const MAX_PLAIN_BYTES = 100_000;
/** For tokenizers; the weights have the same size at every level. */
const JSON_LEVEL = 12;

/** Copies what the program reads of the models to `folder`; large files compressed, unless they are read in parts. */
export function stageModels(folder: string): void {
  const isRead = (path: string) => !/\.py$|\bvocab\.txt$/.test(path);
  cpSync(join(ROOT, "models"), folder, { recursive: true, filter: isRead });
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const found = statSync(path);
    if (found.isDirectory() || found.size <= MAX_PLAIN_BYTES || name.endsWith(WORD_EMBEDDINGS)) continue;
    const options = name.endsWith(".json") ? { level: JSON_LEVEL } : {};
    writeFileSync(`${path}.zst`, Bun.zstdCompressSync(readFileSync(path), options));
    rmSync(path);
  }
}

/** Writes the files of the console to `folder`, compressed. */
export async function stageConsole(folder: string): Promise<void> {
  mkdirSync(folder);
  for (const { name, bytes } of await bundleConsole(ROOT)) writeFileSync(join(folder, name), bytes);
}
