// Makes word forms of one word equal, by the script of the word. FTS5's own stemmer reads English only.

import { stemmer as stemArabic } from "@orama/stemmers/arabic";
import { stemmer as stemGreek } from "@orama/stemmers/greek";
import { stemmer as stemHindi } from "@orama/stemmers/indian";
import { stemmer as stemRussian } from "@orama/stemmers/russian";
import { americanSpelling } from "../../engine/text/spelling.ts";

const SCRIPTS: readonly (readonly [RegExp, (word: string) => string])[] = [
  // Russian: the stems of other languages in this script are at least the same in texts and queries.
  [/^\p{sc=Cyrl}+$/u, stemRussian],
  [/^\p{sc=Grek}+$/u, stemGreek],
  [/^\p{sc=Arab}+$/u, stemArabicWord],
  [/^[\p{sc=Hebr}]+$/u, stemHebrew],
  [/^\p{sc=Deva}+$/u, stemHindi],
  [/^\p{sc=Latn}+$/u, americanSpelling],
];

/** Stems that were made before: a text has few different words. */
const MAX_STEMS = 50_000;
const stems = new Map<string, string>();

/** The stem of a word in the form of `wordForm`. An English word keeps its ending, which FTS5 removes. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = SCRIPTS.find(([script]) => script.test(word))?.[1](word) || word;
  if (stems.size >= MAX_STEMS) stems.clear();
  stems.set(word, stem);
  return stem;
}

const MIN_STEM = 3;

/** Snowball's stems after the conjunction and prepositions that are written together with the next word. */
function stemArabicWord(word: string): string {
  return stemArabic(word.replace(/^[وفبكل](?=ال\p{L}{2})/u, ""));
}

/**
 * Removes the letters that are written together with the next word (and, in, as, to, from, that, the), as long as
 * MIN_STEM letters are left, and the endings of the plural. Words that begin with such letters themselves lose them in
 * texts and queries alike.
 */
function stemHebrew(word: string): string {
  let start = 0;
  while (word.length - start > MIN_STEM && "ובכלמשה".includes(word[start]!)) start++;
  const rest = word.slice(start);
  const ending = /(?:ימ|ות)$/u.exec(rest)?.[0].length ?? 0;
  return rest.length - ending >= MIN_STEM ? rest.slice(0, rest.length - ending) : rest;
}
