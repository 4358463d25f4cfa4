// The form in which texts and queries are compared. Stored texts keep their own form. Two texts that a reader takes for
// the same word get the same form; what is found in the literal search stays closer to the text.

import { fold, normalized } from "../../kernel/text.ts";

/** Signs that NFKC would turn into letters of the word before them: `Hitman™` is not `hitmantm`. */
const TRADE_SIGNS = /[\u2122\u2120]/gu;
/** NFKC would make 106 of `10⁶`. */
const RAISED_AFTER_DIGIT = /(?<=\p{Nd})(?=[\u00b2\u00b3\u00b9\u2070-\u2089])/gu;
/** Soft hyphens, zero-width spaces and joiners, direction marks, and variation selectors. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\ufe00-\ufe0f]/gu;

/** Character references of HTML, which Markdown shows as the character. */
const REFERENCE = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;
const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function resolved(whole: string, name?: string, decimal?: string, hex?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()]!;
  const code = decimal === undefined ? Number.parseInt(hex ?? "0", 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : whole;
}

/**
 * The compatibility form (NFKC): ligatures, full-width and half-width characters, sub- and superscripts, hyphens and
 * spaces are plain. Character references are what they show.
 */
export function plainForm(text: string): string {
  const separated = text
    .replace(REFERENCE, resolved)
    .replace(TRADE_SIGNS, " ")
    .replace(RAISED_AFTER_DIGIT, " ");
  return normalized(separated, "NFKC").replace(INVISIBLE, "").replaceAll("\u2010", "-").replaceAll("\0", " ");
}

const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u02bc\u00b4`]/gu;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u00ab\u00bb]/gu;
const DASHES = /[\u2010-\u2015\u2212]/gu;
/** Markdown: a backslash before punctuation is not shown. */
const ESCAPE = /\\(?=[!-/:-@[-`{-~])/gu;

/**
 * The form for the literal search: without differences of case and compatibility form, of straight and typographic
 * quotes, of hyphens and dashes, and without Markdown's escapes and invisible characters.
 */
export function literalForm(text: string): string {
  return fold(plainForm(text))
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(DASHES, "-")
    .replace(ESCAPE, "");
}

/**
 * The position in `text` of a position in its literal form, or the one before it where one character became several.
 */
export function positionInText(text: string, position: number): number {
  let low = 0;
  for (let high = text.length; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if (literalForm(text.slice(0, middle)).length <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Accents of Latin, Greek and Cyrillic letters, Arabic hamza and madda, once decomposed. */
const ACCENTS = /[\u0300-\u036f\u0653-\u0655]/gu;
/** Vowel points (Hebrew, Arabic) and the Arabic tatweel, which may be left out. */
const OPTIONAL_MARKS = /[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670]/gu;
/** Letters that Unicode does not decompose, as people type them without the key. */
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŋ: "n",
  ŧ: "t",
  ı: "i",
  ґ: "г",
  ى: "ي",
  ک: "ك",
  ی: "ي",
  ך: "כ",
  ם: "מ",
  ן: "נ",
  ף: "פ",
  ץ: "צ",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");

/** The form of words, of a text in plain form: without differences of case, accents and optional marks. */
export function wordForm(plain: string): string {
  const bare = normalized(fold(plain), "NFD").replace(ACCENTS, "").replace(OPTIONAL_MARKS, "");
  return normalized(bare, "NFC").replace(LETTER, (letter) => LETTERS[letter]!);
}
