// What every group of `bun run torture` gets and yields: a seed, how much to do, temporary folders, and checks with
// their limits.

import { type Bench, openBench } from "../bench/bench.ts";

/** A group: yields its checks in the order of the output. It throws only if it could not do its work. */
export type TortureGroup = (torture: Torture) => AsyncGenerator<Check>;

export interface Torture extends Bench {
  /** Decides every random choice of the run, so that a run can be repeated as far as timing allows. */
  seed: number;
  /** The number of repetitions for this run: the full number of the long run times the share, at least 1. */
  repetitions(full: number): number;
  /** Whether this is the long run: only there, checks may depend on how fast the machine is. */
  isLong: boolean;
}

export interface Check {
  check: string;
  value: number;
  unit: string;
  /** What is required; without limits the value is only reported. */
  atMost?: number;
  atLeast?: number;
}

/** Opens what the groups of one run share. `share` is 1 for the long run and below 1 for a short one. */
export function openTorture({ seed, share }: { seed: number; share: number }): Torture {
  return {
    ...openBench(),
    note: (text) => void process.stderr.write(`torture: ${text}\n`),
    seed,
    isLong: share >= 1,
    repetitions: (full) => Math.max(1, Math.round(full * share)),
  };
}

/** Whether a check keeps its limits. A value that is not a number keeps none. */
export function isMet({ value, atMost, atLeast }: Check): boolean {
  if (atMost !== undefined && !(value <= atMost)) return false;
  return atLeast === undefined || value >= atLeast;
}

/** Runs a group and returns all its checks. */
export async function checksOf(group: TortureGroup, torture: Torture): Promise<Check[]> {
  const checks: Check[] = [];
  for await (const check of group(torture)) checks.push(check);
  return checks;
}
