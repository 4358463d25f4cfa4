// From a question and its evidence to the blocks of a cited answer, step by step. Deterministic; without embedder and
// database.

import type { PassageReader } from "../inference/reader.ts";
import type { Evidence } from "./2-passages/passages.ts";
import { type Bounds, withinBounds } from "./3-rank/bounds.ts";
import { decide } from "./3-rank/answered.ts";
import { currentFirst } from "./3-rank/newest.ts";
import { type Input, type Models, type PreparedPart, prepare, rank } from "./3-rank/rank.ts";
import { rankRead, readPassages } from "./4-read.ts";
import { computeFromTables } from "./5-tables/tables.ts";
import { findConflicts } from "./6-conflicts.ts";
import { selectPassages } from "./7-select.ts";
import { type Block, blocksOf } from "./8-blocks.ts";
import { type Trace, traceOf } from "./trace.ts";

export interface ExtractiveAnswer {
  blocks: Block[];
  /** The indexes of the evidence that was used. */
  gathered: number[];
  /** What each step did; only if it was asked for. */
  trace?: Trace;
}

/** Steps without which there is still an answer. */
export const SWITCHABLE_STEPS = ["read", "tables", "conflicts"] as const;
export type SwitchableStep = (typeof SWITCHABLE_STEPS)[number];

/** What to answer with. */
interface Deps {
  models: Models;
  reader: PassageReader;
  bounds: Bounds;
  /** Steps to leave out, to measure what they are worth: `bun run bench reason --without STEP`. */
  without?: ReadonlySet<SwitchableStep>;
  isTraced?: boolean;
}

/**
 * The extractive answer. Takes about 15 ms for the default evidence, 90 ms if further passages are read, and up to 0.5
 * s for the largest possible one.
 */
export const answer = (input: Input, deps: Deps): Promise<ExtractiveAnswer> =>
  answerPrepared(prepare(input), input.evidence, deps);

/** Reads nothing: each passage answers with a probability of one half. */
const UNDECIDED: PassageReader = { score: async (readings) => readings.map(() => 0) };

/** The same from what was prepared before: steps 1 and 2, and the features of step 3. */
export async function answerPrepared(
  parts: readonly PreparedPart[],
  evidence: readonly Evidence[],
  { models, reader, bounds, without = new Set(), isTraced = false }: Deps,
): Promise<ExtractiveAnswer> {
  const { rankings: ranked, gathered } = withinBounds(rank(parts, models), evidence, bounds);
  const scorer = without.has("read") ? UNDECIDED : reader;
  const read = rankRead(await readPassages(ranked, { evidence, reader: scorer }), models);
  const current = currentFirst(read, evidence);
  const computed = without.has("tables") ? new Map() : computeFromTables(current, evidence);
  const rankings = current.map((ranking) => decide(ranking, evidence, models));
  const conflicts = without.has("conflicts") ? [] : findConflicts(rankings, evidence, models);
  const selections = selectPassages(rankings, computed, models);
  const blocks = blocksOf(evidence, { selections, computed, conflicts });
  const trace = isTraced
    ? traceOf(evidence, { models, ranked, rankings, computed, conflicts, selections })
    : undefined;
  return { blocks, gathered, ...(trace && { trace }) };
}
