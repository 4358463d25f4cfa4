// Makes files durable: what a command reports as done must survive a power loss.

import { closeSync, copyFileSync, constants, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** Writes the file's data to the disk. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes the entry of a created, renamed or deleted file to the disk. Windows does this by itself. */
export function syncEntry(path: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(dirname(path), "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Copies a file, as a clone where the file system supports it, and writes it to the disk. */
export function copyDurably(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  syncFile(to);
}
