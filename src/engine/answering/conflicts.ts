// Finds pairs of passages that answer the same part of a question differently: in a value, by negation, or by words of
// opposite meaning. The probability that a pair is a conflict comes from a few general features.

import type { IndexedPassage } from "./features.ts";
import { areFarApart, areOfOtherYears, closenessOf, isNamedBeside } from "../language/compare-values.ts";
import { ageOf } from "../language/document-dates.ts";
import { asksIdentity, PLACE_SORTS } from "../language/identities.ts";
import { probabilityOf } from "../../kernel/logistic.ts";
import { shareOf, wordSet } from "../language/match.ts";
import {
  asksObligation,
  isOpposite,
  isOppositeOfAsked,
  obligationOf,
  permissionOf,
} from "../language/negation.ts";
import type { Evidence } from "./passages.ts";
import type { QuestionPart } from "./question.ts";
import { answerFeatures, type Models, type Ranked, type Ranking } from "./ranking.ts";
import {
  areOfOtherCases,
  arePermissionsElsewhere,
  isOneLimited,
  isOneWithout,
} from "../language/restrictions.ts";
import { areAboutOthers, type Side, sideOf } from "./sides.ts";
import { stem, stemsOf, type Term, termsOf } from "../language/terms.ts";
import { areNumberedOtherwise, differentInPlace } from "../language/things.ts";
import { canBeEqual, type Value } from "../language/values.ts";
import { PART_OF_DAY_SORT, wordAnswersTo } from "../language/word-answers.ts";

export interface Conflict {
  /** Index of the part that they answer. */
  part: number;
  a: IndexedPassage;
  b: IndexedPassage;
  /** The values in which they disagree, as written: `45 euros` and `38 euros`; empty for a negation. */
  says: [string, string] | [];
  /** The one whose document is newer, if the documents tell; of a pair, the one that replaces the value of the other. */
  newer: "a" | "b" | undefined;
}

/** A pair that may be a conflict. */
export interface ConflictPair extends Conflict {
  features: Record<string, number>;
}

/** So many of the best passages of a part are compared with each other. */
const MAX_COMPARED = 10;
const MAX_CONFLICTS = 3;

/** The most probable conflict of each answered part: a further one of the same part is hardly ever real (1 of 13 in the sets). */
export function findConflicts(
  rankings: readonly Ranking[],
  evidence: readonly Evidence[],
  { conflict: weights, answered, thresholds }: Models,
): Conflict[] {
  const pairs = rankings
    .filter((ranking) => probabilityOf(answered, answerFeatures(ranking)) >= thresholds.likely)
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

/** Types of questions that ask for no sort of value, and whose answers can still contradict each other. */
const CAN_CONFLICT = new Set(["statement", "permission", "yes-no", "frequency", "list", "what-if"]);

/** Those that are answered by yes or no. */
const CAN_REVERSE = new Set(["statement", "permission", "yes-no"]);

/** All pairs of the best passages of a part that state different values or the opposite. */
export function conflictPairs(ranking: Ranking, evidence: readonly Evidence[]): ConflictPair[] {
  const { type, text } = ranking.part;
  const asksWord = asksIdentity(type.name, text) || wordAnswersTo(type.name, ranking.part) !== undefined;
  if (!CAN_CONFLICT.has(type.name) && !type.values && !asksWord) return [];
  const best = ranking.ranked
    .slice(0, MAX_COMPARED)
    .map((one) => ({ ...one, side: sideOf(one.passage, ranking.part, evidence[one.passage.chunk]!) }));
  const pairs: ConflictPair[] = [];
  for (const [i, first] of best.entries()) {
    for (const second of best.slice(i + 1)) {
      const [a, b] = [first.passage, second.passage];
      // Within one document, a rule and its exception are far more frequent than a contradiction.
      if (
        evidence[a.chunk]!.documentId === evidence[b.chunk]!.documentId ||
        a.kind === "code" ||
        b.kind === "code"
      )
        continue;
      const pair = pairOf(ranking, [first, second]);
      if (pair) pairs.push(pair);
    }
  }
  return pairs;
}

type ComparedPassage = Ranked & { side: Side };

function pairOf(
  { part, index, rarity }: Ranking,
  [first, second]: readonly [ComparedPassage, ComparedPassage],
): ConflictPair | undefined {
  const [a, b] = [first.passage, second.passage];
  const asked = new Set(part.terms.map(({ stem: word }) => word));
  if (!isAboutKey(a, b, asked) || !isAboutKey(b, a, asked)) return undefined;
  const [sideA, sideB] = [first.side, second.side];
  const difference = differenceOf(sideA, sideB, { expected: part.type.values, asked });
  const [ownA, ownB] = [sideA.subject, sideB.subject];
  const shared = ownA.intersection(ownB);
  const canReverse = CAN_REVERSE.has(part.type.name);
  // `may park after 17:00` and `may not park before 9:00` is one rule.
  const [permissionA, permissionB] = [permissionOf(a.plain), permissionOf(b.plain)];
  if (difference && canReverse && permissionA && permissionB && permissionA !== permissionB) return undefined;
  const isReversed =
    canReverse &&
    difference === undefined &&
    ((shared.size >= 3 && !asksObligation(part.text) && isOpposite(a, b, shared)) ||
      isOppositeOfAsked(a, b, stemsOf(part.text)) ||
      areYesAndNo(a, b, asked) ||
      isPermittedOtherwise(part, a, b) ||
      isRequiredOtherwise(part, a, b));
  if ((!difference && !isReversed) || areOfOtherYears(a.values(), b.values(), difference)) return undefined;
  const [x, y] = difference ?? [];
  // Whoever says `5:30 instead of 6:00` contradicts the one who says 6:00, in whatever words.
  const [isNewerA, isNewerB] = [replaces(sideA, y), replaces(sideB, x)];
  const isReplacing = isNewerA || isNewerB;
  const isInPlace = difference && a.kind !== "row" && differentInPlace(sideA.about, sideB.about).length > 0;
  if (!isReplacing && (isInPlace || areAboutOthers(part, sideA, sideB))) return undefined;
  const question = wordSet(part.search);
  const asksOften = part.type.name === "frequency";
  if (!isReplacing && areOfOtherCases(sideA, sideB, { words: question, asksOften })) return undefined;
  const isIdentity = difference?.some(({ sort }) => sort === "name" || sort.endsWith("place"));
  if (isIdentity && isOneLimited(sideA, sideB)) return undefined;
  const isElsewhere = () =>
    arePermissionsElsewhere(sideA, sideB, question) ||
    (!asksObligation(part.text) && isOneWithout(sideA, sideB));
  if (isReversed && isElsewhere()) return undefined;
  const [fullA, fullB] = [sideA, sideB].map(({ title, plain }) => `${title}\n${plain}`) as [string, string];
  if (areNumberedOtherwise(fullA, fullB, part.text)) return undefined;
  const terms = part.terms.map((term) => ({
    weight: term.weight * (rarity.get(term.stem) ?? 1),
    both: Math.min(shareOf(term, a.wordsInContext), shareOf(term, b.wordsInContext)),
    one: Math.max(shareOf(term, a.wordsInContext), shareOf(term, b.wordsInContext)),
  }));
  const sum = (of: (term: (typeof terms)[number]) => number) =>
    terms.reduce((total, term) => total + term.weight * of(term), 0);
  const logit = (p: number) => Math.max(-6, Math.log(p / (1 - p))) / 6;
  const lower = (of: (one: Ranked) => number) => Math.min(of(first), of(second));
  const says: Conflict["says"] = difference ? [textOf(a, difference[0]), textOf(b, difference[1])] : [];
  return {
    part: index,
    a,
    b,
    says,
    newer: isNewerA ? "a" : isNewerB ? "b" : undefined,
    features: {
      best: logit(Math.max(first.probability, second.probability)),
      worst: logit(Math.min(first.probability, second.probability)),
      // A question that the documents do not answer has no conflicting answers.
      cosine: lower(({ features }) => features.chunkCosine),
      score: lower(({ score }) => score) / 10,
      askedByBoth: sum(({ both }) => both) / (sum(({ one }) => one) || 1),
      closeness: difference ? closenessOf(...difference) : 0.5,
      isReplacing: isReplacing ? 1 : 0,
      manyValues: Math.min(1, Math.max(a.values().length, b.values().length) / 5),
    },
  };
}

/** Whether only one of two passages requires what is asked for. */
function isRequiredOtherwise({ text }: QuestionPart, a: IndexedPassage, b: IndexedPassage): boolean {
  const [ofA, ofB] = [obligationOf(a.plain), obligationOf(b.plain)];
  return asksObligation(text) && ofA !== undefined && ofB !== undefined && ofA !== ofB;
}

/** Whether only one of two passages allows what is asked for; `only pupils in Year 13 may` forbids it to those in Year 12. */
function isPermittedOtherwise({ terms }: QuestionPart, a: IndexedPassage, b: IndexedPassage): boolean {
  const isNamedIn = ({ words }: IndexedPassage, term: Term) => shareOf(term, words) > 0;
  const leavesOut = (one: IndexedPassage, other: IndexedPassage) =>
    /\bonly\b/i.test(one.plain) &&
    terms.some((term) => term.weight >= 1 && isNamedIn(other, term) && !isNamedIn(one, term));
  const [ofA, ofB] = [permissionOf(a.plain), permissionOf(b.plain)];
  if (!ofA || !ofB) return false;
  return ofA !== ofB || (ofA === "allows" && leavesOut(a, b) !== leavesOut(b, a));
}

/** Whether one of two passages says yes and the other one no: `Yes, we do`, or a cell whose header is asked for. */
function areYesAndNo(a: IndexedPassage, b: IndexedPassage, asked: ReadonlySet<string>): boolean {
  const wordOf = ({ plain, cells }: IndexedPassage) => {
    const cell = cells?.find(
      ({ header, value }) => YES_OR_NO.test(value) && !stemsOf(header).isDisjointFrom(asked),
    );
    return YES_OR_NO.exec(cell?.value ?? plain)?.[0].toLowerCase();
  };
  const [ofA, ofB] = [wordOf(a), wordOf(b)];
  return ofA !== undefined && ofB !== undefined && ofA !== ofB;
}
const YES_OR_NO = /^(?:yes|no)(?=$|[,.!;:]| –)/i;

/** Whether a passage says of a value that it was replaced. */
const replaces = ({ replaced }: Side, old: Value | undefined) =>
  old !== undefined && replaced.some((value) => canBeEqual(value, old));

const textOf = ({ plain }: IndexedPassage, { start, end }: Value) => plain.slice(start, end).trim();

type Text = Pick<IndexedPassage, "kind" | "plain">;

/** What a number in a table row states: the header of its cell. */
const headerOf = ({ kind, plain }: Text, { start }: Value) =>
  kind === "row" ? (/([^;:]+): [^;]*$/.exec(plain.slice(0, start))?.[1] ?? "") : "";

/** Whether what the first cell of a row names is asked for, or is what the other passage is about. */
function isAboutKey({ kind, cells }: IndexedPassage, other: IndexedPassage, asked: ReadonlySet<string>) {
  if (kind !== "row") return true;
  // The number or code of a row may be in front of its name.
  const name = cells?.find(({ value }, i) => i > 0 || !/^\w*\d\w*$/.test(value.trim()))?.value ?? "";
  const key = termsOf(name.replace(/\(.*?\)/g, " "));
  const known = key.filter((term) => asked.has(term.stem) || shareOf(term, other.wordsInContext) > 0);
  return known.length * 2 >= key.length && key.every((term) => !term.isExact || known.includes(term));
}

/** Whether two values can be compared: the same sort, or a bare number in a column that the other passage is about. */
function comparable([a, x]: PassageValue, [b, y]: PassageValue, asked: ReadonlySet<string>): boolean {
  const sortOf = ({ sort, key }: Value) => (sort === "version" && /^\d+$/.test(key) ? "number" : sort);
  if (x.per !== "" && y.per !== "" && x.per !== y.per) return false;
  const isBare = ({ kind }: Text, value: Value) => value.sort === "number" && kind === "row";
  if (!isBare(a, x) && !isBare(b, y)) {
    if (sortOf(x) !== sortOf(y) || x.sort === "code") return false;
    return (
      sortOf(x) !== "number" || (x.sort === y.sort ? x.noun !== "" && stem(x.noun) === stem(y.noun) : true)
    );
  }
  if (Number.isNaN(x.amount) || Number.isNaN(y.amount)) return false;
  const [headerA, headerB] = [stemsOf(headerOf(a, x)), stemsOf(headerOf(b, y))];
  if (isBare(a, x) && isBare(b, y)) return !headerA.isDisjointFrom(headerB);
  const [header, other] = isBare(a, x) ? [headerA, y] : [headerB, x];
  const isPrice =
    other.sort === "money" && ["price", "fee", "cost", "rate"].some((word) => header.has(stem(word)));
  return isPrice || !header.isDisjointFrom(asked);
}

const arePlaces = (...values: readonly Value[]) => values.every(({ sort }) => sort.endsWith("place"));
/** A place by its name or its number. */
const isPlace = ({ sort }: Value) => sort.endsWith("place") || PLACE_SORTS.has(sort);

type PassageValue = readonly [Text, Value];

/** Two values of one sort that only one of the passages states each. */
type Difference = readonly [Value, Value];

/** The first difference; one of a sort of which the passages also share a value only if there is no other. */
function differenceOf(
  a: Side,
  b: Side,
  { expected, asked }: { expected: readonly string[] | undefined; asked: ReadonlySet<string> },
): Difference | undefined {
  let shared: Difference | undefined;
  const isIn = (values: readonly Value[]) => (value: Value) => values.some((one) => canBeEqual(value, one));
  const inBoth = new Set(a.values.filter(isIn(b.values)));
  const sortsInBoth = new Set([...inBoth].map(({ sort }) => sort));
  const onlyB = b.values.filter((value) => !isIn(a.values)(value));
  // Those who name one place in common mean that one.
  const areAtOnePlace = [...inBoth].some(isPlace);
  for (const x of a.values.filter((value) => !inBoth.has(value))) {
    for (const y of onlyB) {
      const isExpected =
        expected === undefined ||
        [x, y].some(({ sort }) => expected.includes(sort) || sort === PART_OF_DAY_SORT);
      if (
        !isExpected ||
        areFarApart(x, y) ||
        (areAtOnePlace && isPlace(x) && isPlace(y)) ||
        isNoStatement(a, x) ||
        isNoStatement(b, y) ||
        isNamedBeside(x, b.plain, y) ||
        isNamedBeside(y, a.plain, x) ||
        !(comparable([a, x], [b, y], asked) || (arePlaces(x, y) && (replaces(a, y) || replaces(b, x))))
      )
        continue;
      if (!sortsInBoth.has(x.sort)) return [x, y];
      shared ??= [x, y];
    }
  }
  return shared;
}

/** `2.3 The landlord …`, `a year`, or the header of a cell such as `Price 2026` */
const isNoStatement = ({ kind, plain }: Text, { sort, noun, start, end }: Value) =>
  (start === 0 && (sort === "number" || sort === "version") && noun === "") ||
  /^an? /i.test(plain.slice(start, end)) ||
  (kind === "row" && /^[^;:]*: /.test(plain.slice(end)) && !/: [^;]*$/.test(plain.slice(0, start)));
