// Puts native libraries where the operating system can load them: a private folder, every file checked by its digest.
// It knows neither which libraries there are nor the executable that carries them.

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "./kernel/errors.ts";
import { sha256Hex } from "./kernel/hash.ts";

const BLOCK_BYTES = 1024 * 1024;

/** One library as it is carried: its file name, the hex SHA-256 fixed at build time, and how to get its bytes. */
export interface CarriedFile {
  name: string;
  sha256: string;
  bytes(): Uint8Array;
}

/**
 * Makes every file stand in `folder` with exactly the bytes of its digest, and loadable. What is there and right is left
 * alone, so a prepared folder may be read-only; what is cut short or altered is replaced. Several processes may do this at
 * once: each writes aside and renames. Throws `unavailable`, naming the folder and CTXREPO_CACHE_DIR.
 */
export function extractFiles(folder: string, files: readonly CarriedFile[]): void {
  try {
    makePrivate(folder);
    for (const file of files) {
      if (digestOf(join(folder, file.name)) !== file.sha256) place(folder, file);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unusable(folder, messageOf(error), error);
  }
  for (const file of files) {
    const path = join(folder, file.name);
    if (!isExecutable(path)) throw unusable(folder, "it is mounted noexec, or its files may not be executed");
  }
}

function makePrivate(folder: string): void {
  const state = statSync(folder, { throwIfNoEntry: false });
  if (!state) mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Whoever else can write here could swap a library between the check and the load.
  else if (process.platform !== "win32" && state.mode & 0o022) chmodSync(folder, 0o700);
}

function place(folder: string, file: CarriedFile): void {
  const bytes = file.bytes();
  if (sha256Hex(bytes) !== file.sha256) {
    throw new Failure(
      "unavailable",
      `the executable is damaged: ${file.name} in it does not match its digest`,
    );
  }
  const aside = mkdtempSync(join(folder, "new-"));
  try {
    const written = join(aside, file.name);
    writeFileSync(written, bytes, { mode: 0o700 });
    renameSync(written, join(folder, file.name));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Hex SHA-256 of a file read block by block, or undefined where nothing readable stands. */
function digestOf(path: string): string | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const hasher = new Bun.CryptoHasher("sha256");
  const block = new Uint8Array(BLOCK_BYTES);
  const descriptor = openSync(path, "r");
  try {
    for (let read = readSync(descriptor, block); read > 0; read = readSync(descriptor, block)) {
      hasher.update(block.subarray(0, read));
    }
  } finally {
    closeSync(descriptor);
  }
  return hasher.digest("hex");
}

/** access(2) with X_OK refuses a regular file on a noexec mount whatever its mode, as mapping the library would. */
function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function unusable(folder: string, why: string, cause?: unknown): Failure {
  const message = `native libraries cannot be kept in ${folder}: ${why}; set CTXREPO_CACHE_DIR to a folder that can be written and may hold programs`;
  return new Failure("unavailable", message, undefined, { cause });
}
