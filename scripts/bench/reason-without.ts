// What one step of the answering pipeline is worth: the question sets are answered in this process with all steps and
// without it.

import { SWITCHABLE_STEPS, type SwitchableStep } from "../../src/engine/answers/answer.ts";
import models from "../../src/engine/answers/weights.json";
import { type Bench, Missing } from "./bench.ts";
import { gatherSet } from "./gather-set.ts";
import { judgeInProcess } from "./judge-in-process.ts";
import { openLocalEmbedder } from "./local-embedder.ts";
import { openLocalReader } from "./local-reader.ts";
import type { Finding } from "./measures.ts";
import { readSets } from "./reason-cases.ts";
import { findings, type Judged } from "./reason-findings.ts";

/**
 * Yields the measures without the step, each with the value of all steps as its baseline. Throws Missing for an unknown
 * step.
 */
export async function* reasonWithout(bench: Bench, step: string): AsyncGenerator<Finding> {
  if (!isStep(step))
    throw new Missing(`--without takes one of ${SWITCHABLE_STEPS.join(", ")}, not "${step}"`);
  const embedder = openLocalEmbedder();
  const reader = await openLocalReader();
  const withAll: Judged[] = [];
  const withoutStep: Judged[] = [];
  for (const set of readSets()) {
    bench.note(`reason: answering the ${set.cases.length} questions of ${set.name} twice`);
    const cases = await gatherSet(set, embedder);
    for (const one of cases) {
      const judged = async (without: SwitchableStep[]) => ({
        one: one.one,
        verdict: await judgeInProcess(one, cases, { models, reader, without: new Set(without) }),
      });
      withAll.push(await judged([]));
      withoutStep.push(await judged([step]));
    }
  }
  await embedder.close();
  const baselines = [...findings("", withAll)].map(({ measure, value }) => ({ of: kindOf(measure), value }));
  for (const finding of findings(`without ${step}: `, withoutStep)) {
    const all = baselines.find(({ of }) => of === kindOf(finding.measure.replace(`without ${step}: `, "")));
    yield { ...finding, ...(all && { baseline: { name: "all steps", value: all.value } }) };
  }
}

const isStep = (name: string): name is SwitchableStep =>
  (SWITCHABLE_STEPS as readonly string[]).includes(name);

/** A measure without the number of what was measured, which may differ: reported conflicts. */
const kindOf = (measure: string) => measure.replace(/ \(of \d+\)$/, "");
