// What every group is given: folders that vanish, processes that end with the bench, and things that are made once in a run.
// It must never name the user's own data directory.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import type { Finding } from "./measures.ts";

/** Data or a tool that a group needs is not there: the group is left out, saying so. */
export class Missing extends Error {}

/** A group: yields what it found, in the order in which a reader wants it. */
export type Group = (bench: Bench) => AsyncGenerator<Finding>;

export interface Bench {
  /** A new empty folder of this run. */
  folder(): string;
  /** Removes a folder before the end of the run. */
  discard(folder: string): void;
  /** Tells people on stderr what is going on. */
  note(text: string): void;
  /** Ends this process with the bench, however it ends. */
  own<Child extends Subprocess>(child: Child): Child;
  /** What `make` made for this key; made once in a run. */
  once<Value>(key: string, make: () => Promise<Value>): Promise<Value>;
  close(): void;
}

export function openBench(): Bench {
  const folders = new Set<string>();
  const children = new Set<Subprocess>();
  const made = new Map<string, unknown>();
  return {
    folder() {
      const folder = mkdtempSync(join(tmpdir(), "ctxrepo-bench-"));
      folders.add(folder);
      return folder;
    },
    discard(folder) {
      rmSync(folder, { recursive: true, force: true });
      folders.delete(folder);
    },
    note: (text) => void process.stderr.write(`bench: ${text}\n`),
    own(child) {
      children.add(child);
      child.exited.then(() => children.delete(child));
      return child;
    },
    once<Value>(key: string, make: () => Promise<Value>) {
      if (!made.has(key)) made.set(key, make());
      return made.get(key) as Promise<Value>;
    },
    close() {
      for (const child of children) child.kill("SIGKILL");
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      folders.clear();
    },
  };
}

/** Our own environment without any setting of ctxrepo, and with a cache directory of this run. */
export function cleanEnvironment(cacheFolder: string): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("CTXREPO_"));
  return { ...Object.fromEntries(kept), CTXREPO_CACHE_DIR: cacheFolder };
}

/** Runs `action` on every item, at most `lanes` at a time. Rejects with the first failure. */
export async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  action: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) await action(items[index]!, index);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
