// Extracts native libraries into a private folder from which the operating system can load them, and checks their
// digests.

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
import { Failure, messageOf } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";

const BLOCK_BYTES = 1024 * 1024;

/** A library inside the executable: its file name, its hex SHA-256 from build time, and its bytes. */
export interface BundledFile {
  name: string;
  sha256: string;
  bytes(): Uint8Array;
}

/**
 * Ensures that `folder` contains every file with the digest it should have, and that they can be loaded. Correct files
 * are not written again, so a prepared folder may be read-only; damaged files are replaced. Several processes may do
 * this concurrently: each writes a temporary file and renames it. Throws `unavailable` with the folder and
 * CTXREPO_CACHE_DIR.
 */
export function extractFiles(folder: string, files: readonly BundledFile[]): void {
  try {
    makePrivate(folder);
    for (const file of files) {
      if (digestOf(join(folder, file.name)) !== file.sha256) install(folder, file);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unusable(folder, messageOf(error), error);
  }
  for (const file of files) {
    const path = join(folder, file.name);
    if (!isExecutable(path)) throw unusable(folder, "it is mounted noexec, or its files are not executable");
  }
}

function makePrivate(folder: string): void {
  const state = statSync(folder, { throwIfNoEntry: false });
  if (!state) mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Another user who can write here could replace a library between the check and the load.
  else if (process.platform !== "win32" && state.mode & 0o022) chmodSync(folder, 0o700);
}

function install(folder: string, file: BundledFile): void {
  const bytes = file.bytes();
  if (sha256Hex(bytes) !== file.sha256) {
    throw new Failure(
      "unavailable",
      `the executable is damaged: ${file.name} in it does not match its digest`,
    );
  }
  const temporary = mkdtempSync(join(folder, "new-"));
  try {
    const written = join(temporary, file.name);
    writeFileSync(written, bytes, { mode: 0o700 });
    renameSync(written, join(folder, file.name));
  } finally {
    removeIfPossible(temporary);
  }
}

/** The library is installed by now: an empty folder that stays (Windows: a virus scanner has it open) harms nothing. */
function removeIfPossible(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {}
}

/** Hex SHA-256 of a file, read block by block; undefined if there is no file. */
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

/** access(2) with X_OK also fails for files on a noexec mount, from which a library cannot be loaded. */
function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function unusable(folder: string, why: string, cause?: unknown): Failure {
  const message = `native libraries cannot be stored in ${folder}: ${why}; set CTXREPO_CACHE_DIR to a writable folder from which programs can be run`;
  return new Failure("unavailable", message, { cause });
}
