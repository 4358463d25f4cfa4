// Lists of English words: opposites, words that distinguish things of one sort, and negations. It knows no statements.

import { stem } from "./terms.ts";

const PAIRS: [string, string][] =
  `enabled disabled, enable disable, on off, allowed forbidden, allowed prohibited, permitted forbidden,
 permitted prohibited, allowed disallowed, mandatory optional, mandatory voluntary, required optional, compulsory optional,
 compulsory voluntary, obligatory optional, obligatory voluntary, necessary unnecessary, always never, open closed, open shut, minimum maximum,
 increase decrease, increased decreased, rises falls, supported unsupported, include exclude, included excluded, includes excludes,
 accept refuse, accepted refused, accept reject, accepted rejected, free paid, public private, possible impossible, pass fail, passed failed,
 above below, indoors outdoors, inside outside, internal external, safe unsafe, safe dangerous, valid invalid,
 present absent, visible hidden, encrypted unencrypted, reversible irreversible, manual automatic, manually automatically,
 same different, true false, correct incorrect, correct wrong,
 active inactive, approved rejected, available unavailable, permanent temporary, synchronous asynchronous, stable unstable,
 successful unsuccessful, successfully unsuccessfully, horizontal vertical, horizontally vertically, clockwise counterclockwise, clockwise anticlockwise, upper lower,
 everyone nobody, everything nothing, start stop, starts stops, opt-in opt-out, legal illegal, raised lowered, kept deleted,
 refundable non-refundable, renewable non-renewable`
    .split(/,\s*/)
    .map((pair) => pair.trim().split(" ") as [string, string]);

const OPPOSITES = new Map<string, Set<string>>();
for (const [a, b] of PAIRS) {
  for (const [from, to] of [
    [stem(a), stem(b)],
    [stem(b), stem(a)],
  ] as const) {
    if (from !== to) OPPOSITES.set(from, (OPPOSITES.get(from) ?? new Set()).add(to));
  }
}

/** Whether two words, given by their stems, are opposites. */
export const areOpposite = (a: string, b: string): boolean => OPPOSITES.get(a)?.has(b) ?? false;

const RIVALS = `north south east west; northern southern eastern western; left right; upper lower; front rear back;
 spring summer autumn winter; monday tuesday wednesday thursday friday saturday sunday; morning afternoon evening night;
 january february march april june july august september october november december; first second third fourth fifth sixth;
 red green blue yellow white black orange grey brown; adult child senior student; men women boys girls; previous next;
 input output; upload download; import export; old new; small large`;

const RIVAL_SETS = new Map<string, Set<string>[]>();
for (const words of RIVALS.split(";")) {
  const group = new Set(words.trim().split(/\s+/).map(stem));
  for (const word of group) RIVAL_SETS.set(word, [...(RIVAL_SETS.get(word) ?? []), group]);
}

/** Whether two words, given by their stems, distinguish things of one sort, as `north` and `south` do. */
export const areRivals = (a: string, b: string): boolean =>
  a !== b && (RIVAL_SETS.get(a)?.some((group) => group.has(b)) ?? false);

const NEGATION =
  /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|no longer|no one|hardly|lacks?|fails? to|refuses? to|ruled out)\b|n['’]t\b/gi;
/** Phrases that contain such a word and negate nothing. */
const NO_DENIAL =
  /\b(?:not only|no later than|no more than|no less than|no earlier than|no matter|whether or not|not least|no\. ?\d|nothing but|not until)\b/gi;

/** Whether a statement is negated: it contains an odd number of negations. */
export function isDenied(text: string): boolean {
  return (text.replace(NO_DENIAL, " ").match(NEGATION)?.length ?? 0) % 2 === 1;
}
