// Splits identifiers, codes and numbers: `parseRetryCount`, `keep-empty-rows`, `DEC-0054`, `std::vector`, `1,234,567`.
// They are indexed by their parts and as one word without separators, so that each notation finds the others.

/** A word that may be split. */
export interface Compound {
  /** At least one; without separators. */
  parts: string[];
  /** All parts as one word; undefined where that would be another word or number, as for `1.5` or a sentence's end. */
  joined?: string;
  /** Whether it consists of letters and digits, as `E1009` or `F-203` do: each such code means something else. */
  isCode: boolean;
}

/** A longer word is text without spaces. */
const MAX_JOINED_UNITS = 64;
const MAX_JOINED_PARTS = 8;

const SEPARATOR = /[-_:.,]+/u;
/**
 * Before a capital after a small letter or digit, before the last capital of several, and between letters and digits,
 * but not within `x2` or `PDFs`.
 */
const HUMP =
  /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=\p{L}{2})(?=\p{Nd})|(?<=\p{Nd}{2})(?=\p{L}{2})/u;

/** `1,234,567` or `1.234.567`, with or without decimals. */
const GROUPED_NUMBER = /^(\p{Nd}{1,3}(?:([.,])\p{Nd}{3})(?:\2\p{Nd}{3})*)(?:[.,]\p{Nd}+)?$/u;
/** A telephone number, an ISBN or a date. */
const HYPHENATED_NUMBER = /^\p{Nd}+(?:-\p{Nd}+){2,}$|^\p{Nd}{3,}-\p{Nd}{3,}$/u;
/** A hardware address. */
const HEX_PAIRS = /^[\da-f]{2}(?::[\da-f]{2})+$/iu;

/** Splits a word: letters, marks and digits with single separators between them. */
export function splitCompound(word: string): Compound {
  const pieces = word.split(SEPARATOR).filter((piece) => piece !== "");
  const parts = pieces.flatMap((piece) => piece.split(HUMP));
  const hasLetter = /\p{L}/u.test(word);
  const isCode = hasLetter && /\p{Nd}/u.test(word);
  if (parts.length < 2) return { parts, isCode };
  const joined = joinedOf(word, { pieces, hasLetter });
  const isShort = parts.length <= MAX_JOINED_PARTS && (joined?.length ?? 0) <= MAX_JOINED_UNITS;
  return joined !== undefined && isShort ? { parts, joined, isCode } : { parts, isCode };
}

function joinedOf(
  word: string,
  { pieces, hasLetter }: { pieces: readonly string[]; hasLetter: boolean },
): string | undefined {
  if (HEX_PAIRS.test(word)) return pieces.join("");
  if (/(?<!:):(?!:)/u.test(word)) return undefined;
  if (hasLetter) return pieces.join("");
  const grouped = GROUPED_NUMBER.exec(word)?.[1];
  if (grouped !== undefined) return grouped.replace(/[.,]/gu, "");
  return HYPHENATED_NUMBER.test(word) ? pieces.join("") : undefined;
}
