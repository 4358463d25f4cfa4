// Step 6: passages of two documents that answer the same question with different values of one sort. The probability
// that a pair is a conflict comes from a few general features.

import { probabilityOf } from "../../kernel/logistic.ts";
import { lengthOfByline } from "../markdown/entries.ts";
import { ageOf } from "../text/document-dates.ts";
import { shareOf } from "../text/match.ts";
import { stem, stemsOf, type Term, termsOf } from "../text/terms.ts";
import { canBeEqual, type Value } from "../text/values.ts";
import type { Evidence } from "./2-passages/passages.ts";
import type { IndexedPassage } from "./3-rank/features.ts";
import type { Decided } from "./3-rank/answered.ts";
import type { Models, Ranked, Ranking } from "./3-rank/rank.ts";

export interface Conflict {
  /** Index of the part that they answer. */
  part: number;
  a: IndexedPassage;
  b: IndexedPassage;
  /** The values in which they disagree, as written: `45 euros` and `38 euros`. */
  says: [string, string];
  /** The one whose document is newer, if the documents say; of a pair, the one that replaces the value of the other. */
  newer: "a" | "b" | undefined;
}

/** A pair that may be a conflict. */
interface ConflictPair extends Conflict {
  features: Record<string, number>;
}

/** Number of top passages of a part that are compared pairwise. */
const MAX_COMPARED = 10;
const MAX_CONFLICTS = 3;
/** Values of one attribute are rarely further apart: `ten minutes` is no other answer than `180 days`. */
const MAX_RATIO = 20;

/**
 * The most probable conflict of each answered part: a further one of the same part is hardly ever real (1 of 13 in the
 * sets).
 */
export function findConflicts(
  rankings: readonly Decided[],
  evidence: readonly Evidence[],
  { conflict: weights, thresholds }: Pick<Models, "conflict" | "thresholds">,
): Conflict[] {
  const pairs = rankings
    .filter(({ isAnswered }) => isAnswered)
    .flatMap((ranking) => conflictPairs(ranking, evidence))
    .map((pair) => ({ pair, probability: probabilityOf(weights, pair.features) }))
    .filter(({ probability }) => probability >= thresholds.conflict)
    .sort((x, y) => y.probability - x.probability);
  const conflicts: Conflict[] = [];
  for (const { pair } of pairs) {
    const isKnown = ({ part, a, b }: Conflict) =>
      part === pair.part || [a, b].every(({ chunk }) => chunk === pair.a.chunk || chunk === pair.b.chunk);
    if (!conflicts.some(isKnown)) conflicts.push({ ...pair, newer: pair.newer ?? newerOf(pair, evidence) });
  }
  return conflicts.slice(0, MAX_CONFLICTS);
}

/** The passage whose document states the later date; undefined if one of them states none. */
function newerOf({ a, b }: Conflict, evidence: readonly Evidence[]): "a" | "b" | undefined {
  const [ageA = Number.NaN, ageB = Number.NaN] = [ageOf(evidence[a.chunk]!), ageOf(evidence[b.chunk]!)];
  return ageA > ageB ? "a" : ageA < ageB ? "b" : undefined;
}

/** What a passage states: its values without those that it says were replaced, and these. */
interface Claim extends Ranked {
  values: readonly Value[];
  replaced: readonly Value[];
}

function claimOf(ranked: Ranked): Claim {
  const { plain, values } = ranked.passage;
  // When something was written is no answer.
  const own = values().filter(({ start }) => start >= lengthOfByline(plain));
  const replaced = own.filter((value) => isReplaced(plain, value));
  return {
    ...ranked,
    replaced,
    values: own.filter((value) => !replaced.some((old) => canBeEqual(old, value))),
  };
}

/** All pairs of the best passages of a part that state different values of the sort that the part asks for. */
export function conflictPairs(ranking: Ranking, evidence: readonly Evidence[]): ConflictPair[] {
  const sorts = ranking.part.type.values;
  if (!sorts) return [];
  const claims = ranking.ranked
    .slice(0, MAX_COMPARED)
    .filter(({ passage }) => passage.kind !== "code" && !evidence[passage.chunk]!.isArchived)
    .map(claimOf);
  const documentOf = ({ passage }: Claim) => evidence[passage.chunk]!.documentId;
  // Within one document, a rule and its exception are far more frequent than a contradiction.
  return claims.flatMap((first, i) =>
    claims
      .slice(i + 1)
      .filter((second) => documentOf(first) !== documentOf(second))
      .flatMap((second) => pairOf(ranking, first, second) ?? []),
  );
}

function pairOf({ part, index, rarity }: Ranking, first: Claim, second: Claim): ConflictPair | undefined {
  const [a, b] = [first.passage, second.passage];
  const asked = new Set(part.terms.map((term) => term.stem));
  if (!isAboutKey(a, b, asked) || !isAboutKey(b, a, asked)) return undefined;
  const difference = differenceOf(first, second, part.type.values!);
  if (!difference || areOfOtherYears(a.values(), b.values(), difference)) return undefined;
  const [x, y] = difference;
  if (areOfOtherThings([a, x], [b, y])) return undefined;
  // Whoever says `5:30 instead of 6:00` contradicts the one who says 6:00, in whatever words.
  const replaces = ({ replaced }: Claim, old: Value) => replaced.some((value) => canBeEqual(value, old));
  const [isNewerA, isNewerB] = [replaces(first, y), replaces(second, x)];
  const terms = part.terms.map((term) => {
    const shares = [a, b].map(({ wordsInContext }) => shareOf(term, wordsInContext));
    const weight = term.weight * (rarity.get(term.stem) ?? 1);
    return { both: weight * Math.min(...shares), one: weight * Math.max(...shares) };
  });
  const sum = (of: "both" | "one") => terms.reduce((total, term) => total + term[of], 0);
  // A probability may be 0 or 1.
  const logit = (p: number) => Math.min(6, Math.max(-6, Math.log(p / (1 - p)))) / 6;
  const lower = (of: (one: Ranked) => number) => Math.min(of(first), of(second));
  const textOf = ({ plain }: IndexedPassage, { start, end }: Value) => plain.slice(start, end).trim();
  return {
    part: index,
    a,
    b,
    says: [textOf(a, x), textOf(b, y)],
    newer: isNewerA ? "a" : isNewerB ? "b" : undefined,
    features: {
      best: logit(Math.max(first.probability, second.probability)),
      worst: logit(lower(({ probability }) => probability)),
      // A question that the documents do not answer has no conflicting answers.
      cosine: lower(({ features }) => features.chunkCosine),
      score: lower(({ score }) => score) / 10,
      askedByBoth: sum("both") / (sum("one") || 1),
      closeness: x.amount > 0 && y.amount > 0 ? 1 / ratioOf(x, y) : 0.5,
      isReplacing: isNewerA || isNewerB ? 1 : 0,
      manyValues: Math.min(1, Math.max(a.values().length, b.values().length) / 5),
    },
  };
}

const ratioOf = ({ amount: x }: Value, { amount: y }: Value) => Math.max(x, y) / Math.min(x, y);

/**
 * Two values of one sort that the passages state instead of each other; undefined if they share a value of that sort.
 */
function differenceOf(a: Claim, b: Claim, sorts: readonly string[]): [Value, Value] | undefined {
  for (const sort of new Set(a.values.map((value) => value.sort)).intersection(new Set(sorts))) {
    const [ofA, ofB] = [a, b].map((claim) => claim.values.filter((value) => value.sort === sort)) as [
      Value[],
      Value[],
    ];
    if (ofA.some((x) => ofB.some((y) => canBeEqual(x, y)))) continue;
    for (const x of ofA.filter((value) => isStatement(a.passage, value))) {
      const y = ofB.find(
        (value) => isStatement(b.passage, value) && areComparable([a.passage, x], [b.passage, value]),
      );
      if (y) return [x, y];
    }
  }
  return undefined;
}

type PassageValue = readonly [IndexedPassage, Value];

/** Whether two values of a sort are for the same, not far apart, and count the same. */
function areComparable([a, x]: PassageValue, [b, y]: PassageValue): boolean {
  if (x.sort === "code" || (x.per !== "" && y.per !== "" && x.per !== y.per)) return false;
  if (x.sort !== "number") return !(x.amount > 0 && y.amount > 0 && ratioOf(x, y) > MAX_RATIO);
  const nouns = [nounsOf(a, x), nounsOf(b, y)] as const;
  return !nouns[0].isDisjointFrom(nouns[1]);
}

/** What a bare number counts: the noun after it, in a row the header of its cell. */
const nounsOf = ({ kind, plain }: IndexedPassage, { noun, start }: Value): ReadonlySet<string> =>
  noun !== "" || kind !== "row"
    ? new Set(noun === "" ? [] : [stem(noun)])
    : stemsOf(/([^;:]+): [^;]*$/.exec(plain.slice(0, start))?.[1] ?? "");

/** Not `2.3 The landlord …`, `a year`, or the header of a cell such as `Price 2026`. */
const isStatement = ({ kind, plain }: IndexedPassage, { sort, noun, start, end }: Value) =>
  !(start === 0 && (sort === "number" || sort === "version") && noun === "") &&
  !/^an? /i.test(plain.slice(start, end)) &&
  !(kind === "row" && /^[^;:]*: /.test(plain.slice(end)) && !/: [^;]*$/.test(plain.slice(0, start)));

/** Whether what the first cell of a row names is asked for, or is what the other passage is about. */
function isAboutKey({ kind, cells }: IndexedPassage, other: IndexedPassage, asked: ReadonlySet<string>) {
  if (kind !== "row") return true;
  // The number or code of a row may be in front of its name.
  const name = cells?.find(({ value }, i) => i > 0 || !/^\w*\d\w*$/.test(value.trim()))?.value ?? "";
  const key = termsOf(name.replace(/\(.*?\)/g, " "));
  const known = key.filter((term) => asked.has(term.stem) || shareOf(term, other.wordsInContext) > 0);
  return known.length * 2 >= key.length && key.every((term) => !term.isExact || known.includes(term));
}

/**
 * Whether the values of both statements contain years, besides those compared, and none is the same: what was may
 * differ.
 */
function areOfOtherYears(a: readonly Value[], b: readonly Value[], [x, y]: readonly [Value, Value]): boolean {
  const yearsOf = (values: readonly Value[], compared: Value) =>
    new Set(
      values
        .filter((value) => value !== compared && (value.sort === "year" || value.sort === "date"))
        .map(({ key }) => key.split(" ").at(-1)!)
        .filter((year) => year !== ""),
    );
  const [ofA, ofB] = [yearsOf(a, x), yearsOf(b, y)];
  return ofA.size > 0 && ofB.size > 0 && ofA.isDisjointFrom(ofB);
}

/**
 * Whether two statements, without the values compared, differ in one word each: `a ticket for an adult` and `for a
 * child`, the `Orca 2` and the `Orca 3`.
 */
function areOfOtherThings([a, x]: PassageValue, [b, y]: PassageValue): boolean {
  const wordsOf = ({ plain }: IndexedPassage, { start, end }: Value) =>
    termsOf(`${plain.slice(0, start)} ${plain.slice(end)}`);
  const [ofA, ofB] = [wordsOf(a, x), wordsOf(b, y)];
  const onlyIn = (own: readonly Term[], other: IndexedPassage) =>
    own.filter((term) => shareOf(term, other.wordsInContext) === 0);
  const [onlyA, onlyB] = [onlyIn(ofA, b), onlyIn(ofB, a)];
  return onlyA.length === 1 && onlyB.length === 1 && ofA.length > 2 && ofB.length > 2;
}

const BEFORE =
  /\b(?:instead of|rather than|replac(?:es|ed|ing)|previously|formerly|used to be|no longer|not|up from|down from|(?<=[(,] ?)(?:it )?was)(?: (?:the|old|former|previous|about|only|from|at|until|by|on)){0,3}\s*$/i;
const CHANGED_FROM =
  /\b(?:rais\w+|increas\w+|lower(?:s|ed|ing)|reduc\w+|decreas\w+|cut|chang\w+|mov(?:es|ed)|ros(?:e|en)|fell|drop\w*|extend\w+|shorten\w+)\b[^.;]* from\s*$/i;
const AFTER = /^\s*(?:before|until now|so far|previously|earlier|in the past)\s*(?:[.,;)]|$)/i;

/**
 * Whether a text says of a value in it that it was replaced: `45 euros instead of 40 euros`, `raised from 40 to 45
 * euros`.
 */
function isReplaced(text: string, { start, end }: Pick<Value, "start" | "end">): boolean {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  return (
    BEFORE.test(before) || AFTER.test(after) || (CHANGED_FROM.test(before) && /^[^.;]*? to\b/.test(after))
  );
}
