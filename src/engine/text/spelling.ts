// British and American spelling as one, for words that are compared.

/** British spelling to American, by the endings that differ (Wikipedia, American and British English spelling). */
const AMERICAN: readonly (readonly [RegExp, string])[] = [
  [/^(\p{L}{2,})our(s|ed|ing|ful|less|able|al|ite|ites|hood|hoods|er|ers)?$/u, "$1or$2"],
  [/^(\p{L}{3,})is(e|es|ed|ing|er|ers|able|ation|ations)$/u, "$1iz$2"],
  [/^(\p{L}{2,})lys(e|es|ed|ing|er|ers)$/u, "$1lyz$2"],
  [/^(cen|thea|me|li|fib|spec|lus|calib|mili|kilome|centime|millime)tre(s|d)?$/u, "$1ter$2"],
  [/^(\p{L}{2,})logue(s|d)?$/u, "$1log$2"],
  [/^(def|off|pret|lic)ence(s|d)?$/u, "$1ense$2"],
  [
    /^(travel|cancel|label|model|signal|fuel|level|channel|marvel|quarrel|counsel|tunnel|total|dial)l(ed|ing|er|ers)$/u,
    "$1$2",
  ],
  [/^grey(s|ed|ish)?$/u, "gray$1"],
  [/^(judg|acknowledg)ement(s)?$/u, "$1ment$2"],
  [/^programme(s)?$/u, "program$1"],
  [/^aluminium$/u, "aluminum"],
];

/** The American spelling of a lower-case English word; other words unchanged. */
export function americanSpelling(word: string): string {
  for (const [british, american] of AMERICAN) if (british.test(word)) return word.replace(british, american);
  return word;
}
