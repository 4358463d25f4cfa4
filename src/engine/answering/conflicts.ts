// Finds pairs of statements about the same thing that disagree: in a number, a date or a version, by negation, or by
// words of opposite meaning. Statements under different years, versions, products or sections do not disagree.

import { areOpposite, isDenied } from "./opposites.ts";
import { mayAnswer } from "./passing.ts";
import type { AnswerType, QuestionPart } from "./question.ts";
import { differByNature, rivalValues } from "./rival-values.ts";
import { type IndexedUnit, type Score, statesAskedAttribute, type WordLikeness } from "./score.ts";
import type { Answered, Ranking } from "./select.ts";
import { stem, termsOf } from "./terms.ts";
import type { Evidence } from "./units.ts";
import type { Value } from "./values.ts";

export interface Conflict {
  a: IndexedUnit;
  b: IndexedUnit;
  /** The values in which they disagree, as written: `45 euros` and `38 euros`; empty for a negation. */
  says: [string, string] | [];
}

/** Maximum score gap to the best statement. */
const MAX_SCORE_GAP = 0.45;
/** Minimum cosine of two statements about the same thing. */
const MIN_ALIKE = 0.5;
/** Minimum cosine of two statements that answer the same part. */
const MIN_ALIKE_AS_ANSWERS = 0.4;
/** Minimum share of the shorter statement's words, without values, that the other one has too. */
const SHARED_WITH_VALUES = 0.5;
const SHARED_WITH_DENIAL = 0.5;
/** Minimum likeness of two words that mean the same. */
const SAME_MEANING = 0.7;
const MAX_CONFLICTS = 5;

/** What statements are compared with. */
interface Comparison {
  evidence: readonly Evidence[];
  /** Cosine of two units. */
  alike: (a: IndexedUnit, b: IndexedUnit) => number;
  likeness: WordLikeness;
}

/** Conflicts that concern the question: between the answer to a part and another possible one in another chunk. */
export function findConflicts(
  answered: readonly Answered[],
  rankings: readonly Ranking[],
  comparison: Comparison,
): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const { part, score, units } of answered) {
    const { scores } = rankings.find((ranking) => ranking.part === part)!;
    for (const other of scores) {
      if (other.total < score.total - MAX_SCORE_GAP) break;
      if (conflicts.length >= MAX_CONFLICTS) return conflicts;
      if (other.unit.chunk === score.unit.chunk || !mayAnswer(part, other)) continue;
      for (const unit of units) {
        if (differByNature(unit, other.unit)) continue;
        const says =
          disagreement({ ...comparison, part }, unit, other.unit) ??
          (unit === score.unit && comparison.alike(unit, other.unit) >= MIN_ALIKE_AS_ANSWERS
            ? rivals({ ...comparison, part }, score, other)
            : undefined);
        if (!says) continue;
        const isKnown = conflicts.some(
          ({ a, b }) =>
            [a.chunk, b.chunk].includes(unit.chunk) && [a.chunk, b.chunk].includes(other.unit.chunk),
        );
        if (!isKnown) conflicts.push({ a: unit, b: other.unit, says });
        break;
      }
    }
  }
  return conflicts;
}

/** As in Comparison, for one part of the question. */
interface PartComparison extends Comparison {
  part: QuestionPart;
}

/** The values in which two answers to the same part differ, whatever their wording. */
function rivals({ part, evidence }: PartComparison, a: Score, b: Score): Conflict["says"] | undefined {
  const differing = rivalValues(part, a, b);
  if (!differing || !areComparable([a.unit, differing[0]], [b.unit, differing[1]])) return undefined;
  if (areAboutDifferentThings([a.unit, b.unit], evidence, differing[0].kind === "year")) return undefined;
  return [textOf(a.unit, differing[0]), textOf(b.unit, differing[1])];
}

function disagreement(
  { part, evidence, alike, likeness }: PartComparison,
  a: IndexedUnit,
  b: IndexedUnit,
): Conflict["says"] | undefined {
  if (a.kind === "code" || b.kind === "code" || alike(a, b) < MIN_ALIKE) return undefined;
  const differing = differingValues(part, a, b);
  const isYear = differing.length > 0 && differing.every(([{ kind }]) => kind === "year");
  if (areAboutDifferentThings([a, b], evidence, isYear)) return undefined;
  const [wordsA, wordsB] = [subjectOf(a), subjectOf(b)];
  const meets = (word: string, others: Set<string>) =>
    others.has(word) || [...others].some((other) => likeness(word, other) >= SAME_MEANING);
  const shared = [...wordsA].filter((word) => meets(word, wordsB));
  const share = shared.length / Math.max(1, Math.min(wordsA.size, wordsB.size));
  const [first] = differing;
  if (first) {
    if (share < SHARED_WITH_VALUES || shared.length < 2) return undefined;
    return [textOf(a, first[0]), textOf(b, first[1])];
  }
  if (share < SHARED_WITH_DENIAL || shared.length < 2) return undefined;
  for (const word of wordsA) {
    if (wordsB.has(word)) continue;
    for (const other of wordsB)
      if (!wordsA.has(other) && areOpposite(word, other)) return deniesToo(a, b, shared) ? undefined : [];
  }
  return denies(a, shared) !== denies(b, shared) ? [] : undefined;
}

/** `is enabled` and `is not disabled` agree. */
const deniesToo = (a: IndexedUnit, b: IndexedUnit, shared: readonly string[]) =>
  denies(a, shared) !== denies(b, shared);

const textOf = ({ plain }: IndexedUnit, { start, end }: Value) => plain.slice(start, end).trim();

const KINDS: Partial<Record<AnswerType, readonly Value["kind"][]>> = {
  money: ["money"],
  duration: ["duration"],
  time: ["time"],
  date: ["date", "year", "time", "duration"],
  version: ["version"],
};

/** Whether a value is of the kind that a part asks for: different durations are no conflict about a weight. */
const isAskedFor = ({ type, text }: QuestionPart, value: string, { kind }: Value) =>
  (KINDS[type]?.includes(kind) ?? true) && statesAskedAttribute(text, value) !== false;

/** Values of the same kind and unit of which the statements share none. */
function differingValues(part: QuestionPart, a: IndexedUnit, b: IndexedUnit): [Value, Value][] {
  const pairs: [Value, Value][] = [];
  const seen = new Set<string>();
  for (const value of a.values) {
    const sort = `${value.kind} ${value.unit}`;
    if (value.kind === "code" || seen.has(sort)) continue;
    seen.add(sort);
    const ofA = a.values.filter(({ kind, unit }) => `${kind} ${unit}` === sort);
    const ofB = b.values.filter(({ kind, unit }) => `${kind} ${unit}` === sort);
    if (ofB.length === 0 || ofA.some((one) => ofB.some((other) => areSame(one, other)))) continue;
    // A bare number may count anything.
    if (value.kind === "number" && value.unit === "" && a.kind !== "row") continue;
    const [one, other] = [ofA[0]!, ofB[0]!];
    if (isAskedFor(part, textOf(a, one), one) && areComparable([a, one], [b, other]))
      pairs.push([one, other]);
  }
  return pairs;
}

/** What an amount is for: `day` in `38 euros a day`; empty if it is not stated. */
const rateOf = ({ plain }: IndexedUnit, { end }: Value) =>
  /^\s*(?:a|an|per|each|every|\/)\s*(\p{L}+)/iu.exec(plain.slice(end, end + 40))?.[1]?.toLowerCase() ?? "";

/** Whether a version is a range such as `v2.2.0 and later`. */
const isRange = ({ plain }: IndexedUnit, { kind, end }: Value) =>
  kind === "version" &&
  /^\s*(?:and|or) (?:above|earlier|higher|later|lower|newer|older|up)\b/i.test(plain.slice(end, end + 20));

type UnitValue = readonly [IndexedUnit, Value];

/** Whether two values of one sort cannot both be right: neither is a range, and both are for the same time or piece. */
function areComparable([a, one]: UnitValue, [b, other]: UnitValue): boolean {
  const [rateA, rateB] = [rateOf(a, one), rateOf(b, other)];
  return !isRange(a, one) && !isRange(b, other) && (rateA === "" || rateB === "" || rateA === rateB);
}

/** Equal, or one a less exact form of the other: `September 2026` and `30 September 2026`. */
function areSame(a: Value, b: Value): boolean {
  if (a.value === b.value) return true;
  if (a.kind !== "date") return false;
  const [x, y] = [a.value.split(" "), b.value.split(" ")];
  return x.every((part, i) => part === "" || y[i] === "" || part === y[i]);
}

const MONTHS =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:days?)?\b/g;

/** The words of a statement without its values. */
function subjectOf({ plain, values }: IndexedUnit): Set<string> {
  let text = plain;
  for (const { kind, start, end } of values) {
    if (kind !== "code") text = text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
  }
  return new Set(termsOf(text.replace(MONTHS, " ")).map((term) => term.stem));
}

/** Whether a statement negates one of the shared words: both are in the same clause. */
function denies({ plain }: IndexedUnit, shared: readonly string[]): boolean {
  const wanted = new Set(shared);
  const clauses = plain
    .replace(/^(?:yes|no)\b[.,!]\s*/i, "")
    .split(/[;:,]|\b(?:but|and|or|because|since|so that|while|if|when|unless|until)\b/i);
  return clauses.some((clause) => isDenied(clause) && termsOf(clause).some((term) => wanted.has(term.stem)));
}

/** Whether the headings of two statements, or names in them, show that they are about different things. */
function areAboutDifferentThings(
  [a, b]: readonly [IndexedUnit, IndexedUnit],
  evidence: readonly Evidence[],
  isYear: boolean,
): boolean {
  const [placeA, placeB] = [evidence[a.chunk]!, evidence[b.chunk]!];
  const namesA = namesOf(a.plain, placeA, isYear);
  const namesB = namesOf(b.plain, placeB, isYear);
  for (const [sort, ofA] of namesA) {
    const ofB = namesB.get(sort);
    if (ofB && ofA.isDisjointFrom(ofB)) return true;
  }
  if (placeA.documentId !== placeB.documentId) return false;
  const [headA, headB] = [placeA.path.at(-1) ?? "", placeB.path.at(-1) ?? ""];
  return headA !== headB && headA !== "" && headB !== "" && a.kind !== "sentence";
}

/**
 * Names that distinguish things of one sort: years, versions, numbered products (`Heron 2`), codes by their first letters.
 * Names in the statement have precedence over those in its headings.
 */
function namesOf(
  statement: string,
  { title, path }: Evidence,
  withoutYears: boolean,
): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const [place, text] of [statement, path.join("\n"), title].entries()) {
    const found = new Map<string, Set<string>>();
    const add = (sort: string, name: string) => found.set(sort, (found.get(sort) ?? new Set()).add(name));
    for (const [, product, number] of text.matchAll(
      /\b(\p{Lu}[\p{L}-]+) (\d+(?:\.\d+)*|[IVX]{1,4}|[A-Z])\b(?!\s?(?:%|[a-z€$°]))/gu,
    )) {
      if (
        !/^(?:January|February|March|April|May|June|July|August|September|October|November|December|In|On|At|Since|Until|Over|Under|After|Before|About|The|Up|From|To|By|For|Within|Every|Only)$/.test(
          product!,
        )
      )
        add(stem(product!), number!);
    }
    for (const [code, prefix] of text.matchAll(/\b([A-Z]{1,6})-?\d[\w-]*\b/g)) add(`code ${prefix}`, code);
    for (const [version] of text.matchAll(/\b\d+\.\d+(?:\.\d+)*\b(?!\s?(?:%|°|\p{L}))/gu))
      if (place > 0) add("version", version);
    // A year in the statement may be the value in question.
    if (!withoutYears || place > 0)
      for (const [year] of text.matchAll(/\b(?:19|20)\d{2}\b/g)) add("year", year);
    for (const [sort, set] of found) if (!names.has(sort)) names.set(sort, set);
  }
  return names;
}
