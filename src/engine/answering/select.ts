// Selects what to quote for each part of a question: how sure the answer is, and the passages that add most, with what they
// need to be understood, within a number of words. It writes no text.

import { wordCount } from "../../kernel/text.ts";
import { shareOf } from "../language/match.ts";
import { isDenied } from "../language/negation.ts";
import { termsOf } from "../language/terms.ts";
import { type IndexedPassage, mayReply, refersBack } from "./features.ts";
import { probabilityOf } from "../../kernel/logistic.ts";
import type { QuestionPart } from "./question.ts";
import {
  answerFeatures,
  MAX_WORDS_INTRODUCED,
  MAX_WORDS_OF_LIST,
  type Models,
  type Ranked,
  type Ranking,
  unitsOf,
} from "./ranking.ts";
import type { Computed } from "./tables.ts";

/** How sure it is that the documents answer a part. */
type Level = "answered" | "likely" | "open";

export interface Selection {
  ranking: Ranking;
  level: Level;
  /** Passages of one chunk in their order, the most probable chunk first. */
  groups: IndexedPassage[][];
}

/** Words quoted for a question; its parts share them. */
const MAX_WORDS = 182;
const MIN_WORDS_OF_PART = 55;
const MAX_RELATED_WORDS = 80;
const MAX_RELATED = 2;
/** A chunk about something else is nearer to the question than this only by accident. */
const MIN_COSINE = 0.2;
/** A passage is quoted if it is the answer with this probability for each of its words. */
const MIN_GAIN = 0.0002;
/** Passages of a lower probability are not worth reading. */
const MIN_PROBABILITY = 0.0015;
/** Beside a sure answer only passages are quoted that are nearly as probable. */
const ALSO = 0.3;

/**
 * What to quote for each part; what is quoted for one part, or follows from tables, is not quoted again for the next.
 */
export function selectPassages(
  rankings: readonly Ranking[],
  computed: ReadonlyMap<number, Computed>,
  models: Models,
): Selection[] {
  const shown: IndexedPassage[] = [];
  const words = Math.max(MIN_WORDS_OF_PART, MAX_WORDS / rankings.length);
  return rankings.map((ranking) => {
    const result = computed.get(ranking.index);
    shown.push(...(result?.rows ?? []));
    const estimated = levelOf(ranking, models);
    const level = result && estimated === "open" ? "likely" : estimated;
    const isFar = estimated === "open" && (level === "open" || result?.isWhole === false);
    const space = isFar
      ? relatedSpace(models)
      : {
          words,
          passages: Infinity,
          cosineOfFirst: -1,
          minimum: level === "answered" ? ALSO * (unitsOf(ranking)[0]?.probability ?? 1) : MIN_PROBABILITY,
        };
    // A result and its rows are the answer; of a cell, other passages may say more.
    const picked = result?.isWhole ? [] : pick(ranking, space, shown);
    shown.push(...picked);
    return { ranking, level, groups: grouped(picked) };
  });
}

function levelOf(ranking: Ranking, models: Models): Level {
  const features = answerFeatures(ranking);
  const answerable = probabilityOf(models.answered, features);
  if (ranking.ranked.length === 0 || answerable < models.thresholds.likely) return "open";
  // The clarity is how sure it is that the passages quoted first are the answer.
  return answerable * features.clarity >= models.thresholds.answered ? "answered" : "likely";
}

interface Space {
  words: number;
  passages: number;
  /** A passage of a lower probability is not quoted. */
  minimum: number;
  /** Nor the first one if its chunk is less similar to the question, nor one whose cosine is unknown (0). */
  cosineOfFirst: number;
}

const relatedSpace = ({ thresholds }: Models): Space => ({
  words: MAX_RELATED_WORDS,
  passages: MAX_RELATED,
  minimum: thresholds.related,
  cosineOfFirst: MIN_COSINE,
});

/** The passages that most probably answer, in the order in which they were picked. */
function pick(ranking: Ranking, space: Space, shown: readonly IndexedPassage[]): IndexedPassage[] {
  const { part, ranked } = ranking;
  const picked: IndexedPassage[] = [];
  let words = 0;
  for (const { passage, probability, features, whole } of unitsOf(ranking)) {
    if (probability < space.minimum || picked.length >= space.passages) break;
    const { chunkCosine } = features;
    const minCosine = picked.length === 0 || chunkCosine === 0 ? space.cosineOfFirst : MIN_COSINE;
    if (chunkCosine < minCosine || probability < MIN_GAIN * wordCount(passage.plain)) continue;
    if (picked.includes(passage) || isRepeated(passage, picked, shown)) continue;
    if ((!whole && isIntroduction(passage, ranked)) || isOtherRow(passage, [...shown, ...picked], part))
      continue;
    const needed = (whole ?? withContext(passage, ranking)).filter((one) => !picked.includes(one));
    const added = needed.reduce((sum, { plain }) => sum + wordCount(plain), 0);
    const isWholeList = whole && words < space.words / 2 && space.passages > MAX_RELATED;
    if (
      words + added <= (isWholeList ? MAX_WORDS_OF_LIST : space.words) ||
      (words === 0 && needed.length < 3)
    )
      picked.push(...needed);
    else if (needed.includes(passage) && words + wordCount(passage.plain) <= space.words)
      picked.push(passage);
    else continue;
    words = picked.reduce((sum, { plain }) => sum + wordCount(plain), 0);
  }
  return picked;
}

/** Whether a sentence introduces a table, whose rows are quoted. */
const isIntroduction = ({ shown, kind }: IndexedPassage, ranked: readonly Ranked[]) =>
  kind === "sentence" && /[:：]$/.test(shown) && ranked.some(({ passage }) => passage.lead === shown);

/** Whether a quoted row of the same table contains words of the question, or those that `it` refers to, that this one does not. */
function isOtherRow(
  { kind, chunk, words }: IndexedPassage,
  picked: readonly IndexedPassage[],
  { terms }: QuestionPart,
): boolean {
  if (kind !== "row") return false;
  return picked.some(
    (other) =>
      other.kind === "row" &&
      other.chunk === chunk &&
      terms.some((term) => term.weight >= 0.5 && shareOf(term, other.words) > shareOf(term, words)),
  );
}

const MAX_SAME_WORDS = 0.85;

/** Whether a statement is already quoted. One with another value or name, or its denial, is another statement. */
function isRepeated(
  passage: IndexedPassage,
  picked: readonly IndexedPassage[],
  shown: readonly IndexedPassage[],
): boolean {
  const { words, plain } = passage;
  return (
    shown.some((other) => other.plain === plain) ||
    picked.some(
      (other) =>
        other.plain === plain ||
        (words.stems.size > 2 &&
          words.stems.intersection(other.words.stems).size >=
            MAX_SAME_WORDS * Math.max(words.stems.size, other.words.stems.size) &&
          isDenied(plain) === isDenied(other.plain) &&
          exactly(passage).symmetricDifference(exactly(other)).size === 0),
    )
  );
}

/** The values and names of a passage. */
const exactly = ({ plain, values }: IndexedPassage) =>
  new Set([
    ...values().map(({ sort, key }) => `${sort} ${key}`),
    ...termsOf(plain).flatMap(({ word, isExact, stem }) => (isExact && !/\d/.test(word) ? [stem] : [])),
  ]);

/**
 * A passage with the one before it if it is not understood without that or replies to it in a chat, a question with the next
 * sentence, and an item with those in it.
 */
function withContext(passage: IndexedPassage, { part, ranked }: Ranking): IndexedPassage[] {
  const inChunk = ranked
    .map((one) => one.passage)
    .filter(({ chunk }) => chunk === passage.chunk)
    .sort((a, b) => a.position - b.position);
  const at = inChunk.indexOf(passage);
  const before = inChunk[at - 1];
  const repliesToAsked = () =>
    mayReply(passage, before) &&
    part.terms.some(
      (term) => term.weight >= 0.5 && shareOf(term, before!.words) > shareOf(term, passage.words),
    );
  const isBehind = passage.head === before?.shown || refersBack(passage) || repliesToAsked();
  if (before?.kind === "sentence" && isBehind) return [before, passage];
  const next = inChunk[at + 1];
  if (next?.head !== undefined && next.head === passage.shown && passage.kind === "sentence")
    return [passage, next];
  const { depth = 0 } = passage;
  const behind = passage.kind === "item" ? inChunk.slice(at + 1) : [];
  const end = behind.findIndex(
    (one, i) => one.kind !== "item" || (one.depth ?? 0) <= depth || one.position !== passage.position + i + 1,
  );
  const inside = end < 0 ? behind : behind.slice(0, end);
  const words = inside.reduce((sum, { plain }) => sum + wordCount(plain), 0);
  return words <= MAX_WORDS_INTRODUCED ? [passage, ...inside] : [passage];
}

/** Passages by chunk, each in its order. */
function grouped(picked: readonly IndexedPassage[]): IndexedPassage[][] {
  const groups = Map.groupBy(picked, ({ chunk }) => chunk);
  return [...groups.values()].map((group) => group.toSorted((a, b) => a.position - b.position));
}
