// Questions for a difference: between two things, between two times, and for what changed most. It reads the question and
// knows no table.

import { COMPARATIVE, type Compared, comparedByAdjective, unitAsked } from "./comparisons.ts";
import type { Unit } from "./units.ts";
import { valuesOf } from "./values.ts";

/** What a difference is between, as the question says it. */
type Sides = [string, string];

export interface Difference {
  /** Of `how much dearer is A than B`, or `… compared with B`, the first side is the whole rest of the question. */
  sides: Sides;
  /** What is compared: `longer`; undefined if the question does not say. */
  compared: Compared | undefined;
  /** In what it is asked for, as written and as a unit: `nights` of `how many nights`. */
  asked: { word: string; unit: Unit } | undefined;
}

/** What changed most or least, and in which direction: 1 up, -1 down, 0 either. */
export interface Growth {
  direction: -1 | 0 | 1;
  isMost: boolean;
  /** From what to what; undefined if the question does not say. */
  sides: Sides | undefined;
}

const UP =
  "grow[ns]?|grew|growth|rises?|rose|risen|increase[sd]?|climb(?:ed|s)?|gain(?:ed|s)?|jump(?:ed|s)?|(?:go|goes|went|gone|going) up";
const DOWN =
  "falls?|fell|fallen|drop(?:ped|s)?|decrease[sd]?|decline[sd]?|shrinks?|shrank|shrunk|sinks?|sank|sunk|reductions?|(?:go|goes|went|gone|going) down";
const EITHER = "change[sd]?|differ(?:s|ed)?|difference|gap";

const FROM_TO = /\b(?:from|between)\s+(?!which\b|what\b)(.+?)\s+(?:to|and|until)\s+([^,;:?]+)/i;
const MUCH = /\bhow (?:much|many)\b/i;
const CHANGES = new RegExp(`\\b(?:${UP}|${DOWN}|${EITHER})\\b`, "i");
const THAN = new RegExp(
  `\\bhow (?:much|many)\\b.*?\\b(?:(more|less|fewer)(?:\\s+(\\p{L}+))?|(${COMPARATIVE}))\\b.*?\\b(?:than|(?:when |as )?compared (?:with|to)|versus|vs\\.?)\\s+([^,;:?]+?)(?=\\s+(?:if|when|where|provided|in case)\\b|[,;:?]|$)`,
  "iu",
);

/**
 * The difference that a question asks for: `how much dearer is A than B`, `by how much did A rise from P to Q`, `the difference
 * in price between A and B`.
 */
export function differenceIn(text: string): Difference | undefined {
  const asked = unitAsked(text);
  const than = THAN.exec(text);
  const isOfLimit = valuesOf(than?.[4] ?? "").some(
    ({ start, sort }) => start === 0 && sort !== "year" && sort !== "code",
  );
  if (
    than &&
    !isOfLimit &&
    (asked || /\bhow (?:much|many (?:[\p{L}-]+ )?(?:more|less|fewer))\b/iu.test(text))
  ) {
    const [whole, , what = "", form = "", other = ""] = than;
    const rest = `${text.slice(0, than.index)}${whole.slice(0, -other.length)} ${text.slice(than.index + whole.length)}`;
    const compared = comparedByAdjective(form || what);
    return { sides: [rest, other], compared, asked };
  }
  const between = FROM_TO.exec(text);
  const isNoun = /\bdifference\b.*\bbetween\b/i.test(text);
  if (!between || !(isNoun || (MUCH.test(text) && CHANGES.test(text)))) return undefined;
  return { sides: [between[1]!, between[2]!], compared: undefined, asked };
}

/** Whether a header says that its column states changes. */
export const isOfChange = (header: string) => CHANGES.test(header);

const MOST =
  "most|least|strongest|sharpest|fastest|greatest|largest|biggest|highest|steepest|smallest|lowest";
const GROWS_MOST = new RegExp(
  `\\b(?<verb>${UP}|${DOWN}|${EITHER})\\b(?: in (?:price|cost|size|number|value))?(?: by)?(?: far)?(?: the)? (?<most>${MOST})\\b(?! of\\b)|` +
    `\\b(?<much>${MOST}) (?:\\p{L}+ )?(?<noun>${UP}|${DOWN}|${EITHER})\\b`,
  "iu",
);

/** What a question asks for that changed most: `which item grew the most from 2025 to 2026`, `who had the biggest drop`. */
export function growthIn(text: string): Growth | undefined {
  const { verb, noun = "", most, much = "" } = GROWS_MOST.exec(text)?.groups ?? {};
  const change = verb ?? noun;
  if (change === "" || !/\b(?:which|what|who(?:se)?|where)\b/i.test(text)) return undefined;
  const is = (pattern: string) => new RegExp(`^(?:${pattern})$`, "i").test(change);
  const between = FROM_TO.exec(text);
  return {
    direction: is(UP) ? 1 : is(DOWN) ? -1 : 0,
    isMost: !/^(?:least|smallest|lowest)$/i.test(most ?? much),
    sides: between ? [between[1]!, between[2]!] : undefined,
  };
}
