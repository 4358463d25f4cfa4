// Has the best passages of each part of a question, or their paragraphs, read with that part, and ranks passages anew by that.

import { MIN_READABLE_SHARE, readableShare } from "../embedding/calibration.ts";
import { plainText } from "../markdown/inline.ts";
import type { Reader, Reading } from "../reading/reader.ts";
import type { IndexedPassage } from "./features.ts";
import { scoreOf } from "./logistic.ts";
import { type Evidence, headingOf } from "./passages.ts";
import { answersOfPassages, type Models, type Ranked, type Ranking, withScores } from "./ranking.ts";

/** So many passages are read for each part of a question. */
const READ = 2;
/** Of a less probable passage, reading would tell hardly anything if better ones answer; the best one is always read. */
const MIN_PROBABILITY = 0.05;
/** If none of those answers the part, so many are read: the answer may use other words than the question and rank low. */
const READ_IF_NONE = 16;
/** If the passages leave undecided whether a part is answered, so many of their paragraphs are read. */
const PARAGRAPHS = 2;
/** Log-odds from which on a part is decided; the negative if it is not answered. */
const DECIDED = 4;

/** What is read, and what reads it. */
interface Means {
  evidence: readonly Evidence[];
  reader: Reader;
}

/** Rankings in which the best passages of each part have been read, and further ones of parts that those do not answer. */
export async function readPassages(rankings: readonly Ranking[], means: Means): Promise<Ranking[]> {
  const read = await readThose(
    rankings,
    means,
    (_, { probability }, i) => i === 0 || (i < READ && probability >= MIN_PROBABILITY),
  );
  const isAnswered = ({ ranked }: Ranking) => ranked.some(({ answers = 0 }) => answers > 0);
  return readThose(read, means, (ranking, _, i) => i < READ_IF_NONE && !isAnswered(ranking));
}

/** Rankings in which the chosen passages have been read too; `i` is the rank, 0 for the best one. */
async function readThose(
  rankings: readonly Ranking[],
  { evidence, reader }: Means,
  isChosen: (ranking: Ranking, one: Ranked, i: number) => boolean,
): Promise<Ranking[]> {
  const chosen = rankings.map((ranking) =>
    ranking.ranked.filter((one, i) => one.answers === undefined && isChosen(ranking, one, i)),
  );
  const scores = await scoresOf(rankings, reader, (_, n) =>
    chosen[n]!.map(({ passage }) => ({
      context: contextOf(passage, evidence[passage.chunk]!),
      passage: passage.plain,
    })),
  );
  return rankings.map((ranking, n) => {
    const known = new Map(chosen[n]!.map((one, i) => [one, scores[n]![i]]));
    return {
      ...ranking,
      ranked: ranking.ranked.map((one) => ({ ...one, answers: one.answers ?? known.get(one) })),
    };
  });
}

/** Rankings in which paragraphs have been read for parts that the passages leave undecided: an answer may need two sentences. */
export async function readParagraphs(
  rankings: readonly Ranking[],
  { evidence, reader }: Means,
): Promise<Ranking[]> {
  const scores = await scoresOf(rankings, reader, (ranking) => {
    if (Math.abs(answersOfPassages(ranking)) >= DECIDED) return [];
    const read = ranking.ranked.filter(({ answers }) => answers !== undefined);
    const paragraphs = [...new Set(read.map(({ passage }) => evidence[passage.chunk]!))];
    return paragraphs
      .slice(0, PARAGRAPHS)
      .map((one) => ({ context: titleOf(one), passage: plainText(one.text).replace(/\s+/g, " ") }));
  });
  return rankings.map((ranking, n) => ({
    ...ranking,
    answersOfParagraphs: scores[n]!.filter((score) => score !== undefined),
  }));
}

/** The scores of what is to be read for each part; undefined for text that the model cannot read. */
async function scoresOf(
  rankings: readonly Ranking[],
  reader: Reader,
  toRead: (ranking: Ranking, n: number) => Omit<Reading, "question">[],
): Promise<(number | undefined)[][]> {
  const readings = rankings.map((ranking, n) => {
    // The text to search for may contain the questions before, and a passage that answers one of those is no answer.
    const question = rankings.length === 1 ? ranking.part.search : ranking.part.text;
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
 * What is known of each passage of a part after the best ones have been read. One that was not read counts as the worst that
 * was; if none was, all are undecided.
 */
export function readFeatures({ ranked }: Ranking): { before: number; answers: number }[] {
  const read = ranked.flatMap(({ answers }) => answers ?? []);
  const worst = read.length === 0 ? 0 : Math.min(...read);
  return ranked.map(({ score, answers = worst }) => ({ before: score / 10, answers: answers / 10 }));
}

/** What is needed to understand a passage: title and headings, what introduces it, and what it refers to. */
function contextOf({ lead, antecedent }: IndexedPassage, place: Evidence): string {
  return [titleOf(place), plainText(lead), antecedent].filter((text) => text !== "").join(" ");
}

/** Title and headings, as they are read before a text. */
function titleOf({ title, path }: Evidence): string {
  const heading = headingOf([...new Set([title, ...path])].join(" — "));
  return heading === "" ? "" : `${heading}:`;
}
