// Keeps a second server off a data directory. The lock is the operating system's (flock on the directory itself): it
// leaves no file behind and dies with the process, also after kill -9.

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
 * Takes the lock and returns what gives it back. Throws `conflict` when another server holds it.
 * On Windows a directory cannot be locked this way: there the second server is only kept out by its port.
 */
export function lockDataDirectory(directory: string): () => void {
  const library = C_LIBRARY[process.platform];
  if (!library) return () => {};
  const { symbols, close } = dlopen(library, {
    flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  });
  const descriptor = openSync(directory, "r");
  const taken = symbols.flock(descriptor, LOCK_EXCLUSIVE | LOCK_NOT_BLOCKING) === 0;
  close();
  if (!taken) {
    closeSync(descriptor);
    throw new Failure("conflict", `another ctxrepo server is running on ${directory}`);
  }
  return () => closeSync(descriptor);
}
