// Fits the models of src/engine/answers to questions with known answers, with fixed thresholds of the levels.

import { withinBounds } from "../../src/engine/answers/3-rank/bounds.ts";
import { conflictPairs } from "../../src/engine/answers/6-conflicts.ts";
import { FEATURES, type IndexedPassage } from "../../src/engine/answers/3-rank/features.ts";
import { answerFeatures, type Models, type Ranking, rank } from "../../src/engine/answers/3-rank/rank.ts";
import { rankRead, readFeatures, readPassages } from "../../src/engine/answers/4-read.ts";
import type { PassageReader } from "../../src/engine/inference/reader.ts";
import type { GatheredCase } from "../bench/gather-set.ts";
import { BOUNDS, conflictsOf } from "../bench/judge-in-process.ts";
import { fold, type ReasonCase } from "../bench/reason-cases.ts";
import { type Choice, type Example, fitChoice, fitLogistic } from "./logistic-fit.ts";
import { containsSource, isSource } from "./sources.ts";

/** Weights of the examples: few questions are unanswerable, and fewer pairs are conflicts. */
const UNANSWERABLE = 3;
const CONFLICT = 4;
/** Few questions are unanswerable: more penalty than for passages, of which there are thousands. */
const RIDGE_OF_ANSWERED = 3;
/**
 * The same for all sets: thresholds fitted to 200 questions change more from set to set than the probabilities do.
 * `likely` exchanges missed gaps for false ones; see notes/answers.md.
 */
const THRESHOLDS = { likely: 0.51, related: 0.03, conflict: 0.8 };

/** The models for these questions; `without` are features to leave out. */
export async function fitModels(
  cases: readonly GatheredCase[],
  reader: PassageReader,
  without: ReadonlySet<string> = new Set(),
): Promise<Models> {
  const kept = (names: readonly string[]) => names.filter((name) => !without.has(name));
  const namesOf = (examples: readonly Pick<Example, "features">[]) =>
    kept(Object.keys(examples[0]?.features ?? {}));
  const fit = (examples: Example[], ridge?: number) => fitLogistic(examples, namesOf(examples), ridge);
  const passage = fitChoice(cases.flatMap(passageChoices), kept(FEATURES));
  const readCases: RankedCase[] = [];
  for (const one of cases) {
    const { rankings } = withinBounds(rank(one.parts, { passage }), one.evidence, BOUNDS);
    readCases.push({ one, rankings: await readPassages(rankings, { evidence: one.evidence, reader }) });
  }
  const choices = readCases.flatMap(readChoices);
  const read = fitChoice(choices, namesOf(choices[0] ?? []));
  const ranked = readCases.map(({ one, rankings }) => ({ one, rankings: rankRead(rankings, { read }) }));
  const answered = fit(ranked.flatMap(answeredExamples), RIDGE_OF_ANSWERED);
  const conflict = fit(ranked.flatMap((one) => conflictExamples(one, cases)));
  return { passage, read, answered, conflict, thresholds: THRESHOLDS };
}

/** A question with its passages ranked. */
interface RankedCase {
  one: GatheredCase;
  rankings: readonly Ranking[];
}

/** Passages of questions with one part: which passage answers which part is not known of others. */
function passageChoices(one: GatheredCase): Choice[] {
  const [part, ...others] = one.parts;
  if (!part || others.length > 0) return [];
  return [part.passages.map(({ passage, features }) => ({ features, isRight: isAnswer(one, passage) }))];
}

/** The same after the best ones have been read. */
function readChoices({ one, rankings }: RankedCase): Choice[] {
  const [ranking, ...others] = rankings;
  if (!ranking || others.length > 0) return [];
  const features = readFeatures(ranking);
  return [
    ranking.ranked.map(({ passage }, i) => ({ features: features[i]!, isRight: isAnswer(one, passage) })),
  ];
}

function isAnswer({ one, evidence, names }: GatheredCase, { chunk, shown, plain }: IndexedPassage): boolean {
  const states = (text: string) =>
    one.facts.some((spellings) => spellings.some((spelling) => fold(text).includes(fold(spelling))));
  return isSource(one, evidence[chunk]!, names) && (states(shown) || states(plain));
}

/** The parts of a question that are known to be answered or not. */
function answeredExamples({ one: { one }, rankings }: RankedCase): Example[] {
  const parts: Example[] = rankings.map((ranking) => ({
    features: answerFeatures(ranking),
    label: 1,
  }));
  const unanswered = (example: Example) => ({ ...example, label: 0, weight: UNANSWERABLE });
  if (one.kind === "unanswerable") return parts.map(unanswered);
  if (one.kind !== "partly") return parts;
  const [first, last] = parts;
  return parts.length === 2 ? [first!, unanswered(last!)] : [];
}

/** Pairs of passages; a pair of the right chunks that is not exactly what contradicts is no example. */
function conflictExamples({ one, rankings }: RankedCase, cases: readonly GatheredCase[]): Example[] {
  const known = conflictsOf(one.set, cases);
  const { evidence } = one;
  return rankings.flatMap((ranking) =>
    conflictPairs(ranking, evidence).flatMap(({ a, b, features }) => {
      const isIn = ({ chunk }: IndexedPassage, { document, passage }: ReasonCase["sources"][number]) =>
        one.names.get(evidence[chunk]!.documentId) === document &&
        fold(evidence[chunk]!.text).includes(fold(passage));
      const ofChunks = known.filter(
        (pair) => (isIn(a, pair.a) && isIn(b, pair.b)) || (isIn(a, pair.b) && isIn(b, pair.a)),
      );
      if (ofChunks.length === 0) return [{ features, label: 0 }];
      const isExact = ofChunks.some((pair) =>
        [a, b].every((passage) => [pair.a, pair.b].some((source) => containsSource(passage, source.passage))),
      );
      return isExact ? [{ features, label: 1, weight: CONFLICT }] : [];
    }),
  );
}
