// From a question and its evidence to a cited answer. Deterministic; it knows neither the embedding model nor the database.

import type { Reader } from "../reading/reader.ts";
import { type Bounds, withinBounds } from "./bounds.ts";
import { composeAnswer, conflictLine, gapOf } from "./compose.ts";
import { findConflicts } from "./conflicts.ts";
import type { Evidence } from "./passages.ts";
import { type Input, type Models, type PreparedPart, prepare, type Ranking, rank } from "./ranking.ts";
import { isOpenAfterBest, rankRead, readBest, readFurther, readParagraphs } from "./reading.ts";
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
export async function answer(input: Input, means: Means): Promise<ExtractiveAnswer> {
  const best = await readPrepared({ ...input, parts: prepare(input) }, means);
  return answerRead(best, means);
}

/** The same; undefined if the best passage of a part does not answer it, so that more evidence should be gathered first. */
export async function answerIfRead(input: Input, means: Means): Promise<ExtractiveAnswer | undefined> {
  const best = await readPrepared({ ...input, parts: prepare(input) }, means);
  return best.rankings.some(isOpenAfterBest) ? undefined : answerRead(best, means);
}

/** Evidence whose best passages have been read. */
export interface ReadEvidence {
  evidence: readonly Evidence[];
  rankings: readonly Ranking[];
  /** The indexes of the evidence that may be used. */
  gathered: number[];
}

/** Reads the best passage of each part of what was prepared. */
export async function readPrepared(
  { parts, evidence }: Pick<Input, "evidence"> & { parts: readonly PreparedPart[] },
  { models, reader, bounds }: Pick<Means, "reader" | "bounds"> & { models: Pick<Models, "passage"> },
): Promise<ReadEvidence> {
  const { rankings, gathered } = withinBounds(rank(parts, models), evidence, bounds);
  return { evidence, gathered, rankings: await readBest(rankings, { evidence, reader }) };
}

/** The answer from evidence whose best passages have been read. */
export async function answerRead(
  { evidence, rankings: best, gathered }: ReadEvidence,
  { models, reader }: Means,
): Promise<ExtractiveAnswer> {
  const means = { evidence, reader };
  const rankings = await readParagraphs(rankRead(await readFurther(best, means), models), means);
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
