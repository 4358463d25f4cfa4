// Prevents a second server on the same database, with locks of the operating system that leave no file behind and are
// released when the process stops, also by kill -9: flock, or a named mutex on Windows. The directory is locked,
// because its database may not exist yet or may be replaced, and the file itself, because it may have other names.

import { dlopen, FFIType } from "bun:ffi";
import { closeSync, constants, existsSync, openSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import { identityOf } from "./file-identity.ts";
import { rejectLinkedFile } from "./foreign-file.ts";
import { databasePath, explaining } from "./open.ts";

const LOCK_EXCLUSIVE = 2;
const LOCK_NOT_BLOCKING = 4;
/** musl finds itself under glibc's name. */
const C_LIBRARY: Partial<Record<NodeJS.Platform, string>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/**
 * Locks the directory and the database in it, and returns a function that releases both; SQLite must have closed the
 * database then. Throws `conflict` when another server holds one of the locks, and `unavailable` on a system without
 * such locks and if the file has several names. `creates`: a missing database is created as an empty file; otherwise
 * only the directory is locked.
 */
export function lockDataDirectory(directory: string, { creates = false } = {}): () => void {
  const path = databasePath(directory);
  const release = lock(directory);
  if (!release) {
    throw new Failure(
      "conflict",
      `another ctxrepo server is running on ${directory} (stop it, or choose another --data-dir)`,
    );
  }
  try {
    const releaseFile = explaining(path, () => lockFile(path, creates));
    return () => {
      releaseFile();
      release();
    };
  } catch (error) {
    release();
    throw error;
  }
}

function lockFile(path: string, creates: boolean): () => void {
  rejectLinkedFile(path);
  if (!existsSync(path)) {
    if (!creates) return () => {};
    closeSync(openSync(path, constants.O_CREAT, 0o600));
  }
  const real = realpathSync(path);
  // The database has one name, and SQLite's own locks of a file on macOS exclude flock: there, the directory of a
  // linked database is locked in its place.
  const isOwnDirectory = identityOf(dirname(real)) === identityOf(dirname(path));
  if (process.platform === "darwin" && isOwnDirectory) return () => {};
  const release = lock(process.platform === "darwin" ? dirname(real) : real);
  if (release) return release;
  throw new Failure(
    "conflict",
    `another ctxrepo server uses ${real} by another name (stop it, or use its --data-dir)`,
  );
}

/** The function that releases the lock on a file or directory; undefined if another process holds it. */
function lock(path: string): (() => void) | undefined {
  return process.platform === "win32" ? lockByMutex(path) : lockByFlock(path);
}

function lockByFlock(path: string): (() => void) | undefined {
  const { symbols, close } = openLibrary(C_LIBRARY[process.platform] ?? "", {
    flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  });
  const descriptor = openSync(path, "r");
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

function lockByMutex(path: string): (() => void) | undefined {
  // Global: also for servers in other sessions, such as a service.
  const name = `Global\\ctxrepo-${sha256Hex(identityOf(path) ?? "")}`;
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
