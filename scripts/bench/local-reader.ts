// The shipped reading model in this process.

import { modelRuntime } from "../../src/base/assets.ts";
import { loadReader, type PassageReader } from "../../src/engine/inference/reader.ts";
import { readerDirectory } from "../../src/base/models.ts";

/** The reader, which keeps what it has read: the same passages are read again for each model that is fitted. */
export async function openLocalReader(): Promise<PassageReader> {
  const reader = await loadReader(readerDirectory(), modelRuntime());
  const known = new Map<string, Promise<number[]>>();
  return {
    score(readings) {
      const key = JSON.stringify(readings);
      const scores = known.get(key) ?? reader.score(readings);
      known.set(key, scores);
      return scores;
    },
  };
}
