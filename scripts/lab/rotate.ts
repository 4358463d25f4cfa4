// Fits the models to all sets but one and judges the answers to that one, for each set: the figures of questions that
// the weights do not know. Usage: bun scripts/lab/rotate.ts [--without FEATURE]… [--json]. Takes 15 minutes on two
// cores.

import { gatherSet } from "../bench/gather-set.ts";
import { judgeInProcess } from "../bench/judge-in-process.ts";
import { openLocalEmbedder } from "../bench/local-embedder.ts";
import { openLocalReader } from "../bench/local-reader.ts";
import type { Finding } from "../bench/measures.ts";
import { findings, type Judged, summary } from "../bench/reason-findings.ts";
import { fitModels } from "./fit-models.ts";
import { print } from "./print.ts";
import { readAllSets } from "./sets.ts";

/** The first rules were tuned on this set: weights are fitted to it, and it is never left out. */
const TUNED_ON = "hydrology";

async function* rotated(without: ReadonlySet<string>): AsyncGenerator<Finding> {
  const embedder = openLocalEmbedder();
  const gathered = new Map<string, Awaited<ReturnType<typeof gatherSet>>>();
  for (const set of readAllSets()) gathered.set(set.name, await gatherSet(set, embedder));
  await embedder.close();
  const reader = await openLocalReader();
  const all: Judged[] = [];
  for (const [left, cases] of gathered) {
    if (left === TUNED_ON) continue;
    console.error(`fitting without ${left}`);
    const others = [...gathered].filter(([name]) => name !== left).flatMap(([, ofSet]) => ofSet);
    const models = await fitModels(others, reader, without);
    const judged: Judged[] = [];
    for (const one of cases)
      judged.push({ one: one.one, verdict: await judgeInProcess(one, cases, { models, reader }) });
    all.push(...judged);
    yield* findings(`${left} left out: `, judged);
  }
  yield* summary(all);
}

const args = process.argv.slice(2);
await print("rotate", rotated(new Set(args.filter((_, i) => args[i - 1] === "--without"))));
