// Has the best passages of each part of a question read together with that part, and ranks them anew with what that tells.

import { MIN_READABLE_SHARE, readableShare } from "../embedding/calibration.ts";
import { plainText } from "../markdown/inline.ts";
import type { Reader, Reading } from "../reading/reader.ts";
import type { IndexedPassage } from "./features.ts";
import { scoreOf } from "./logistic.ts";
import { type Evidence, headingOf } from "./passages.ts";
import { type Models, type Ranking, withScores } from "./ranking.ts";

/** So many passages are read for a question of one part; a fourth and a fifth one would tell hardly more. */
const READ = 3;
/** Of each of several parts. */
const READ_OF_PART = 2;
/** Of a less probable passage, reading would tell nothing; the best one is always read. */
const MIN_PROBABILITY = 0.05;

/** Rankings in which the best passages of each part have been read. */
export async function readBest(
  rankings: readonly Ranking[],
  evidence: readonly Evidence[],
  reader: Reader,
): Promise<Ranking[]> {
  const size = rankings.length === 1 ? READ : READ_OF_PART;
  const isRead = rankings.map(({ part, ranked }) =>
    ranked.map(
      ({ passage, probability }, i) =>
        i < size &&
        (i === 0 || probability >= MIN_PROBABILITY) &&
        isReadable(`${part.search} ${passage.plain}`),
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
    return { ...ranking, ranked: withScores(ranking.ranked, scores) };
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
