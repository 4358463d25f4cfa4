// Views of prompts: counted in memory and written in batches, because a GET must not cause a write.

import type { Store } from "../../db/store.ts";
import { addViews } from "./store.ts";

/** Prompts counted between two flushes; views of further prompts are not counted. */
const MAX_PROMPTS = 4_096;

/** Counts the views of prompts. */
export interface Views {
  /** Counts one view. */
  count(promptId: string): void;
  /** The counted views of a prompt that are not written yet. */
  unflushed(promptId: string): number;
  /** Writes all counts in one transaction. If that throws, the counts are retained. */
  flush(): void;
}

/** A counter that has counted no view yet. */
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
