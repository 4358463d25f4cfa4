// Finds two units that answer a part of the question with different values of the kind it asks for. The question decides
// whether they are about the same thing, not their wording. It knows nothing of conflicts in general.

import { areOpposite } from "./opposites.ts";
import type { AnswerType, QuestionPart } from "./question.ts";
import type { IndexedUnit, Score } from "./score.ts";
import { stem } from "./terms.ts";
import type { Value, ValueKind } from "./values.ts";

/** The kinds of values that answer a question of a type; any kind with a unit where the question names none. */
const KINDS: Partial<Record<AnswerType, readonly ValueKind[]>> = {
  money: ["money", "number"],
  count: ["number", "measure", "percent", "duration"],
  duration: ["duration"],
  date: ["date", "year", "duration"],
  time: ["time"],
  version: ["version"],
  statement: ["money", "percent", "duration", "measure", "date", "time"],
};

/** Both must be near the part and cover mostly the same of its words. */
const MIN_COVERAGE = 0.5;
const MIN_SHARED = 0.6;
const SAID = 0.5;
const MIN_NEARNESS = 0.42;
/** A unit with more values of one sort is about several things. */
const MAX_VALUES = 2;

/** Words of one group name different things: a statement about one is not about another. */
const GROUPS = [
  "adult child senior student pensioner concession youth",
  "monday tuesday wednesday thursday friday saturday sunday weekday weekend",
  "spring summer autumn winter",
  "member guest visitor employee contractor",
  "first second third last final",
  "single double family group",
].map((group) => new Set(group.split(" ").map(stem)));

/** The two values in which the units disagree; undefined if they agree or are about different things. */
export function rivalValues(part: QuestionPart, a: Score, b: Score): [Value, Value] | undefined {
  const kinds = KINDS[part.type];
  if (!kinds || !isAsNear(a, b) || meets(a.unit, b.unit, areOpposite)) return undefined;
  const [ofA, ofB] = [valuesBySort(a.unit, kinds), valuesBySort(b.unit, kinds)];
  for (const [sort, own] of ofA) {
    const others = ofB.get(sort);
    if (!others || own.size > MAX_VALUES || others.size > MAX_VALUES) continue;
    if (![...own.keys()].some((amount) => others.has(amount)))
      return [[...own.values()][0]!, [...others.values()][0]!];
  }
  return undefined;
}

function isAsNear(a: Score, b: Score): boolean {
  if (Math.min(a.coverage, b.coverage) < MIN_COVERAGE || Math.min(a.inPlace, b.inPlace) < MIN_NEARNESS)
    return false;
  const [saidByA, saidByB] = [saidWords(a), saidWords(b)];
  const inBoth = [...saidByA].filter(([stem]) => saidByB.has(stem));
  const weightOf = (words: Iterable<[string, number]>) =>
    [...words].reduce((sum, [, weight]) => sum + weight, 0);
  return weightOf(inBoth) >= MIN_SHARED * Math.max(weightOf(saidByA), weightOf(saidByB)) && inBoth.length > 0;
}

/** The part's words that a unit itself contains, without its headings and title, with their weights. */
function saidWords({ covered }: Score): Map<string, number> {
  const said = covered.filter(({ share, inPlace }) => share >= SAID && !inPlace);
  return new Map(said.map(({ term, weight }) => [term.stem, weight]));
}

/** Whether the units name different things of one group: a child's price does not contradict an adult's. */
export function differByNature(a: IndexedUnit, b: IndexedUnit): boolean {
  return meets(a, b, (one, other) => GROUPS.some((group) => group.has(one) && group.has(other)));
}

/** Whether a word that only `a` has and one that only `b` has are a pair. */
function meets(a: IndexedUnit, b: IndexedUnit, isPair: (one: string, other: string) => boolean): boolean {
  const onlyB = [...b.stems].filter((word) => !a.stems.has(word));
  return [...a.stems].some((word) => !b.stems.has(word) && onlyB.some((other) => isPair(word, other)));
}

/** Values by sort (what can be compared) and amount. */
function valuesBySort({ values }: IndexedUnit, kinds: readonly ValueKind[]): Map<string, Map<string, Value>> {
  const sorts = new Map<string, Map<string, Value>>();
  for (const value of values) {
    if (!kinds.includes(value.kind)) continue;
    const { sort, amount } = comparable(value);
    const amounts = sorts.get(sort) ?? new Map<string, Value>();
    sorts.set(sort, amounts);
    if (!amounts.has(amount)) amounts.set(amount, value);
  }
  return sorts;
}

const MINUTES: Record<string, number> = {
  second: 1 / 60,
  minute: 1,
  hour: 60,
  day: 1_440,
  night: 1_440,
  week: 10_080,
  month: 43_800,
  year: 525_600,
};

/** Durations in minutes, prices by their number, the rest within its unit. */
function comparable({ kind, unit, value }: Value): { sort: string; amount: string } {
  const minutes = MINUTES[unit.replace(/^(?:working|business|calendar) /, "")];
  if (kind === "duration" && minutes !== undefined && /^[\d.]+$/.test(value))
    return { sort: "duration", amount: String(Math.round(Number(value) * minutes)) };
  if (kind === "money" || (kind === "number" && unit === "")) return { sort: "number", amount: value };
  return { sort: `${kind} ${unit}`, amount: value };
}
