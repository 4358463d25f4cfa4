// What every group uses: temporary folders, child processes that are stopped with the benchmark, and values that are
// made once per run. It must never use the user's own data directory.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import type { Finding } from "./measures.ts";

/** Data or a tool that a group needs is missing: the group is skipped with this message. */
export class Missing extends Error {}

/** A group of measures: yields its results in the order of the output. */
export type Group = (bench: Bench, options: Options) => AsyncGenerator<Finding>;

export interface Options {
  /** The step that group `reason` leaves out. */
  without?: string;
}

export interface Bench {
  /** A new empty folder of this run. */
  folder(): string;
  /** Removes a folder before the end of the run. */
  discard(folder: string): void;
  /** Prints a progress message on stderr. */
  note(text: string): void;
  /** Kills this process when the benchmark exits, for whatever reason. */
  own<Child extends Subprocess>(child: Child): Child;
  /** Returns the result of `make` for this key; `make` is called once per run. */
  once<Value>(key: string, make: () => Promise<Value>): Promise<Value>;
  close(): void;
}

/** Opens what the groups of one run share. */
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

/** The environment of this process without the settings of ctxrepo, and with a cache directory of this run. */
export function cleanEnvironment(cacheFolder: string): Record<string, string | undefined> {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("CTXREPO_"));
  return { ...Object.fromEntries(others), CTXREPO_CACHE_DIR: cacheFolder };
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
