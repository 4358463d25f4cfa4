// Has the best passages of each part of a question read together with that part, and ranks them anew with what that tells.

import { MIN_READABLE_SHARE, readableShare } from "../embedding/calibration.ts";
import { plainText } from "../markdown/inline.ts";
import type { Reader, Reading } from "../reading/reader.ts";
import type { IndexedPassage } from "./features.ts";
import { scoreOf } from "./logistic.ts";
import { type Evidence, headingOf } from "./passages.ts";
import { type Models, type Ranked, type Ranking, withScores } from "./ranking.ts";

/** So many passages are read for each part of a question. */
const READ = 2;
/** Of a less probable passage, reading would tell hardly anything if better ones answer; the best one is always read. */
const MIN_PROBABILITY = 0.05;
/** If none of those answers the part, so many are read: the answer may use other words than the question and rank low. */
const READ_IF_NONE = 16;

/** Rankings in which the best passages of each part have been read, and further ones of parts that those do not answer. */
export async function readPassages(
  rankings: readonly Ranking[],
  evidence: readonly Evidence[],
  reader: Reader,
): Promise<Ranking[]> {
  const means = { evidence, reader };
  const read = await readThose(
    rankings,
    means,
    (_, { probability }, i) => i === 0 || (i < READ && probability >= MIN_PROBABILITY),
  );
  const isAnswered = ({ ranked }: Ranking) => ranked.some(({ answers = 0 }) => answers > 0);
  return readThose(read, means, (ranking, _, i) => i < READ_IF_NONE && !isAnswered(ranking));
}

/** Chooses passages; `i` is the rank, 0 for the best one. */
type Choose = (ranking: Ranking, one: Ranked, i: number) => boolean;

/** Rankings in which the chosen passages have been read too. */
async function readThose(
  rankings: readonly Ranking[],
  { evidence, reader }: { evidence: readonly Evidence[]; reader: Reader },
  isChosen: Choose,
): Promise<Ranking[]> {
  const isRead = rankings.map((ranking) =>
    ranking.ranked.map(
      (one, i) =>
        one.answers === undefined &&
        isChosen(ranking, one, i) &&
        isReadable(`${ranking.part.search} ${one.passage.plain}`),
    ),
  );
  const scores = await reader.score(
    rankings.flatMap(({ part, ranked }, n) =>
      ranked
        .filter((_, i) => isRead[n]![i])
        .map(
          ({ passage }): Reading => ({
            // The text to search for may contain the questions before, and a passage that answers one of those is no answer.
            question: rankings.length === 1 ? part.search : part.text,
            context: contextOf(passage, evidence[passage.chunk]!),
            passage: passage.plain,
          }),
        ),
    ),
  );
  const left = scores.values();
  return rankings.map((ranking, n) => ({
    ...ranking,
    ranked: ranking.ranked.map((one, i) => (isRead[n]![i] ? { ...one, answers: left.next().value } : one)),
  }));
}

/** The scripts that the reading model was trained on. */
const READABLE = { points: [], scripts: ["Latin"] };
const isReadable = (text: string) => readableShare(text, READABLE) >= MIN_READABLE_SHARE;

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
function contextOf({ lead, antecedent }: IndexedPassage, { title, path }: Evidence): string {
  const heading = headingOf([...new Set([title, ...path])].join(" — "));
  return [heading === "" ? "" : `${heading}:`, plainText(lead), antecedent]
    .filter((text) => text !== "")
    .join(" ");
}
