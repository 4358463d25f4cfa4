// Ordinal numbers: rows for the first thing, the second one and each further one, and questions for who came first.

import { stem, stemsOf } from "./terms.ts";

export interface Tier {
  /** What is counted, as stems. */
  name: ReadonlySet<string>;
  /** For which thing it is; for the ones after the last known if it is 0. */
  from: number;
  /** Whether it is also for all that follow. */
  isFurther: boolean;
}

const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const ORDINAL = new RegExp(`\\b(?:(${ORDINALS.join("|")})|(\\d{1,2})(?:st|nd|rd|th))\\b`, "giu");
const ordinalsIn = (text: string) =>
  [...text.matchAll(ORDINAL)].map(([, word, digits]) =>
    word === undefined ? Number(digits) : ORDINALS.indexOf(word.toLowerCase()) + 1,
  );
const FURTHER =
  /\b(?:(?:every|each|any|all) )?(?:further|additional|extra|subsequent|following|more|other)\b/i;
const IN_PLACE = new RegExp(
  `\\b(?:(${ORDINAL.source}) (?:place|rank|position)\\b|(?:came|come|comes|finish(?:ed|es)?|ended up|ranked|placed) (?:in )?(${ORDINAL.source})(?! (?!in\\b|at\\b|of\\b|to\\b)\\p{L}))`,
  "iu",
);
/** Which place a question asks for: 2 in `who came second`; undefined if it asks for none. */
export function placeIn(text: string): number | undefined {
  const found = IN_PLACE.exec(text);
  return found && /\b(?:who(?:se)?|which|what)\b/i.test(text) ? ordinalsIn(found[0])[0] : undefined;
}

const OTHER_WORDS = new Set([..."every each any all and or from one".split(" ")].map(stem));

/** What a name such as `third and every further dog` says; undefined if it says no number of this kind. */
export function tierOf(name: string): Tier | undefined {
  const ordinals = ordinalsIn(name);
  const isFurther = FURTHER.test(name);
  if (ordinals.length > 1 || (ordinals.length === 0 && !isFurther)) return undefined;
  const rest = stemsOf(name.replace(ORDINAL, " ").replace(FURTHER, " "));
  return {
    name: new Set([...rest].filter((word) => !OTHER_WORDS.has(word))),
    from: ordinals[0] ?? 0,
    isFurther,
  };
}

/** The index of the tier for each of `count` things; undefined if one has none, or several. */
export function tiersFor(tiers: readonly Tier[], count: number): number[] | undefined {
  const last = Math.max(0, ...tiers.map(({ from }) => from));
  const found = Array.from({ length: count }, (_, i) => {
    const at = i + 1;
    const exact = tiers.flatMap(({ from }, index) => (from === at ? [index] : []));
    const further = tiers.flatMap(({ from, isFurther }, index) =>
      isFurther && (from || last || Infinity) < at ? [index] : [],
    );
    return exact.length > 0 ? exact : further;
  });
  return found.every(({ length }) => length === 1) ? found.flat() : undefined;
}
