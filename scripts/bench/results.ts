// The results of the last run of each group, which `bun run bench --save` overwrites.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Measure } from "./measures.ts";

export const RESULTS = join(import.meta.dir, "results.json");

/** Replaces the results of the groups of `measures`. The order of the groups stays. */
export function saveResults(measures: readonly Measure[]): void {
  const stored: Measure[] = JSON.parse(readFileSync(RESULTS, "utf8"));
  const measured = new Map(Map.groupBy(measures, ({ group }) => group));
  const groups = new Map([...Map.groupBy(stored, ({ group }) => group), ...measured]);
  writeFileSync(RESULTS, `${JSON.stringify([...groups.values()].flat(), null, 2)}\n`);
}
