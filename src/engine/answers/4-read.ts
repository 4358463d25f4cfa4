// Scores the best passages of each part of a question with the cross-encoder and ranks them anew.

import { MIN_READABLE_SHARE, readableShare } from "../embedding/calibration.ts";
import { plainText } from "../markdown/inline.ts";
import { plain } from "../markdown/shown.ts";
import type { PassageReader, Reading } from "../inference/reader.ts";
import type { IndexedPassage } from "./3-rank/features.ts";
import { scoreOf } from "../../kernel/logistic.ts";
import type { Evidence } from "./2-passages/passages.ts";
import { type Models, type Ranking, withScores } from "./3-rank/rank.ts";

/**
 * If the best passage does not answer a part, this many are read: the answer may use other words than the question and
 * rank low.
 */
const READ_IF_NONE = 16;
/**
 * It does not if its log-odds are lower than this. Of first passages that are the answer, 0.95 have more, of others
 * half.
 */
const MAY_ANSWER = -2;

/** What is read, and what reads it. */
interface Means {
  evidence: readonly Evidence[];
  reader: PassageReader;
}

/** Rankings in which the best passage of each part has been read, and further ones of parts that it does not answer. */
export async function readPassages(rankings: readonly Ranking[], means: Means): Promise<Ranking[]> {
  const read = await readThose(rankings, means, (_, i) => i === 0);
  const isAnswered = ({ ranked }: Ranking) => (ranked[0]?.answers ?? MAY_ANSWER) > MAY_ANSWER;
  return readThose(read, means, (ranking, i) => i < READ_IF_NONE && !isAnswered(ranking));
}

/** Rankings in which the chosen passages have been read too; `i` is the rank, 0 for the best one. */
async function readThose(
  rankings: readonly Ranking[],
  { evidence, reader }: Means,
  isChosen: (ranking: Ranking, i: number) => boolean,
): Promise<Ranking[]> {
  const chosen = rankings.map((ranking) =>
    ranking.ranked.filter((one, i) => one.answers === undefined && isChosen(ranking, i)),
  );
  const scores = await scoresOf(rankings, reader, (_, n) =>
    chosen[n]!.map(({ passage }) => textOf(passage, evidence[passage.chunk]!)),
  );
  return rankings.map((ranking, n) => {
    const known = new Map(chosen[n]!.map((one, i) => [one, scores[n]![i]]));
    return {
      ...ranking,
      ranked: ranking.ranked.map((one) => ({ ...one, answers: one.answers ?? known.get(one) })),
    };
  });
}

/** The scores of what is to be read for each part; undefined for text that the model cannot read. */
async function scoresOf(
  rankings: readonly Ranking[],
  reader: PassageReader,
  toRead: (ranking: Ranking, n: number) => Text[],
): Promise<(number | undefined)[][]> {
  const readings = rankings.map((ranking, n) => {
    // The text to search for may contain the questions before, and a passage that answers one of those is no answer.
    const question = rankings.length === 1 ? ranking.toRead.search : ranking.toRead.text;
    return toRead(ranking, n).map((text): Reading => ({ question, ...text }));
  });
  const readable = new Set(readings.flat().filter(isReadable));
  const scores = (await reader.score([...readable])).values();
  return readings.map((ofPart) => ofPart.map((one) => (readable.has(one) ? scores.next().value : undefined)));
}

/** The scripts that the reading model was trained on. */
const READABLE = { points: [], scripts: ["Latin"] };
const isReadable = ({ question, passage }: Reading) =>
  readableShare(`${question} ${passage}`, READABLE) >= MIN_READABLE_SHARE;

/** Ranks passages anew with what was read. */
export function rankRead(rankings: readonly Ranking[], { read }: Pick<Models, "read">): Ranking[] {
  return rankings.map((ranking) => {
    const scores = readFeatures(ranking).map((features) => scoreOf(read, features));
    const answersOfFirst = ranking.ranked[0]?.answers;
    return { ...ranking, ranked: withScores(ranking.ranked, scores), answersOfFirst };
  });
}

/**
 * What is known of each passage of a part after the best ones have been read. One that was not read counts as the worst
 * that was; if none was, all are undecided.
 */
export function readFeatures({ ranked }: Ranking): { before: number; answers: number }[] {
  const read = ranked.flatMap(({ answers }) => answers ?? []);
  const worst = read.length === 0 ? 0 : Math.min(...read);
  return ranked.map(({ score, answers = worst }) => ({ before: score / 10, answers: answers / 10 }));
}

type Text = Omit<Reading, "question">;

/** A passage as it is read: behind title and headings, what introduces it, and what it refers to. */
export function textOf({ lead, antecedent, ...passage }: IndexedPassage, place: Evidence): Text {
  const context = [titleOf(place), plainText(lead), antecedent].filter((text) => text !== "").join(" ");
  return { context, passage: passage.plain };
}

/** Title and headings, as they are read before a text. */
export function titleOf({ title, path }: Evidence): string {
  const heading = plain([...new Set([title, ...path])].join(" — "));
  return heading === "" ? "" : `${heading}:`;
}
