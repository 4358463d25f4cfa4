// Views of prompts: counted in memory and written in batches, because a GET makes no write of its own.

import type { App } from "../../app.ts";
import { addViews } from "./store.ts";

/** Prompts counted between two flushes; views of further ones are not counted until then. */
const MAX_PROMPTS = 4_096;

type Counts = Map<string, number>;
const countsOf = new WeakMap<App, Counts>();

/** Counts one view. */
export function countView(app: App, promptId: string): void {
  let counts = countsOf.get(app);
  if (!counts) {
    const fresh: Counts = new Map();
    counts = fresh;
    countsOf.set(app, fresh);
    app.onFlush(() => flush(app, fresh));
  }
  if (counts.size >= MAX_PROMPTS && !counts.has(promptId)) return;
  counts.set(promptId, (counts.get(promptId) ?? 0) + 1);
}

/** Views of a prompt that its row does not know of yet. */
export function unflushedViews(app: App, promptId: string): number {
  return countsOf.get(app)?.get(promptId) ?? 0;
}

/** Writes all counts together; they are forgotten only when they have been committed. */
function flush({ store }: App, counts: Counts): void {
  if (counts.size === 0) return;
  store.write((write) => {
    for (const [promptId, views] of counts) addViews(write, promptId, views);
  });
  counts.clear();
}
