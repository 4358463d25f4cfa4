// Which words of a question a text contains: the same word, a synonym, another spelling, a typing error.

import { groupsOf, relationOf } from "./word-lists.ts";
import { isTypingError, stem, stemsOf, type Term } from "./terms.ts";
import synonymGroups from "./words/synonyms.txt" with { type: "text" };

const SYNONYMS = relationOf(groupsOf(synonymGroups, ";"), stem);

/** The words of a text, prepared for many lookups. */
export interface WordSet {
  stems: ReadonlySet<string>;
  /** The letters and digits of the text without anything between them. */
  joined: string;
}

/** The words of a text, prepared for lookups. */
export const wordSet = (text: string): WordSet => ({
  stems: stemsOf(text),
  joined: text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ""),
});

export const EMPTY_WORDS: WordSet = { stems: new Set(), joined: "" };

const SAME = 1;
const JOINED = 0.9;
const TYPING_ERROR = 0.85;
const SYNONYM = 0.7;
/** A shorter word may be a part of another one by accident. */
const MIN_JOINED = 6;
const MIN_TYPED = 5;

/** How surely a text contains a word, 0 to 1. `exact` words are names and numbers, which have no synonyms. */
export function shareOf({ stem: wanted, word, isExact }: Term, { stems, joined }: WordSet): number {
  if (stems.has(wanted)) return SAME;
  if (/\d/.test(wanted)) return 0;
  // `lifeboat` and `life boat`.
  if (wanted.length >= MIN_JOINED && joined.includes(wanted)) return JOINED;
  let share = 0;
  const synonyms = isExact ? undefined : SYNONYMS.get(wanted);
  for (const own of stems) {
    if (synonyms?.has(own)) share = Math.max(share, SYNONYM);
    else if (word.length >= MIN_TYPED && isTypingError(wanted, own)) share = Math.max(share, TYPING_ERROR);
  }
  return share;
}

/** How rare words are in the texts near a question, by stem: 1 if in none of them, MIN_RARITY if in all. */
export function rarityOf(words: Iterable<string>, near: readonly ReadonlySet<string>[]): Map<string, number> {
  // In a few texts, a word is not common because it is in all of them.
  const max = Math.log(1 + Math.max(MANY_TEXTS, near.length));
  const rarity = new Map<string, number>();
  for (const word of words) {
    const containing = near.filter((stems) => stems.has(word)).length;
    rarity.set(word, Math.max(MIN_RARITY, 1 - Math.log(1 + containing) / max));
  }
  return rarity;
}

const MIN_RARITY = 0.2;
const MANY_TEXTS = 48;
