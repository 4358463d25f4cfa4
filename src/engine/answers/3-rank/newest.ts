// Of passages that state the same with other values, the current one first: below the newest version or date of a
// document, in the newest of several documents, and not in an archived one.

import { ageOf } from "../../text/document-dates.ts";
import { stemsOf } from "../../text/terms.ts";
import type { Evidence } from "../2-passages/passages.ts";
import type { IndexedPassage } from "./features.ts";
import { namedIn } from "./named.ts";
import type { Ranked, Ranking } from "./rank.ts";

/** The passages of a part that are compared. */
const MAX_COMPARED = 16;
/** Of the words of the shorter statement, without values. */
const MIN_SAME_WORDS = 0.6;

/** Rankings in which the current one of several alike statements has the place of the best one. */
export function currentFirst(rankings: readonly Ranking[], evidence: readonly Evidence[]): Ranking[] {
  return rankings.map((ranking) =>
    // A question may name the version or the year itself.
    namedIn(ranking.part.text).length > 0
      ? ranking
      : { ...ranking, ranked: reordered(ranking.ranked, evidence) },
  );
}

function reordered(ranked: readonly Ranked[], evidence: readonly Evidence[]): Ranked[] {
  const result = [...ranked];
  const places = result.slice(0, MAX_COMPARED).map((one) => ({ one, words: wordsOf(one.passage) }));
  const isPlaced = new Set<number>();
  for (const [i, { words }] of places.entries()) {
    if (isPlaced.has(i)) continue;
    const alike = places.flatMap((other, j) => (!isPlaced.has(j) && areAlike(words, other.words) ? [j] : []));
    for (const j of alike) isPlaced.add(j);
    const sorted = alike
      .map((j) => places[j]!.one)
      .sort((a, b) => compareAge(evidence[a.passage.chunk]!, evidence[b.passage.chunk]!));
    for (const [n, j] of alike.entries()) {
      const { score, probability, answers } = ranked[j]!;
      result[j] = { ...sorted[n]!, score, probability, answers };
    }
  }
  return result;
}

/** Negative if `a` is current and `b` is not; 0 if neither says more than the other. */
function compareAge(a: Evidence, b: Evidence): number {
  if (a.isArchived !== b.isArchived) return a.isArchived ? 1 : -1;
  if (a.documentId === b.documentId) {
    const [versionA, versionB] = [versionOf(a), versionOf(b)];
    if (versionA && versionB) return compareVersions(versionB, versionA);
  }
  const [ageA, ageB] = a.documentId === b.documentId ? [headingAge(a), headingAge(b)] : [ageOf(a), ageOf(b)];
  return ageA === undefined || ageB === undefined ? 0 : ageB - ageA;
}

const headingAge = ({ heading }: Evidence) =>
  heading && ageOf({ title: heading.text, path: [], opening: "" });

/** The numbers of the version that the heading above begins with. */
export function versionOf({ heading }: Evidence): number[] | undefined {
  const version = /^\W*(?:v|version|release)?[ .]?(\d+(?:\.\d+)+)/i.exec(heading?.text ?? "")?.[1];
  return version?.split(".").map(Number);
}

/** Positive if `a` is newer than `b`. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The stems of a statement without its values. */
function wordsOf({ kind, plain, values }: IndexedPassage): ReadonlySet<string> {
  if (kind === "heading" || kind === "title") return new Set();
  let rest = plain;
  for (const { start, end } of values())
    rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  return stemsOf(rest);
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const same = a.intersection(b).size;
  return same >= 2 && same >= MIN_SAME_WORDS * Math.min(a.size, b.size);
}
