// Views of prompts: counted in memory and written in batches, because a GET must not cause a write.

import type { Store } from "../../db/store.ts";
import { addViews } from "./store.ts";

/** Prompts counted between two flushes; views of further prompts are not counted. */
const MAX_PROMPTS = 4_096;

export interface Views {
  /** Counts one view. */
  count(promptId: string): void;
  /** Views of a prompt that are not in its row yet. */
  unflushed(promptId: string): number;
  /** Writes all counts in one transaction. Throws, and keeps the counts, if that fails. */
  flush(): void;
}

/** Counts start at zero. */
export function openViews(store: Store): Views {
  const counts = new Map<string, number>();
  return {
    count(promptId) {
      if (counts.size >= MAX_PROMPTS && !counts.has(promptId)) return;
      counts.set(promptId, (counts.get(promptId) ?? 0) + 1);
    },
    unflushed: (promptId) => counts.get(promptId) ?? 0,
    flush() {
      if (counts.size === 0) return;
      store.write((write) => {
        for (const [promptId, views] of counts) addViews(write, promptId, views);
      });
      counts.clear();
    },
  };
}
