// Prevents a second server on the same data directory, with a lock of the operating system (flock on the directory itself):
// it leaves no file behind and is released when the process stops, also by kill -9.

import { dlopen, FFIType } from "bun:ffi";
import { closeSync, openSync } from "node:fs";
import { Failure } from "../kernel/errors.ts";

const LOCK_EXCLUSIVE = 2;
const LOCK_NOT_BLOCKING = 4;
const C_LIBRARY: Partial<Record<NodeJS.Platform, string>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/**
 * Acquires the lock and returns a function that releases it. Throws `conflict` when another server holds it.
 * On Windows, where directories cannot be locked this way, only the busy port prevents a second server.
 */
export function lockDataDirectory(directory: string): () => void {
  const library = C_LIBRARY[process.platform];
  if (!library) return () => {};
  const { symbols, close } = dlopen(library, {
    flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  });
  const descriptor = openSync(directory, "r");
  const isAcquired = symbols.flock(descriptor, LOCK_EXCLUSIVE | LOCK_NOT_BLOCKING) === 0;
  close();
  if (!isAcquired) {
    closeSync(descriptor);
    throw new Failure(
      "conflict",
      `another ctxrepo server is running on ${directory} (stop it, or choose another --data-dir)`,
    );
  }
  return () => closeSync(descriptor);
}
