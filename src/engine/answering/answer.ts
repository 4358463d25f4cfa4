// A question and its evidence in, a cited answer out, in steps between which somebody else embeds texts: prepare, shortlist,
// answer. Pure and deterministic; it knows neither model nor database.

import { cutUnits } from "../../kernel/text.ts";
import { composeAnswer, conflictLine } from "./compose.ts";
import { findConflicts } from "./conflicts.ts";
import { gapOf } from "./gaps.ts";
import { parseQuestion, type Question } from "./question.ts";
import {
  coverageOf,
  type IndexedUnit,
  indexUnits,
  type Rarity,
  rarityOf,
  shareCovered,
  type WordLikeness,
  weightsOf,
} from "./score.ts";
import { type Ranking, rankUnits, selectUnits } from "./select.ts";
import { stemsOf, termsOf } from "./terms.ts";
import { type Evidence, unitsOf } from "./units.ts";

/** Units that are embedded: 60 sentences of 25 tokens take the model about 130 ms on two threads. */
const MOST_EMBEDDED = 60;
/** Of each chunk at least so many units take part, whatever words they have. */
const LEAST_OF_CHUNK = 2;
/** Units of a part whose words are compared one by one. */
const SHORTLISTED = 8;
const MOST_WORDS = 150;
/** Words below the first cosine have nothing to do with each other; above the second they mean the same. */
const LEAST_COSINE = 0.4;
const MOST_COSINE = 0.85;
const MOST_LIKENESS = 0.9;

export interface Prepared {
  question: Question;
  evidence: readonly Evidence[];
  units: IndexedUnit[];
  /** How rare the question's words are, by stem. */
  rarity: Rarity;
}

export interface Answer {
  /** Markdown with `[[chunkId]]` behind every statement. */
  answer: string;
  gaps: string[];
  conflicts: string[];
}

/**
 * Takes question and evidence apart and picks the units worth embedding; `near` are texts near to the question, evidence or
 * not. Takes up to 0.2 s for the most evidence there can be: it is for a thread.
 */
export function prepare(text: string, evidence: readonly Evidence[], near: readonly string[]): Prepared {
  const question = parseQuestion(text);
  const all = indexUnits(evidence.flatMap(unitsOf), evidence);
  const rarity = rarityOf(question.parts, near.map(stemsOf));
  const units = all.length <= MOST_EMBEDDED ? all : promising(question, all, rarity);
  return { question, evidence, units, rarity };
}

function promising({ parts }: Question, all: IndexedUnit[], rarity: Rarity): IndexedUnit[] {
  const terms = parts.flatMap((part) => part.terms);
  const weights = weightsOf(terms, rarity);
  const ranked = all
    .map((unit) => ({ unit, share: shareCovered(coverageOf(terms, weights, unit, () => 0)) }))
    .sort((a, b) => b.share - a.share || a.unit.chunk - b.unit.chunk || a.unit.position - b.unit.position);
  const taken = new Map<number, number>();
  const first: IndexedUnit[] = [];
  const later: IndexedUnit[] = [];
  for (const { unit } of ranked) {
    const count = taken.get(unit.chunk) ?? 0;
    taken.set(unit.chunk, count + 1);
    (count < LEAST_OF_CHUNK ? first : later).push(unit);
  }
  return [...first, ...later]
    .slice(0, MOST_EMBEDDED)
    .sort((a, b) => a.chunk - b.chunk || a.position - b.position);
}

/** A text to embed, as the embedder takes it. */
interface Passage {
  context: string;
  text: string;
}

/** About one window of the model. */
const EMBEDDED_UNITS = 480;
const textOf = ({ lead, plain }: IndexedUnit) =>
  cutUnits(lead === "" ? plain : `${cutUnits(lead, EMBEDDED_UNITS / 2)} ${plain}`, EMBEDDED_UNITS);

/** What is embedded first: each unit with its place, in their order. */
export function passagesOf({ units, evidence }: Prepared): Passage[] {
  return units.map((unit) => {
    const { title, path } = evidence[unit.chunk]!;
    const heading = path.at(-1);
    const context = heading === undefined || heading === title ? title : `${title}. ${heading}`;
    return { context, text: textOf(unit) };
  });
}

/** Vectors of what was prepared: of each part's `search` and `text`, and of each unit. */
export interface Vectors {
  searches: readonly Float32Array[];
  texts: readonly Float32Array[];
  units: readonly Float32Array[];
}

/** What is looked at closer: the units that may answer, alone, and the words whose nearness to each other matters. */
export interface Shortlist {
  /** Indexes of units. */
  units: number[];
  /** Words by their stems. */
  words: Map<string, string>;
}

/** What is embedded next, once the first vectors are there. */
export function shortlist({ question, evidence, units, rarity }: Prepared, vectors: Vectors): Shortlist {
  const words = new Map<string, string>();
  const add = (text: string) => {
    for (const { stem, word, isExact } of termsOf(text)) {
      if (words.size < MOST_WORDS && !isExact && !words.has(stem)) words.set(stem, word);
    }
  };
  for (const { terms, inherited } of question.parts) {
    for (const { stem, word, isExact } of [...terms, ...inherited]) if (!isExact) words.set(stem, word);
  }
  const nearness = nearnessOf(vectors.searches, vectors.units);
  const rankings = rankUnits(question.parts, units, evidence, rarity, { inPlace: nearness }, noLikeness);
  const chosen = new Set<number>();
  for (let place = 0; place < SHORTLISTED; place++) {
    for (const { scores } of rankings) {
      const unit = scores[place]?.unit;
      if (!unit) continue;
      chosen.add(units.indexOf(unit));
      const { title, path } = evidence[unit.chunk]!;
      add(`${unit.plain}\n${unit.lead}\n${path.at(-1) ?? ""}\n${title}`);
    }
  }
  return { units: [...chosen], words };
}

/** The second round of passages: shortlisted units without their place, then words. */
export function closerPassages({ units }: Prepared, chosen: Shortlist): Passage[] {
  const alone = chosen.units.map((unit) => textOf(units[unit]!));
  return [...alone, ...chosen.words.values()].map((text) => ({ context: "", text }));
}

/** Every unit judged for every part of the question; `closer` are the vectors of the second round. */
function judge(
  { question, evidence, units, rarity }: Prepared,
  vectors: Vectors,
  chosen: Shortlist,
  closer: readonly Float32Array[],
): { rankings: Ranking[]; likeness: WordLikeness } {
  const aloneOf = new Map(chosen.units.map((unit, i) => [unit, closer[i]!]));
  const stems = [...chosen.words.keys()];
  const likeness = likenessOf(new Map(stems.map((stem, i) => [stem, closer[chosen.units.length + i]!])));
  const inPlace = nearnessOf(vectors.searches, vectors.units);
  const alone = vectors.texts.map((text, part) =>
    units.map((_, unit) => {
      const vector = aloneOf.get(unit);
      return vector ? Math.max(dot(text, vector), dot(vectors.searches[part]!, vector)) : 0;
    }),
  );
  return {
    rankings: rankUnits(question.parts, units, evidence, rarity, { inPlace, alone }, likeness),
    likeness,
  };
}

/** The extractive answer; `closer` are the vectors of the second round. */
export function answer(
  prepared: Prepared,
  vectors: Vectors,
  chosen: Shortlist,
  closer: readonly Float32Array[],
): Answer {
  const { question, evidence, units } = prepared;
  const { rankings, likeness } = judge(prepared, vectors, chosen, closer);
  const { answered, open } = selectUnits(rankings, units);
  const vectorOf = new Map(units.map((unit, i) => [unit, vectors.units[i]!]));
  const alike = (a: IndexedUnit, b: IndexedUnit) => dot(vectorOf.get(a)!, vectorOf.get(b)!);
  const conflicts = findConflicts(answered, rankings, evidence, alike, likeness);
  return {
    answer: composeAnswer(evidence, answered, conflicts, open),
    gaps: open.map((ranking) => gapOf(ranking, question.parts.length === 1)),
    conflicts: conflicts.map((conflict) => conflictLine(evidence, conflict)),
  };
}

const noLikeness: WordLikeness = () => 0;

/** Nearness of words from their vectors; what a model says of unlike words is no likeness. */
function likenessOf(vectors: ReadonlyMap<string, Float32Array>): WordLikeness {
  return (a, b) => {
    if (a === b) return 1;
    const [x, y] = [vectors.get(a), vectors.get(b)];
    if (!x || !y) return 0;
    return Math.max(0, Math.min(MOST_LIKENESS, (dot(x, y) - LEAST_COSINE) / (MOST_COSINE - LEAST_COSINE)));
  };
}

function nearnessOf(questions: readonly Float32Array[], units: readonly Float32Array[]): number[][] {
  return questions.map((question) => units.map((unit) => dot(question, unit)));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
