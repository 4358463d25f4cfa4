// Ranks passages for each part of a question by the probability that they answer it, and knows how probable it is that the
// documents answer the part at all. It selects nothing.

import { rarityOf } from "../language/match.ts";
import {
  type Features,
  featuresOfAll,
  type IndexedPassage,
  indexPassages,
  type WeighedPart,
} from "./features.ts";
import { probabilityOf, type Weights } from "./logistic.ts";
import { type Evidence, passagesOf } from "./passages.ts";
import { partsOf } from "./question.ts";
import { stemsOf } from "../language/terms.ts";

/** A passage with its probability for one part. */
export interface Ranked {
  passage: IndexedPassage;
  features: Features;
  probability: number;
}

/** A part with all passages, best first. */
export interface Ranking extends WeighedPart {
  ranked: Ranked[];
}

/** The models; see scripts/fit-answering.ts. */
export interface Models {
  /** A passage answers a part. */
  passage: Weights;
  /** The documents answer a part. */
  answered: Weights;
  /** Two passages contradict each other. */
  conflict: Weights;
  /** Minimum probabilities of the levels, and of a conflict. */
  thresholds: { answered: number; likely: number; related: number; conflict: number };
}

/** What a question is answered from. */
export interface Input {
  question: string;
  evidence: readonly Evidence[];
  /** Texts near the question, evidence or not. */
  near: readonly string[];
}

/** So many of the best passages tell whether a part is answered. */
const BEST = 8;

/** Ranks all passages for every part. */
export function rank({ question, evidence, near }: Input, { passage: weights }: Models): Ranking[] {
  const passages = indexPassages(evidence.flatMap(passagesOf), evidence);
  const nearStems = near.map(stemsOf);
  return partsOf(question).map((part, index) => {
    const rarity = rarityOf(
      part.terms.map(({ stem }) => stem),
      nearStems,
    );
    const weighed = { part, index, rarity };
    const all = featuresOfAll(weighed, passages, evidence);
    const ranked = passages.map((passage, i) => {
      const features = all[i]!;
      return { passage, features, probability: probabilityOf(weights, features) };
    });
    return { ...weighed, ranked: ranked.sort(byProbability) };
  });
}

const byProbability = (a: Ranked, b: Ranked) =>
  b.probability - a.probability ||
  a.passage.chunk - b.passage.chunk ||
  a.passage.position - b.passage.position;

/** The names of the features of a part. */
export type AnswerFeature = "anyPassage" | "chunkCosine" | "expectedValue" | "asksValue";

const EPSILON = 1e-4;

/** What is known about whether the documents answer a part, as numbers from about 0 to 1. */
export function answerFeatures({ part, ranked }: Ranking): Record<AnswerFeature, number> {
  const best = ranked.slice(0, BEST);
  const [first] = best;
  const none = best.reduce((rest, { probability }) => rest * (1 - probability), 1);
  return {
    anyPassage: Math.max(-1, Math.min(1, Math.log((1 - none + EPSILON) / (none + EPSILON)) / 6)),
    chunkCosine: Math.max(0, ...best.map(({ features }) => features.chunkCosine)),
    expectedValue: first?.features.expectedValue ?? -0.5,
    asksValue: part.type.values ? 1 : 0,
  };
}
