// Prevents a second server on the same data directory, with a lock of the operating system that leaves no file behind and is
// released when the process stops, also by kill -9: flock on the directory itself, or a named mutex on Windows.

import { dlopen, FFIType } from "bun:ffi";
import { closeSync, openSync, realpathSync } from "node:fs";
import { Failure } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";

const LOCK_EXCLUSIVE = 2;
const LOCK_NOT_BLOCKING = 4;
/** musl finds itself under glibc's name. */
const C_LIBRARY: Partial<Record<NodeJS.Platform, string>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/**
 * Acquires the lock and returns a function that releases it. Throws `conflict` when another server holds it, and
 * `unavailable` on a system without such a lock.
 */
export function lockDataDirectory(directory: string): () => void {
  const release = process.platform === "win32" ? lockByMutex(directory) : lockByFlock(directory);
  if (!release) {
    throw new Failure(
      "conflict",
      `another ctxrepo server is running on ${directory} (stop it, or choose another --data-dir)`,
    );
  }
  return release;
}

function lockByFlock(directory: string): (() => void) | undefined {
  const { symbols, close } = openLibrary(C_LIBRARY[process.platform] ?? "", {
    flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  });
  const descriptor = openSync(directory, "r");
  const isAcquired = symbols.flock(descriptor, LOCK_EXCLUSIVE | LOCK_NOT_BLOCKING) === 0;
  close();
  if (!isAcquired) closeSync(descriptor);
  return isAcquired ? () => closeSync(descriptor) : undefined;
}

type Functions = Parameters<typeof dlopen>[1];

function openLibrary<Symbols extends Functions>(name: string, symbols: Symbols) {
  try {
    return dlopen<Symbols>(name, symbols);
  } catch (cause) {
    throw new Failure("unavailable", "this system has no lock that protects the data directory", { cause });
  }
}

/** The mutex belongs to a thread, which would get it a second time. */
const heldMutexes = new Set<string>();
const ACQUIRED = [0x00, 0x80]; // WAIT_OBJECT_0, and WAIT_ABANDONED: its holder ended without releasing it

function lockByMutex(directory: string): (() => void) | undefined {
  // Windows ignores case in paths. Global: also for servers in other sessions, such as a service.
  const name = `Global\\ctxrepo-${sha256Hex(realpathSync.native(directory).toLowerCase())}`;
  if (heldMutexes.has(name)) return undefined;
  const { symbols } = openLibrary("kernel32.dll", {
    CreateMutexA: { args: [FFIType.ptr, FFIType.i32, FFIType.ptr], returns: FFIType.u64 },
    WaitForSingleObject: { args: [FFIType.u64, FFIType.u32], returns: FFIType.u32 },
    ReleaseMutex: { args: [FFIType.u64], returns: FFIType.i32 },
    CloseHandle: { args: [FFIType.u64], returns: FFIType.i32 },
  });
  // 0: another user's, which this one may not open.
  const handle = symbols.CreateMutexA(null, 0, Buffer.from(`${name}\0`));
  if (handle === 0n) return undefined;
  if (!ACQUIRED.includes(symbols.WaitForSingleObject(handle, 0))) {
    symbols.CloseHandle(handle);
    return undefined;
  }
  heldMutexes.add(name);
  return () => {
    heldMutexes.delete(name);
    symbols.ReleaseMutex(handle);
    symbols.CloseHandle(handle);
  };
}
