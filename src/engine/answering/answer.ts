// From a question and its evidence to a cited answer. Deterministic; it knows neither the embedding model nor the database.

import type { Reader } from "../reading/reader.ts";
import { type Bounds, withinBounds } from "./bounds.ts";
import { composeAnswer, conflictLine, gapOf } from "./compose.ts";
import { findConflicts } from "./conflicts.ts";
import type { Evidence } from "./passages.ts";
import { type Input, type Models, type PreparedPart, prepare, rank } from "./ranking.ts";
import { rankRead, readParagraphs, readPassages } from "./reading.ts";
import { selectPassages } from "./select.ts";
import { computeFromTables } from "./tables.ts";

export interface ExtractiveAnswer {
  /** Markdown with `[[chunkId]]` after every statement. */
  answer: string;
  gaps: string[];
  conflicts: string[];
  /** The indexes of the evidence that was used. */
  gathered: number[];
}

/** What to answer with. */
interface Means {
  models: Models;
  reader: Reader;
  bounds: Bounds;
}

/**
 * The extractive answer. Takes about 15 ms for the default evidence, 90 ms if further passages are read, and up to 0.5 s for the
 * largest possible one.
 */
export const answer = (input: Input, means: Means): Promise<ExtractiveAnswer> =>
  answerPrepared(prepare(input), input.evidence, means);

/** The same from what was prepared before. */
export async function answerPrepared(
  parts: readonly PreparedPart[],
  evidence: readonly Evidence[],
  { models, reader, bounds }: Means,
): Promise<ExtractiveAnswer> {
  const { rankings: ranked, gathered } = withinBounds(rank(parts, models), evidence, bounds);
  const means = { evidence, reader };
  const rankings = await readParagraphs(rankRead(await readPassages(ranked, means), models), means);
  const computed = computeFromTables(rankings, evidence);
  const conflicts = findConflicts(rankings, evidence, models);
  const selections = selectPassages(rankings, computed, models);
  return {
    answer: composeAnswer(evidence, { selections, computed, conflicts }),
    gaps: selections.filter(({ level }) => level === "open").map(gapOf),
    conflicts: conflicts.map((conflict) => conflictLine(evidence, conflict)),
    gathered,
  };
}
