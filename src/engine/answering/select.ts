// Selects the units that answer: for each part of the question the best one that passes, with what belongs to it in its
// chunk. A part without one is open. The thresholds were tuned on test/quality/reason, so its figures flatter them.

import { areOpposite, areRivals } from "./opposites.ts";
import { mayAnswer, passes } from "./passing.ts";
import type { Question, QuestionPart } from "./question.ts";
import {
  agreementOf,
  coverageOf,
  type IndexedUnit,
  isAnsweredByHeading,
  isImperative,
  type Rarity,
  refersToPrevious,
  type Score,
  shareCovered,
  type WordLikeness,
  weighTerms,
} from "./score.ts";
import { areSynonyms } from "./synonyms.ts";
import { stemsOf, termsOf } from "./terms.ts";
import type { Evidence } from "./units.ts";

const WEIGHTS = { nearness: 1, coverage: 0.4, agreement: 0.25, chunk: 0.3 };
/** Weight of words inherited from earlier parts; names and numbers keep their full weight. */
const INHERITED = 0.5;
/** Minimum likeness of listed synonyms and opposites. */
const SAME_SENSE = 0.8;
/** Maximum score gap to the top candidate. */
const MAX_SCORE_GAP = 0.25;
/** Maximum score gap of further units of the same chunk. */
const MAX_GAP_IN_CHUNK = 0.1;
const MAX_FROM_CHUNK = 3;
const MAX_OF_LIST = 10;

export interface Ranking {
  part: QuestionPart;
  /** Best first. */
  scores: Score[];
}

/** Cosines of parts and units, `[part][unit]`. */
export interface Nearness {
  /** Of the search text and the unit with its headings: for the order. */
  inPlace: readonly (readonly number[])[];
  /** Of the part as it was asked and the unit alone: for whether it answers. 0 if not computed. */
  alone?: readonly (readonly number[])[];
}

/** What is ranked for what. */
interface Candidates {
  question: Question;
  units: readonly IndexedUnit[];
  evidence: readonly Evidence[];
  rarity: Rarity;
}

/** Scores every unit for every part. */
export function rankUnits(
  { question, units, evidence, rarity }: Candidates,
  nearness: Nearness,
  likeness: WordLikeness,
): Ranking[] {
  const likely: WordLikeness = (a, b) =>
    areRivals(a, b)
      ? 0
      : areOpposite(a, b) || areSynonyms(a, b)
        ? Math.max(SAME_SENSE, likeness(a, b))
        : likeness(a, b);
  return question.parts.map((part, p) => {
    const inherited = part.inherited.map((term) => ({
      ...term,
      weight: term.isExact ? term.weight : term.weight * INHERITED,
    }));
    const terms = weighTerms([...part.terms, ...inherited], rarity);
    const scores = units.map((unit, u): Score => {
      const covered = coverageOf(terms, unit, likely);
      const coverage = shareCovered(covered);
      const inPlace = nearness.inPlace[p]![u]!;
      const alone = nearness.alone?.[p]?.[u] ?? 0;
      const agreement = agreementOf(part, unit, likely);
      const total =
        WEIGHTS.nearness * inPlace +
        WEIGHTS.coverage * coverage +
        WEIGHTS.agreement * agreement +
        WEIGHTS.chunk * evidence[unit.chunk]!.score;
      return { unit, total, alone, inPlace, coverage, agreement, covered };
    });
    scores.sort(
      (a, b) => b.total - a.total || a.unit.chunk - b.unit.chunk || a.unit.position - b.unit.position,
    );
    return { part, scores };
  });
}

export interface Answered {
  part: QuestionPart;
  score: Score;
  /** The units to quote, all of one chunk, in their order there. */
  units: IndexedUnit[];
}

export interface Selection {
  answered: Answered[];
  open: Ranking[];
}

/** The answered parts with the units to quote, and the open ones. `all` are the units in order. */
export function selectUnits(rankings: readonly Ranking[], all: readonly IndexedUnit[]): Selection {
  const answered: Answered[] = [];
  const open: Ranking[] = [];
  for (const ranking of rankings) {
    const candidates = ranking.scores.filter((candidate) => mayAnswer(ranking.part, candidate));
    const minimum = (candidates[0]?.total ?? 0) - MAX_SCORE_GAP;
    const score = candidates.find((one, i) => {
      // The margin counts only for the top candidate.
      const next = i > 0 ? one : candidates.find((other) => !saysTheSame(one.unit, other.unit));
      return one.total >= minimum && passes(ranking.part, one, next);
    });
    if (!score) open.push(ranking);
    else answered.push({ part: ranking.part, score, units: quoted(ranking, score, all) });
  }
  return { answered, open };
}

/** Share of the shorter unit's words that the other has too. */
const SAME_WORDS = 0.7;

/** Whether two units repeat or contradict each other, so that neither makes the other a less certain answer. */
function saysTheSame(a: IndexedUnit, b: IndexedUnit): boolean {
  const shorter = Math.min(a.stems.size, b.stems.size);
  return a.kind !== "row" && a.stems.intersection(b.stems).size >= SAME_WORDS * shorter;
}

/** The unit with those of its chunk that explain it, limit it or score about as high. */
function quoted({ part, scores }: Ranking, best: Score, all: readonly IndexedUnit[]): IndexedUnit[] {
  const { unit } = best;
  const wanted = new Set([unit.position]);
  const inChunk = all.filter(({ chunk }) => chunk === unit.chunk);
  const at = inChunk.indexOf(unit);
  const add = (neighbour: IndexedUnit | undefined) => {
    if (neighbour && wanted.size < MAX_FROM_CHUNK + 1) wanted.add(neighbour.position);
  };
  if (unit.kind === "sentence") {
    if (refersToPrevious(unit) && inChunk[at - 1]?.kind === "sentence") add(inChunk[at - 1]);
    if (saysOnlyTheQuestion(part, unit)) for (const next of [1, 2, 3]) add(inChunk[at + next]);
    if (LIMITS_IT.test(inChunk[at + 1]?.plain ?? "")) add(inChunk[at + 1]);
    // Consecutive instructions are steps of one procedure.
    if (part.type === "procedure" && isImperative(unit)) {
      for (const next of inChunk.slice(at + 1, at + 1 + MAX_STEPS)) {
        if (next.kind !== "sentence" || !isImperative(next)) break;
        add(next);
      }
    }
  }
  if (part.type === "reason" && best.agreement < 1 && inChunk[at + 1] && refersToPrevious(inChunk[at + 1]!))
    add(inChunk[at + 1]);
  if (isAnsweredByHeading(part, unit)) add(inChunk.find(({ kind }) => kind === "heading"));
  if (part.wantsAll || (part.type === "procedure" && unit.step !== undefined)) {
    const list = inChunk.filter(
      ({ kind, step }) => kind === unit.kind && (step === undefined) === (unit.step === undefined),
    );
    if (unit.kind === "item") for (const { position } of list.slice(0, MAX_OF_LIST)) wanted.add(position);
  }
  // A heading is cited by its section's chunk, the text below it by another one.
  for (const other of unit.kind === "heading" ? [] : scores) {
    if (wanted.size >= MAX_FROM_CHUNK) break;
    if (other.unit.chunk !== unit.chunk || other.total < best.total - MAX_GAP_IN_CHUNK) continue;
    if (mayAnswer(part, other)) wanted.add(other.unit.position);
  }
  return inChunk.filter(({ position }) => wanted.has(position));
}

const MAX_STEPS = 2;

const LIMITS_IT =
  /^(?:but|however|except|unless|only|otherwise|exceptions?|this does not|it does not|not (?:for|if|in|on|when))\b/i;

/** Whether a sentence only repeats the question, so that the answer follows it. */
function saysOnlyTheQuestion(part: QuestionPart, unit: IndexedUnit): boolean {
  if (part.isYesNo) return false;
  const asked = stemsOf(part.search);
  const fresh = termsOf(unit.plain).filter(({ stem }) => !asked.has(stem));
  return fresh.length < 2;
}
