// Finds the end of a part of a text: a list item, a line, a sentence, a word, or a slice of text without such parts.
// Each part includes the blanks after it, so that the next one does not start with blanks.

import { endsLine, isBlank } from "../markdown/lines.ts";

/** The end (exclusive, above `at`) of the part that starts at `at`, at most `to`; offsets in UTF-16 units. */
export type EndOf = (text: string, at: number, to: number) => number;

const spaces = new Set<number>();
const terminators = new Set<number>();
for (let unit = 0; unit <= 0xffff; unit++) {
  const character = String.fromCharCode(unit);
  if (/\s/.test(character)) spaces.add(unit);
  if (/\p{Sentence_Terminal}/u.test(character)) terminators.add(unit);
}
/** 。！？｡ end a sentence without a space after them. */
const wideTerminators = new Set([0x3002, 0xff01, 0xff1f, 0xff61]);
const CLOSING = /[\p{Pe}\p{Pf}"'*_`~]/u;
const LOWER_CASE = /\p{Ll}/u;

/** The end of a line, including blank lines after it. */
export const lineEnd: EndOf = (text, at, to) => {
  let end = at;
  while (end < to && !endsLine(text, end)) end++;
  for (let i = end; i < to && isBlank(text.charCodeAt(i)); i++) if (endsLine(text, i)) end = i + 1;
  return end;
};

const ITEM = /[ \t]*(?:[-+*]|\d{1,9}[.)])(?=\s)/y;

/** The end of a list item: the next line that starts with a list marker. */
export const itemEnd: EndOf = (text, at, to) => {
  for (let end = lineEnd(text, at, to); ; end = lineEnd(text, end, to)) {
    ITEM.lastIndex = end;
    if (end >= to || ITEM.test(text)) return end;
  }
};

/** The end of a sentence; a full stop before a lower-case letter is part of an abbreviation. */
export const sentenceEnd: EndOf = (text, at, to) => {
  for (let i = at; i < to; i++) {
    if (!terminators.has(text.charCodeAt(i))) continue;
    let end = i;
    let isWide = false;
    for (; end < to; end++) {
      const unit = text.charCodeAt(end);
      if (wideTerminators.has(unit)) isWide = true;
      else if (!terminators.has(unit) && !CLOSING.test(text.charAt(end))) break;
    }
    const next = skipSpaces(text, end, to);
    if (next >= to || isWide || (next > end && !LOWER_CASE.test(text.charAt(next)))) return next;
    i = next - 1;
  }
  return to;
};

/** The end of a word, including white space after it. */
export const wordEnd: EndOf = (text, at, to) => {
  let end = at;
  while (end < to && !spaces.has(text.charCodeAt(end))) end++;
  return skipSpaces(text, end, to);
};

function skipSpaces(text: string, at: number, to: number): number {
  let end = at;
  while (end < to && spaces.has(text.charCodeAt(end))) end++;
  return end;
}

/** Maximum length of one visible character (grapheme) that a cut tries not to split. */
const MAX_CHARACTER_UNITS = 64;
const CONTINUES = /^[\p{M}\p{Cf}\p{Emoji_Modifier}]/u;
const ZERO_WIDTH_JOINER = 0x200d;

/**
 * The offset to cut at, at or shortly before `wanted` (which is at least two units above `at`): never inside a
 * surrogate pair, and inside a character with marks or a joined emoji only if it is longer than MAX_CHARACTER_UNITS.
 */
export function sliceEnd(text: string, at: number, wanted: number): number {
  for (let i = wanted; i > Math.max(at, wanted - MAX_CHARACTER_UNITS); i--) {
    if (isInsidePair(text, i) || text.charCodeAt(i - 1) === ZERO_WIDTH_JOINER) continue;
    if (!CONTINUES.test(text.slice(i, i + 2))) return i;
  }
  return isInsidePair(text, wanted) ? wanted - 1 : wanted;
}

function isInsidePair(text: string, i: number): boolean {
  return (text.codePointAt(i - 1) ?? 0) > 0xffff;
}
