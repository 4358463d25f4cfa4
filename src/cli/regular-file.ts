// Reads and writes files in folders that others may have filled: only regular files, only where their path says, and
// never more bytes than are allowed.

import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { Failure, reasonOf } from "../kernel/errors.ts";
import { tooLarge } from "../importing/file-types.ts";

/** Links are refused, and a pipe is not waited for. Windows has neither flag; the other checks suffice there. */
const FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of the file at a real path, which has no links. Throws a Failure that says why it cannot be read; it is
 * `too-large` above `maxBytes`, whatever size the file claims to have.
 */
export function readRegularFile(path: string, maxBytes: number): Buffer {
  return withFile(path, constants.O_RDONLY, (descriptor) => readAll(descriptor, maxBytes));
}

/**
 * Writes a file at a real path, with mode 0600 if it is new. Throws a Failure if something else than a file is there.
 */
export function writeRegularFile(path: string, text: string): void {
  withFile(path, constants.O_WRONLY | constants.O_CREAT, (descriptor) => {
    ftruncateSync(descriptor);
    writeFileSync(descriptor, text);
  });
}

function withFile<Value>(path: string, flags: number, use: (descriptor: number) => Value): Value {
  try {
    // Opening a device can change it.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found) requireFile(found);
    const descriptor = openSync(path, flags | FLAGS, 0o600);
    try {
      requirePlace(path, descriptor);
      return use(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("unavailable", pathProblem(error), { cause: error });
  }
}

function requireFile(stats: { isFile(): boolean; isSymbolicLink(): boolean }): void {
  if (stats.isFile()) return;
  throw new Failure("unavailable", stats.isSymbolicLink() ? "is a link" : "is not a regular file");
}

/**
 * Throws unless the open file is a regular one at exactly this path: its folders can be replaced by links at any time.
 */
function requirePlace(path: string, descriptor: number): void {
  const open = fstatSync(descriptor, { bigint: true });
  requireFile(open);
  const found = statSync(path, { bigint: true });
  if (realpathSync(path) === path && found.dev === open.dev && found.ino === open.ino) return;
  throw new Failure(
    "unavailable",
    "is not in its folder: a link leads elsewhere, or it was replaced just now",
  );
}

/** The size that is known beforehand may be wrong: the file can grow, and some files of the system have none. */
function readAll(descriptor: number, maxBytes: number): Buffer {
  const { size } = fstatSync(descriptor);
  let buffer = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1);
  let end = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, end, buffer.length - end, null);
    end += count;
    if (end > maxBytes) throw tooLarge(maxBytes);
    if (count === 0) return buffer.subarray(0, end);
    if (end === buffer.length) buffer = Buffer.concat([buffer], Math.min(end * 2, maxBytes + 1));
  }
}

/** The reason why a path cannot be used, for people. */
export function pathProblem(error: unknown): string {
  switch ((error as { code?: string }).code) {
    case "ENOENT":
      return "does not exist";
    case "EACCES":
    case "EPERM":
      return "cannot be read: permission denied";
    case "ELOOP":
      return "is a link";
    default:
      return reasonOf(error);
  }
}
