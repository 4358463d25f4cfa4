// Which units answer: for each part of the question the best one, if it passes, with what belongs to it in its own chunk.
// It decides what is open, too. Thresholds were set on one half of test/quality/reason and questions about other texts.

import { areOpposite, areRivals } from "./opposites.ts";
import { mayAnswer, passes } from "./passing.ts";
import type { QuestionPart } from "./question.ts";
import {
  agreementOf,
  coverageOf,
  type IndexedUnit,
  isImperative,
  isToldByHeading,
  leansBack,
  type Rarity,
  type Score,
  shareCovered,
  type WordLikeness,
  weightsOf,
} from "./score.ts";
import { areSynonyms } from "./synonyms.ts";
import { stemsOf, termsOf } from "./terms.ts";
import type { Evidence } from "./units.ts";

const WEIGHTS = { nearness: 1, coverage: 0.4, agreement: 0.25, chunk: 0.3 };
/** What is taken over from earlier parts counts less than a part's own words; names and numbers count whole. */
const INHERITED = 0.5;
/** Listed words speak of the same, be it to the contrary. */
const SAME_SENSE = 0.8;
/** Worse than the best one by more than this, a unit is no answer even where it would pass. */
const STILL_BEST = 0.25;
/** A unit of the chosen chunk that is about as good says more about the same. */
const ABOUT_AS_GOOD = 0.1;
const MOST_FROM_CHUNK = 3;
const MOST_OF_LIST = 10;

export interface Ranking {
  part: QuestionPart;
  /** Best first. */
  scores: Score[];
}

/** Cosines of parts and units, `[part][unit]`. */
export interface Nearness {
  /** Of what is searched and the unit under its headings: for the order. */
  inPlace: readonly (readonly number[])[];
  /** Of the part as it was asked and the unit alone: whether it answers. 0 where that was not looked at. */
  alone?: readonly (readonly number[])[];
}

/** Scores every unit for every part. */
export function rankUnits(
  parts: readonly QuestionPart[],
  units: readonly IndexedUnit[],
  evidence: readonly Evidence[],
  rarity: Rarity,
  nearness: Nearness,
  likeness: WordLikeness,
): Ranking[] {
  const likely: WordLikeness = (a, b) =>
    areRivals(a, b)
      ? 0
      : areOpposite(a, b) || areSynonyms(a, b)
        ? Math.max(SAME_SENSE, likeness(a, b))
        : likeness(a, b);
  return parts.map((part, p) => {
    const inherited = part.inherited.map((term) => ({
      ...term,
      weight: term.isExact ? term.weight : term.weight * INHERITED,
    }));
    const terms = [...part.terms, ...inherited];
    const weights = weightsOf(terms, rarity);
    const scores = units.map((unit, u): Score => {
      const covered = coverageOf(terms, weights, unit, likely);
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

export function selectUnits(rankings: readonly Ranking[], all: readonly IndexedUnit[]): Selection {
  const answered: Answered[] = [];
  const open: Ranking[] = [];
  for (const ranking of rankings) {
    const candidates = ranking.scores.filter((candidate) => mayAnswer(ranking.part, candidate));
    const least = (candidates[0]?.total ?? 0) - STILL_BEST;
    const score = candidates.find((one, i) => {
      // Behind one that does not pass nothing stands out.
      const next = i > 0 ? one : candidates.find((other) => !saysTheSame(one.unit, other.unit));
      return one.total >= least && passes(ranking.part, one, next);
    });
    if (!score) open.push(ranking);
    else answered.push({ part: ranking.part, score, units: quoted(ranking, score, all) });
  }
  return { answered, open };
}

/** Share of the shorter unit's words that the other has too. */
const SAME_WORDS = 0.7;

/** Whether two units repeat or contradict each other: neither makes the other doubtful as the place to look. */
function saysTheSame(a: IndexedUnit, b: IndexedUnit): boolean {
  const least = Math.min(a.stems.size, b.stems.size);
  return a.kind !== "row" && a.stems.intersection(b.stems).size >= SAME_WORDS * least;
}

/** The unit with what belongs to it: what explains it, what limits it, and what of its chunk is about as good. */
function quoted({ part, scores }: Ranking, best: Score, all: readonly IndexedUnit[]): IndexedUnit[] {
  const { unit } = best;
  const wanted = new Set([unit.position]);
  const inChunk = all.filter(({ chunk }) => chunk === unit.chunk);
  const at = inChunk.indexOf(unit);
  const take = (neighbour: IndexedUnit | undefined) => {
    if (neighbour && wanted.size < MOST_FROM_CHUNK + 1) wanted.add(neighbour.position);
  };
  if (unit.kind === "sentence") {
    if (leansBack(unit) && inChunk[at - 1]?.kind === "sentence") take(inChunk[at - 1]);
    if (saysOnlyTheQuestion(part, unit)) for (const next of [1, 2, 3]) take(inChunk[at + next]);
    if (LIMITS_IT.test(inChunk[at + 1]?.plain ?? "")) take(inChunk[at + 1]);
    // Instructions that follow each other are steps of one.
    if (part.type === "procedure" && isImperative(unit)) {
      for (const next of inChunk.slice(at + 1, at + 1 + MOST_STEPS)) {
        if (next.kind !== "sentence" || !isImperative(next)) break;
        take(next);
      }
    }
  }
  if (part.type === "reason" && best.agreement < 1 && inChunk[at + 1] && leansBack(inChunk[at + 1]!))
    take(inChunk[at + 1]);
  if (isToldByHeading(part, unit)) take(inChunk.find(({ kind }) => kind === "heading"));
  if (part.wantsAll || (part.type === "procedure" && unit.step !== undefined)) {
    const list = inChunk.filter(
      ({ kind, step }) => kind === unit.kind && (step === undefined) === (unit.step === undefined),
    );
    if (unit.kind === "item") for (const { position } of list.slice(0, MOST_OF_LIST)) wanted.add(position);
  }
  // A heading is cited by its section, what stands under it is another place.
  for (const other of unit.kind === "heading" ? [] : scores) {
    if (wanted.size >= MOST_FROM_CHUNK) break;
    if (other.unit.chunk !== unit.chunk || other.total < best.total - ABOUT_AS_GOOD) continue;
    if (mayAnswer(part, other)) wanted.add(other.unit.position);
  }
  return inChunk.filter(({ position }) => wanted.has(position));
}

const MOST_STEPS = 2;

const LIMITS_IT =
  /^(?:but|however|except|unless|only|otherwise|exceptions?|this does not|it does not|not (?:for|if|in|on|when))\b/i;

/** A sentence that repeats the question tells nothing yet: what it says stands behind it. */
function saysOnlyTheQuestion(part: QuestionPart, unit: IndexedUnit): boolean {
  if (part.isYesNo) return false;
  const asked = stemsOf(part.search);
  const fresh = termsOf(unit.plain).filter(({ stem }) => !asked.has(stem));
  return fresh.length < 2;
}
