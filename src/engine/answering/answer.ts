// From a question and its evidence to a cited answer, in three steps: prepare, shortlist, answer. Between the steps the
// caller embeds texts. Pure and deterministic; it knows neither the model nor the database.

import { cutUnits } from "../../kernel/text.ts";
import { dot } from "../../kernel/vectors.ts";
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
  weighTerms,
} from "./score.ts";
import { type Ranking, rankUnits, selectUnits } from "./select.ts";
import { stemsOf, termsOf } from "./terms.ts";
import { type Evidence, unitsOf } from "./units.ts";

/** 60 sentences of 25 tokens take the model about 130 ms on two threads. */
const MAX_EMBEDDED_UNITS = 60;
/** So many units of each chunk are preferred, whatever words they contain. */
const MIN_UNITS_OF_CHUNK = 2;
/** Units of a part whose words are compared one by one. */
const MAX_SHORTLISTED = 8;
const MAX_WORDS = 150;
/** Words of a lower cosine are unrelated; words of a higher one than the maximum mean the same. */
const MIN_COSINE = 0.4;
const MAX_COSINE = 0.85;
const MAX_LIKENESS = 0.9;

/** What the steps share. It never leaves the answering worker. */
export interface Prepared {
  question: Question;
  evidence: readonly Evidence[];
  units: IndexedUnit[];
  /** How rare the question's words are, by stem. */
  rarity: Rarity;
}

export interface ExtractiveAnswer {
  /** Markdown with `[[chunkId]]` after every statement. */
  answer: string;
  gaps: string[];
  conflicts: string[];
}

/**
 * Parses question and evidence and selects the units to embed; `near` are texts near the question, evidence or not. Takes
 * up to 0.2 s for the largest possible evidence.
 */
export function prepare(text: string, evidence: readonly Evidence[], near: readonly string[]): Prepared {
  const question = parseQuestion(text);
  const all = indexUnits(evidence.flatMap(unitsOf), evidence);
  const rarity = rarityOf(question.parts, near.map(stemsOf));
  const units = all.length <= MAX_EMBEDDED_UNITS ? all : promising(question, all, rarity);
  return { question, evidence, units, rarity };
}

function promising({ parts }: Question, all: IndexedUnit[], rarity: Rarity): IndexedUnit[] {
  const terms = weighTerms(
    parts.flatMap((part) => part.terms),
    rarity,
  );
  const ranked = all
    .map((unit) => ({ unit, share: shareCovered(coverageOf(terms, unit, noLikeness)) }))
    .sort((a, b) => b.share - a.share || a.unit.chunk - b.unit.chunk || a.unit.position - b.unit.position);
  const counts = new Map<number, number>();
  const first: IndexedUnit[] = [];
  const later: IndexedUnit[] = [];
  for (const { unit } of ranked) {
    const count = counts.get(unit.chunk) ?? 0;
    counts.set(unit.chunk, count + 1);
    (count < MIN_UNITS_OF_CHUNK ? first : later).push(unit);
  }
  return [...first, ...later]
    .slice(0, MAX_EMBEDDED_UNITS)
    .sort((a, b) => a.chunk - b.chunk || a.position - b.position);
}

/** A text to embed, in the form that the embedder expects. */
export interface Passage {
  context: string;
  text: string;
}

/** About one window of the model. */
const MAX_TEXT_UNITS = 480;
const textOf = ({ lead, plain }: IndexedUnit) =>
  cutUnits(lead === "" ? plain : `${cutUnits(lead, MAX_TEXT_UNITS / 2)} ${plain}`, MAX_TEXT_UNITS);

/** The first passages to embed: every unit with its title and heading, in the order of the units. */
export function passagesOf({ units, evidence }: Prepared): Passage[] {
  return units.map((unit) => {
    const { title, path } = evidence[unit.chunk]!;
    const heading = path.at(-1);
    const context = heading === undefined || heading === title ? title : `${title}. ${heading}`;
    return { context, text: textOf(unit) };
  });
}

/** Unit vectors of each part's `search` and `text`, and of each unit. */
export interface Vectors {
  searches: readonly Float32Array[];
  texts: readonly Float32Array[];
  units: readonly Float32Array[];
}

/** What the second round of embedding compares more closely. */
export interface Shortlist {
  /** Indexes of the units that may answer. */
  units: number[];
  /** Words whose likeness to each other matters, by their stems. */
  words: Map<string, string>;
}

/** Selects what to embed in the second round. */
export function shortlist(prepared: Prepared, vectors: Vectors): Shortlist {
  const { question, evidence, units } = prepared;
  const words = new Map<string, string>();
  const add = (text: string) => {
    for (const { stem, word, isExact } of termsOf(text)) {
      if (words.size < MAX_WORDS && !isExact && !words.has(stem)) words.set(stem, word);
    }
  };
  for (const { terms, inherited } of question.parts) {
    for (const { stem, word, isExact } of [...terms, ...inherited]) if (!isExact) words.set(stem, word);
  }
  const rankings = rankUnits(prepared, { inPlace: nearnessOf(vectors) }, noLikeness);
  const chosen = new Set<number>();
  for (let place = 0; place < MAX_SHORTLISTED; place++) {
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

/** The second round of passages: shortlisted units without title and heading, then words. */
export function closerPassages({ units }: Prepared, chosen: Shortlist): Passage[] {
  const alone = chosen.units.map((unit) => textOf(units[unit]!));
  return [...alone, ...chosen.words.values()].map((text) => ({ context: "", text }));
}

/** Both rounds of embedding; `closer` are the vectors of the second one. */
export interface Embedded {
  vectors: Vectors;
  chosen: Shortlist;
  closer: readonly Float32Array[];
}

/** Ranks the units for every part of the question, with the vectors of both rounds. */
function judge(
  prepared: Prepared,
  { vectors, chosen, closer }: Embedded,
): { rankings: Ranking[]; likeness: WordLikeness } {
  const aloneOf = new Map(chosen.units.map((unit, i) => [unit, closer[i]!]));
  const stems = [...chosen.words.keys()];
  const likeness = likenessOf(new Map(stems.map((stem, i) => [stem, closer[chosen.units.length + i]!])));
  const alone = vectors.texts.map((text, part) =>
    prepared.units.map((_, unit) => {
      const vector = aloneOf.get(unit);
      return vector ? Math.max(dot(text, vector), dot(vectors.searches[part]!, vector)) : 0;
    }),
  );
  return { rankings: rankUnits(prepared, { inPlace: nearnessOf(vectors), alone }, likeness), likeness };
}

/** The extractive answer. */
export function answer(prepared: Prepared, embedded: Embedded): ExtractiveAnswer {
  const { question, evidence, units } = prepared;
  const { rankings, likeness } = judge(prepared, embedded);
  const selection = selectUnits(rankings, units);
  const vectorOf = new Map(units.map((unit, i) => [unit, embedded.vectors.units[i]!]));
  const alike = (a: IndexedUnit, b: IndexedUnit) => dot(vectorOf.get(a)!, vectorOf.get(b)!);
  const conflicts = findConflicts(selection.answered, rankings, { evidence, alike, likeness });
  return {
    answer: composeAnswer(evidence, selection, conflicts),
    gaps: selection.open.map((ranking) => gapOf(ranking, question.parts.length === 1)),
    conflicts: conflicts.map((conflict) => conflictLine(evidence, conflict)),
  };
}

const noLikeness: WordLikeness = () => 0;

/** Likeness of words from their vectors; 0 below the cosine that unrelated words have. */
function likenessOf(vectors: ReadonlyMap<string, Float32Array>): WordLikeness {
  return (a, b) => {
    if (a === b) return 1;
    const [x, y] = [vectors.get(a), vectors.get(b)];
    if (!x || !y) return 0;
    return Math.max(0, Math.min(MAX_LIKENESS, (dot(x, y) - MIN_COSINE) / (MAX_COSINE - MIN_COSINE)));
  };
}

/** Cosines of each part's search text and each unit, `[part][unit]`. */
function nearnessOf({ searches, units }: Vectors): number[][] {
  return searches.map((search) => units.map((unit) => dot(search, unit)));
}
