// Where a part of a text ends: a list item, a line, a sentence, a word, or a slice of a text that has no such ends. It
// knows nothing of sizes. Each part takes the blanks behind it along, so that the next one begins with its own text.

import { endsLine, isBlank } from "../markdown/lines.ts";

/** The end (exclusive, above `at`) of the part that begins at `at`, within a stretch that ends at `to`. */
export type EndOf = (text: string, at: number, to: number) => number;

const spaces = new Set<number>();
const terminators = new Set<number>();
for (let unit = 0; unit <= 0xffff; unit++) {
  const character = String.fromCharCode(unit);
  if (/\s/.test(character)) spaces.add(unit);
  if (/\p{Sentence_Terminal}/u.test(character)) terminators.add(unit);
}
/** 。！？｡ end a sentence without a space behind them. */
const wideTerminators = new Set([0x3002, 0xff01, 0xff1f, 0xff61]);
const CLOSING = /[\p{Pe}\p{Pf}"'*_`~]/u;
const LOWER_CASE = /\p{Ll}/u;

export const lineEnd: EndOf = (text, at, to) => {
  let end = at;
  while (end < to && !endsLine(text, end)) end++;
  for (let i = end; i < to && isBlank(text.charCodeAt(i)); i++) if (endsLine(text, i)) end = i + 1;
  return end;
};

const ITEM = /[ \t]*(?:[-+*]|\d{1,9}[.)])(?=\s)/y;

export const itemEnd: EndOf = (text, at, to) => {
  for (let end = lineEnd(text, at, to); ; end = lineEnd(text, end, to)) {
    ITEM.lastIndex = end;
    if (end >= to || ITEM.test(text)) return end;
  }
};

/** A full stop before a small letter is taken for that of an abbreviation. */
export const sentenceEnd: EndOf = (text, at, to) => {
  for (let i = at; i < to; i++) {
    if (!terminators.has(text.charCodeAt(i))) continue;
    let end = i;
    let wide = false;
    for (; end < to; end++) {
      const unit = text.charCodeAt(end);
      if (wideTerminators.has(unit)) wide = true;
      else if (!terminators.has(unit) && !CLOSING.test(text.charAt(end))) break;
    }
    const next = skipSpaces(text, end, to);
    if (next >= to || wide || (next > end && !LOWER_CASE.test(text.charAt(next)))) return next;
    i = next - 1;
  }
  return to;
};

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

/** How far back a cut looks for a place between two characters as a reader sees them. */
const LONGEST_CHARACTER = 64;
const CONTINUES = /^[\p{M}\p{Cf}\p{Emoji_Modifier}]/u;
const ZERO_WIDTH_JOINER = 0x200d;

/**
 * A place to cut at or shortly before `wanted` (which is at least two units above `at`): never inside a surrogate pair,
 * and not inside a character with marks or a joined emoji unless it is absurdly long.
 */
export function sliceEnd(text: string, at: number, wanted: number): number {
  for (let i = wanted; i > Math.max(at, wanted - LONGEST_CHARACTER); i--) {
    if (isInsidePair(text, i) || text.charCodeAt(i - 1) === ZERO_WIDTH_JOINER) continue;
    if (!CONTINUES.test(text.slice(i, i + 2))) return i;
  }
  return isInsidePair(text, wanted) ? wanted - 1 : wanted;
}

function isInsidePair(text: string, i: number): boolean {
  return (text.codePointAt(i - 1) ?? 0) > 0xffff;
}
