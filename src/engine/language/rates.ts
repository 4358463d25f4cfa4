// For what an amount is stated, as `20 € per day`, and how many of it a question has.

import { shareOf } from "./match.ts";
import { stem, stemsOf } from "./terms.ts";
import type { Value } from "./values.ts";

const PER = /(?:\b(?:per|an?|each|every)\s+|\/\s*)(\p{L}+)(?:\s+and\s+(?:per\s+)?(\p{L}+))?/giu;

/** What a text states amounts for, as stems: `person` and `night` of `2 € per person and night`. */
export const ratesIn = (text: string): string[] =>
  [...text.matchAll(PER)]
    .flatMap(([, one, other]) => [one, other])
    .flatMap((word) => (word ? [stem(word)] : []));

/** The rate of which a value of a text says how many: `three days` of `day`, and not three nights. */
export function rateIn(
  text: string,
  { sort, unit, noun, start, end }: Value,
  rates: ReadonlySet<string>,
): string | undefined {
  if (sort !== "duration" && sort !== "number") return undefined;
  const words = { stems: unit ? stemsOf(text.slice(start, end)) : stemsOf(noun), joined: "" };
  return [...rates].find((rate) => shareOf({ stem: rate, word: rate, isExact: false }, words) >= 0.7);
}

/** The number of a value in its own unit: 3 for `three days`. */
export const countIn = ({ unit, amount }: Value) => (unit ? amount / unit.factor : amount);
