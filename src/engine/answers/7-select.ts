// Step 7: selects what answers each part of a question, with what that needs to be understood, and what else may
// answer.

import { wordCount } from "../../kernel/text.ts";
import { isQuestion } from "../markdown/entries.ts";
import { shareOf } from "../text/match.ts";
import { isDenied } from "../text/negation.ts";
import { termsOf } from "../text/terms.ts";
import { type IndexedPassage, mayReply, refersBack } from "./3-rank/features.ts";
import type { Decided } from "./3-rank/answered.ts";
import type { QuestionPart } from "./1-question/question.ts";
import {
  MAX_WORDS_INTRODUCED,
  MAX_WORDS_OF_LIST,
  type Models,
  type Ranking,
  unitsOf,
} from "./3-rank/rank.ts";
import type { Computed } from "./5-tables/tables.ts";

/** What is quoted for a part: passages of one chunk in their order, the most probable chunk first. */
export interface Selection {
  ranking: Pick<Ranking, "index" | "part">;
  /** Whether the documents do not answer the part. */
  isOpen: boolean;
  /**
   * What answers it: at most three statements, or the list or code that it asks for. Empty if an earlier part shows it.
   */
  direct: IndexedPassage[][];
  /** What else may answer it; of an open part, what is related. */
  further: IndexedPassage[][];
}

/** Of what answers a part: units such as a statement, and words of several ones. */
const MAX_DIRECT = 3;
const MAX_DIRECT_WORDS = 80;
/** The same where a list, steps or code are asked for. */
const MAX_FORM_WORDS = 110;
/** A further unit answers directly only if it is nearly as probable as the best one: this share of its probability. */
const MIN_SHARE_OF_BEST = 0.1;
/** Of all further passages together. */
const MAX_FURTHER_WORDS = 60;
const MAX_RELATED = 2;
/** Longer code is shown only where it is the answer. */
const MAX_LINES_OF_CODE = 5;
/** Below this cosine a chunk is off-topic. */
const MIN_COSINE = 0.2;
/** Minimum probability per word quoted, and of a passage. */
const MIN_GAIN = 0.0002;
const MIN_PROBABILITY = 0.0015;

/** What to quote for each part; nothing twice. What follows from a table is shown with its rows instead. */
export function selectPassages(
  rankings: readonly Decided[],
  computed: ReadonlyMap<number, Computed>,
  { thresholds }: Pick<Models, "thresholds">,
): Selection[] {
  const shown: IndexedPassage[] = [...computed.values()].flatMap(({ rows }) => rows);
  const parts = rankings.map((ranking) => {
    const result = computed.get(ranking.index);
    const words = ranking.part.type.form ? MAX_FORM_WORDS : MAX_DIRECT_WORDS;
    const space = { words, minimum: MIN_PROBABILITY, shareOfBest: MIN_SHARE_OF_BEST };
    // What decides a question for yes or no comes first, alone.
    const first = decides(ranking.part) ? 1 : MAX_DIRECT;
    const direct: IndexedPassage[][] = [];
    for (const units of ranking.isAnswered && !result ? [first, MAX_DIRECT - first] : []) {
      const picked = pick(ranking, { ...space, units }, shown);
      direct.push(...grouped(picked));
      shown.push(...picked);
    }
    return { ranking, result, direct };
  });
  let words = MAX_FURTHER_WORDS;
  return parts.map(({ ranking, result, direct }) => {
    const isOpen = !ranking.isAnswered && !result;
    // A result and its rows are the whole answer.
    const space = ranking.isAnswered
      ? { words, units: Infinity, minimum: MIN_PROBABILITY }
      : {
          words,
          units: MAX_RELATED,
          minimum: thresholds.related,
          cosine: MIN_COSINE,
          isRelated: true,
        };
    const further = result ? [] : pick(ranking, { ...space, isBeside: true }, shown);
    shown.push(...further);
    words -= wordsOf(further);
    return { ranking, isOpen, direct, further: grouped(further) };
  });
}

/** Whether one statement decides a question: one that asks for yes or no. */
const decides = ({ type }: QuestionPart) => type.name === "yes-no";
const wordsOf = (passages: readonly IndexedPassage[]) =>
  passages.reduce((sum, { plain }) => sum + wordCount(plain), 0);

/** How much to pick. */
interface Space {
  words: number;
  units: number;
  /** Minimum probability of a unit, and as a share of the best one's. */
  minimum: number;
  shareOfBest?: number;
  /** Minimum cosine of the first unit's chunk. */
  cosine?: number;
  /** No long code and no bare links; of what is only related, no lines of logs either. */
  isBeside?: boolean;
  isRelated?: boolean;
}

/** The passages that most probably answer, in the order in which they were picked. */
function pick(ranking: Ranking, space: Space, shown: readonly IndexedPassage[]): IndexedPassage[] {
  const { part } = ranking;
  const { minimum, shareOfBest = 0, cosine = -1, isBeside = false, isRelated = false } = space;
  const picked: IndexedPassage[] = [];
  let units = 0;
  let best: number | undefined;
  for (const { passage, probability, features, whole } of unitsOf(ranking)) {
    if (probability < Math.max(minimum, shareOfBest * (best ?? 0)) || units >= space.units) break;
    const { chunkCosine } = features;
    if (chunkCosine < (units === 0 || chunkCosine === 0 ? cosine : MIN_COSINE)) continue;
    if (probability < MIN_GAIN * wordCount(passage.plain)) continue;
    if (picked.includes(passage) || isRepeated(passage, picked, shown)) continue;
    if (isOtherRow(passage, [...shown, ...picked], part)) continue;
    const context = whole ?? withContext(passage, ranking);
    const needed = context.filter((one) => !picked.includes(one) && !shown.includes(one));
    // A question says nothing without its answer.
    if (
      isQuestion(needed.at(-1)?.plain ?? "?") ||
      (isBeside && !needed.every(isBrief)) ||
      (isRelated && needed.some(({ isLine }) => isLine))
    )
      continue;
    const words = wordsOf(picked);
    const isFirst = words === 0 && !isBeside;
    if (words + wordsOf(needed) <= (isFirst ? MAX_WORDS_OF_LIST : space.words)) picked.push(...needed);
    else if (isFirst) picked.push(passage);
    else continue;
    best ??= probability;
    units++;
  }
  return picked;
}

/** Whether a passage can be shown beside an answer: no long code and no bare link. */
const isBrief = ({ kind, shown, plain }: IndexedPassage) =>
  kind === "code"
    ? shown.split("\n").length <= MAX_LINES_OF_CODE
    : wordCount(plain.replace(/\S*:\/\/\S*/g, "")) > 2 && !/^\[[^\]]*\]\([^)]*\)$/.test(shown);

/**
 * Whether a quoted row of the same table contains words of the question, or those that `it` refers to, that this one
 * does not.
 */
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
 * A passage with the one before it if it is not understood without that or replies to it in a chat, a question with the
 * next sentence, and an item with those in it.
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
