// Ranks passages for each part of a question by the probability that they answer it, and knows how probable it is that
// the documents answer the part at all. It selects nothing.

import { logSumExp, scoreOf, sharesOf, type Weights } from "../../../kernel/logistic.ts";
import { remember } from "../../../kernel/remember.ts";
import { wordCount } from "../../../kernel/text.ts";
import { isQuestion } from "../../markdown/entries.ts";
import { rarityOf, shareOf } from "../../text/match.ts";
import { stem, stemsOf } from "../../text/terms.ts";
import {
  type Features,
  featuresOfAll,
  type IndexedPassage,
  indexedPassages,
  type WeighedPart,
} from "./features.ts";
import { type Evidence, TITLE_SAYS } from "../2-passages/passages.ts";
import type { SearchedPart } from "../1-question/question.ts";

/** A passage with its probability for one part. */
export interface Ranked {
  passage: IndexedPassage;
  features: Features;
  /** Comparable between questions; see Models. */
  score: number;
  /** That it is the answer, if one of them is: all of a part add up to 1. */
  probability: number;
  /** What the reading model says if it has read it: log-odds that it answers. */
  answers?: number | undefined;
}

/** A name that is in at least this part of the texts near a question says nothing against a passage without it. */
const MIN_COMMON = 0.5;
/** Of fewer texts, that is chance. */
const MIN_NEAR = 4;

/** A part with all passages, best first. */
export interface Ranking extends WeighedPart {
  ranked: Ranked[];
  /** What the reading model says of the passage that was the best one before reading. */
  answersOfFirst?: number | undefined;
}

/** The models; `bun scripts/lab/fit.ts` fits them. */
export interface Models {
  /** A passage answers a part. */
  passage: Weights;
  /** The same when the best passages have been read; see readFeatures. */
  read: Weights;
  /** The documents answer a part. */
  answered: Weights;
  /** Two passages contradict each other. */
  conflict: Weights;
  /** Minimum probabilities of the levels, and of a conflict. */
  thresholds: { likely: number; related: number; conflict: number };
}

/** What a question is answered from. */
export interface Input {
  parts: readonly SearchedPart[];
  evidence: readonly Evidence[];
  /** Texts near the question, evidence or not. */
  near: readonly string[];
}

/** A part with what is known of each passage. */
export interface PreparedPart extends WeighedPart {
  passages: readonly { passage: IndexedPassage; features: Features }[];
}

/** Texts near one question are near the next one, too. */
const stemsOfText = remember(stemsOf, {
  keyOf: (text: string) => text,
  sizeOf: (stems) => stems.size,
  maxSize: 30_000,
});

/** Everything that can be known of the passages without the models. */
export function prepare({ parts, evidence, near }: Input): PreparedPart[] {
  const passages = indexedPassages(evidence);
  const nearStems = near.map(stemsOfText);
  return parts.map((part, index) => {
    const stems = part.terms.map(({ stem }) => stem);
    const weighed = { part, index, rarity: rarityOf(stems, nearStems), toRead: toRead(part, nearStems) };
    const mayAnswer = passages.filter((passage) => passage.kind !== "title" || titleMayAnswer(part, passage));
    const all = featuresOfAll(weighed, mayAnswer, evidence);
    return { ...weighed, passages: mayAnswer.map((passage, i) => ({ passage, features: all[i]! })) };
  });
}

/** `in Vellum` at the end of a question. */
const IN_NAME = /\s+(?:in|on|with|using|at|of|for) (?:the )?(\p{Lu}[\p{L}\p{N}]*)(?=\W*$)/u;

/** What the reading model is asked: without a name at the end that nearly all texts near the question contain. */
function toRead(part: SearchedPart, near: readonly ReadonlySet<string>[]): WeighedPart["toRead"] {
  const shorter = (text: string) => {
    const name = IN_NAME.exec(text)?.[1];
    if (name === undefined || near.length < MIN_NEAR) return text;
    const wanted = stem(name);
    const containing = near.filter((stems) => stems.has(wanted)).length;
    return containing >= MIN_COMMON * near.length ? text.replace(IN_NAME, "") : text;
  };
  return { text: shorter(part.text), search: shorter(part.search) };
}

/**
 * Whether a title may answer a part: it contains the words of the part, and what it says after the name of its thing is
 * of a sort that the part asks for, if it asks for one.
 */
function titleMayAnswer({ type, terms }: SearchedPart, { plain, words, values }: IndexedPassage): boolean {
  const telling = terms.filter(({ weight }) => weight >= 0.5);
  return (
    telling.length > 0 &&
    telling.every((term) => shareOf(term, words) > 0) &&
    (type.values === undefined ||
      values().some(({ sort, start }) => start > plain.search(TITLE_SAYS) && type.values!.includes(sort)))
  );
}

/** Ranks the passages of every part. */
export function rank(
  parts: readonly PreparedPart[],
  { passage: weights }: Pick<Models, "passage">,
): Ranking[] {
  return parts.map(({ passages, ...weighed }) => {
    const scores = passages.map(({ features }) => scoreOf(weights, features));
    return { ...weighed, ranked: withScores(passages, scores) };
  });
}

/** Passages with these scores and what follows from them, best first. */
export function withScores<One extends Pick<Ranked, "passage" | "features">>(
  passages: readonly One[],
  scores: readonly number[],
): (One & Pick<Ranked, "score" | "probability">)[] {
  const shares = sharesOf(scores);
  return passages
    .map((one, i) => ({ ...one, score: scores[i]!, probability: shares[i]! }))
    .sort(byProbability);
}

type Placed = Pick<Ranked, "passage" | "probability">;
const byProbability = (a: Placed, b: Placed) =>
  b.probability - a.probability ||
  a.passage.chunk - b.passage.chunk ||
  a.passage.position - b.passage.position;

/** What is quoted as one: a passage, or a list. */
export interface Unit extends Ranked {
  /** The items or the code; `passage` is one of them or the sentence that introduces them. */
  whole?: readonly IndexedPassage[];
}

/** `List all suppliers`, also of a table. */
const ASKS_ALL = /^(?:list|name|show)\b|\b(?:all|every) (?:the |our )?\p{L}+s\b/iu;
/** Of a longer list, the most probable items are quoted. */
export const MAX_WORDS_OF_LIST = 170;
/** The same where no list is asked for and only its introduction is picked. */
export const MAX_WORDS_INTRODUCED = 60;

/**
 * What can be quoted for a part, best first. Where a list is asked for, its items and the sentence that introduces it
 * are one unit with their probabilities together; otherwise the sentence alone is the unit.
 */
export function unitsOf({ part, ranked }: Ranking): Unit[] {
  const passages = ranked.map(({ passage }) => passage);
  const tasks = part.state === undefined ? undefined : tasksOf(passages, part.state);
  const inLists = passages.filter((passage) =>
    passage.kind === "item"
      ? !tasks?.size || tasks.has(passage)
      : passage.kind === "code"
        ? passage.lead !== ""
        : passage.kind === "row" && ASKS_ALL.test(part.text),
  );
  const asksForList = part.type.form !== undefined || part.state !== undefined;
  const maxWords = asksForList ? MAX_WORDS_OF_LIST : MAX_WORDS_INTRODUCED;
  const lists = [...Map.groupBy(inLists, ({ chunk, lead }) => `${chunk} ${lead}`).values()].map((all) => {
    let words = 0;
    const whole = all.filter(({ plain }, i) => {
      words += wordCount(plain);
      return words <= maxWords || i === 0;
    });
    return { all, first: all[0]!, whole: whole.sort((a, b) => a.position - b.position) };
  });
  const listOf = new Map(asksForList ? lists.flatMap((list) => list.all.map((one) => [one, list])) : []);
  const byLead = Map.groupBy(lists, ({ first }) => first.lead);
  const introducedBy = ({ kind, shown, chunk }: IndexedPassage) => {
    const introduced = kind === "sentence" ? (byLead.get(shown) ?? []) : [];
    return introduced.find(({ first }) => first.chunk === chunk) ?? introduced[0];
  };
  // A question and the first sentence after it.
  const answerTo = ({ kind, shown }: IndexedPassage) =>
    kind === "sentence" && isQuestion(shown)
      ? passages
          .filter((one) => one.kind === "sentence" && one.lead === shown)
          .sort((a, b) => a.chunk - b.chunk || a.position - b.position)[0]
      : undefined;
  const groups = Map.groupBy(
    ranked,
    ({ passage }) => listOf.get(passage) ?? introducedBy(passage) ?? answerTo(passage) ?? passage,
  );
  return [...groups]
    .map(([unit, group]) => ({
      ...(group.find(({ passage }) => passage === unit) ?? group[0]!),
      probability: group.reduce((sum, { probability }) => sum + probability, 0),
      ...("whole" in unit && { whole: unit.whole }),
    }))
    .sort(byProbability);
}

/** The tasks with a mark, and all items in them. */
export function tasksOf(
  passages: readonly IndexedPassage[],
  state: NonNullable<IndexedPassage["task"]>,
): Set<IndexedPassage> {
  const tasks = new Set<IndexedPassage>();
  let depthOfTask = Number.POSITIVE_INFINITY;
  let chunk: number | undefined;
  for (const passage of passages.toSorted((a, b) => a.chunk - b.chunk || a.position - b.position)) {
    const { kind, task, depth = 0 } = passage;
    const isInside = kind === "item" && passage.chunk === chunk && depth > depthOfTask;
    if (!isInside) depthOfTask = task === state ? depth : Number.POSITIVE_INFINITY;
    chunk = passage.chunk;
    if (isInside || task === state) tasks.add(passage);
  }
  return tasks;
}

/** What is known about whether the documents answer a part, as numbers from about 0 to 1. */
export function answerFeatures(ranking: Ranking) {
  const { ranked, answersOfFirst = 0 } = ranking;
  const cosine = ranked[0]?.features.chunkCosine ?? 0;
  const expected = (name: keyof Features) =>
    ranked.reduce((sum, { probability, features }) => sum + probability * features[name], 0);
  return {
    // How near the paragraph of the best passage is, alone and where passages also contain the words of the question.
    cosine,
    covered: cosine * expected("coverageInContext"),
    // The log-odds that one of the passages that were read answers the part.
    read: logSumExp(ranked.flatMap(({ answers }) => answers ?? [])) / 10,
    // Among many passages, one is more often taken for an answer by mistake than the best one is.
    readFirst: answersOfFirst / 10,
  };
}
