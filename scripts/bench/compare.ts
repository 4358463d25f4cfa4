// bun scripts/bench/compare.ts [OLD [NEW]]: compares two results of `bun run bench --json`, by default those that are
// committed with those of the working tree, and prints the measures that differ by 5 % or more.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Measure, shown } from "./measures.ts";
import { RESULTS } from "./results.ts";

/** Smaller differences are those between two runs of one program. */
const MIN_CHANGE = 0.05;

async function committed(): Promise<string> {
  const root = join(import.meta.dir, "..", "..");
  return Bun.$`git show HEAD:scripts/bench/results.json`.cwd(root).text();
}

const [before, now] = process.argv.slice(2);
const old: Measure[] = JSON.parse(before === undefined ? await committed() : readFileSync(before, "utf8"));
const recent: Measure[] = JSON.parse(readFileSync(now ?? RESULTS, "utf8"));

const keyOf = ({ group, measure, baselineName }: Measure) => JSON.stringify([group, measure, baselineName]);
const values = new Map(old.map((measure) => [keyOf(measure), measure.value]));
for (const measure of recent) {
  const earlier = values.get(keyOf(measure));
  values.delete(keyOf(measure));
  if (earlier === undefined) console.log(`${name(measure)}: new, ${shown(measure.value)} ${measure.unit}`);
  else if (Math.abs(measure.value - earlier) > MIN_CHANGE * Math.abs(earlier))
    console.log(`${name(measure)}: ${shown(earlier)} -> ${shown(measure.value)} ${measure.unit}`);
}
for (const key of values.keys()) console.log(`${JSON.parse(key).slice(0, 2).join(": ")}: gone`);

function name({ group, measure }: Measure): string {
  return `${group}: ${measure}`;
}
