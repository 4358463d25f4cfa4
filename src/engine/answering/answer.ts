// From a question and its evidence to a cited answer. Pure and deterministic; it knows neither the embedding model nor the
// database.

import { composeAnswer, conflictLine, gapOf } from "./compose.ts";
import { findConflicts } from "./conflicts.ts";
import { type Input, type Models, type Ranking, rank } from "./ranking.ts";
import { selectPassages } from "./select.ts";
import { computeFromTables } from "./tables.ts";

export interface ExtractiveAnswer {
  /** Markdown with `[[chunkId]]` after every statement. */
  answer: string;
  gaps: string[];
  conflicts: string[];
}

/** The extractive answer. Takes about 4 ms for the default evidence and up to 0.2 s for the largest possible one. */
export function answer(input: Input, models: Models): ExtractiveAnswer {
  const { evidence } = input;
  const rankings = rank(input, models);
  const computed = computeFromTables(rankings);
  const conflicts = findConflicts(rankings, evidence, models);
  const isContradicted = ({ index }: Ranking) => conflicts.some(({ part }) => part === index);
  const selections = selectPassages(rankings, computed, { models, isContradicted });
  return {
    answer: composeAnswer(evidence, { selections, computed, conflicts }),
    gaps: selections.filter(({ level }) => level === "open").map(gapOf),
    conflicts: conflicts.map((conflict) => conflictLine(evidence, conflict)),
  };
}
