// Where the time of one request or job goes: work that is measured deep below is added to the record of whoever asked
// for it, without passing that record through every function.

import { AsyncLocalStorage } from "node:async_hooks";
import { systemClock } from "./clock.ts";

/** Milliseconds by step. Steps that ran concurrently are added up. */
export type StepTimes = Record<string, number>;

const current = new AsyncLocalStorage<StepTimes>();

/** Runs `work`; steps that it measures, also later, are added to `times`. */
export function collectStepTimes<Result>(times: StepTimes, work: () => Result): Result {
  return current.run(times, work);
}

/** Adds the time until `work` settles to `step` of the current record, if there is one. Returns `work`. */
export function measureStep<Result>(step: string, work: Promise<Result>): Promise<Result> {
  const times = current.getStore();
  if (!times) return work;
  const startedAt = systemClock.monotonic();
  const add = () => {
    times[step] = (times[step] ?? 0) + systemClock.monotonic() - startedAt;
  };
  work.then(add, add);
  return work;
}

/** The steps as facts of a log line: `search` is `searchMs`, rounded to 0.01 ms; shorter ones are left out. */
export function stepFacts(times: StepTimes): Record<string, number> {
  const facts: Record<string, number> = {};
  for (const [step, ms] of Object.entries(times)) if (ms >= 0.01) facts[`${step}Ms`] = roundedMs(ms);
  return facts;
}

/** Milliseconds with two decimals. */
export const roundedMs = (ms: number) => Math.round(ms * 100) / 100;
