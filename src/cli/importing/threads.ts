// The threads of imported mails, which become collections.

import type { Outcome } from "../../importing/import-record.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cutBytes } from "../../kernel/text.ts";

/** Threads of one import that become collections; the mails of further ones are stored without. */
const MAX_THREADS = 500;

/** Collects the mails of threads. */
export function openThreads() {
  const threads = new Map<string, { name: string; paths: string[]; hasChanged: boolean }>();
  return {
    add(file: string, name: string, { path, status }: Outcome): void {
      const key = `${file}\0${name}`;
      const thread = threads.get(key) ?? {
        name: cutBytes(name, LIMITS.title.bytes),
        paths: [],
        hasChanged: false,
      };
      thread.paths.push(path);
      if (status === "created") thread.hasChanged = true;
      threads.set(key, thread);
    },
    /** The threads with new mails: the name, and the paths of all mails in their order. */
    changed(): [name: string, paths: string[]][] {
      const all = [...threads.values()].filter(({ hasChanged }) => hasChanged);
      return all.slice(0, MAX_THREADS).map(({ name, paths }) => [name, paths]);
    },
  };
}
