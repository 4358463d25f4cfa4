// Replaces one passage of a text that an agent has copied: line ends, typographic quotes and dashes, no-break spaces
// and Unicode forms are compared alike, because models do not copy them exactly. What the edit does not change keeps
// the form that the text has.

import { normalized } from "../../kernel/text.ts";

/** The text with the edit, or the number of times that the passage occurs if that is not once. */
export type Replaced = { text: string } | { occurrences: number };

/** Longer texts must contain the passage exactly: comparing them would delay other requests. */
const MAX_FOLDED_CHARACTERS = 500_000;
/** Each place that is found in the folded text costs time in proportion to the text. */
const MAX_COMPARED = 10;

/** Replaces `oldText`, which must occur once in `text`, with `newText`. Takes time linear in the lengths. */
export function replacePassage(text: string, oldText: string, newText: string): Replaced {
  const exact = occurrencesOf(text, oldText);
  if (exact.length === 1) {
    const [at] = exact as [number];
    return replacedAt(text, [at, at + oldText.length], newText);
  }
  if (exact.length > 1) return { occurrences: exact.length };
  return replaceFolded(text, oldText, newText);
}

function replaceFolded(text: string, oldText: string, newText: string): Replaced {
  if (Math.max(text.length, oldText.length, newText.length) > MAX_FOLDED_CHARACTERS)
    return { occurrences: 0 };
  const wanted = folded(oldText);
  const places = occurrencesOf(folded(text), wanted);
  if (places.length > MAX_COMPARED) return { occurrences: places.length };
  const ranges = places.flatMap((at): [number, number][] => {
    const start = originalIndex(text, at);
    const end = originalIndex(text, at + wanted.length);
    return start === undefined || end === undefined ? [] : [[start, end]];
  });
  if (ranges.length !== 1) return { occurrences: ranges.length };
  const [[start, end]] = ranges as [[number, number]];
  const found = unitsOf(text.slice(start, end));
  const sent = unitsOf(newText);
  const limit = Math.min(found.length, sent.length);
  const isSame = (one: string | undefined, other: string | undefined) =>
    one !== undefined && other !== undefined && folded(one) === folded(other);
  let before = 0;
  while (before < limit && isSame(found[before], sent[before])) before++;
  let after = 0;
  while (after < limit - before && isSame(found.at(-1 - after), sent.at(-1 - after))) after++;
  const kept = (units: readonly string[]) => units.join("").length;
  const range: [number, number] = [
    start + kept(found.slice(0, before)),
    end - kept(found.slice(found.length - after)),
  ];
  return replacedAt(text, range, sent.slice(before, sent.length - after).join(""));
}

/** Line ends of the new text become those of the text around it. */
function replacedAt(text: string, [start, end]: [number, number], newText: string): Replaced {
  const hasCarriageReturns = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  const inserted = hasCarriageReturns ? newText.replaceAll(/\r?\n/g, "\r\n") : newText;
  return { text: text.slice(0, start) + inserted + text.slice(end) };
}

/** The places of a passage that do not overlap, in order. */
function occurrencesOf(text: string, passage: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(passage); at >= 0; at = text.indexOf(passage, at + passage.length))
    places.push(at);
  return places;
}

/** A text in the form in which passages are compared. Folding texts and joining them is folding the joined text. */
function folded(text: string): string {
  return normalized(text, "NFD")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\u2018-\u201b\u2032]/g, "'")
    .replaceAll(/[\u201c-\u201f\u2033]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\u00a0\u202f]/g, " ");
}

/** A character with its combining marks, a Hangul syllable in parts, or a line end. */
const UNIT = /\r\n|[\u1100-\u115f]+[\u1160-\u11a7]*[\u11a8-\u11ff]*|\P{M}\p{M}*|\p{M}+/gsu;
const unitsOf = (text: string): string[] => text.match(UNIT) ?? [];

/** Below this, units are counted one by one. */
const WALKED_CHARACTERS = 1_000;

/**
 * Where the folded text reaches a length. Undefined if that is inside a unit, such as between a letter and its accent.
 * Halves the text instead of folding each character of it.
 */
function originalIndex(text: string, foldedLength: number): number | undefined {
  let [start, end, left] = [0, text.length, foldedLength];
  while (end - start > WALKED_CHARACTERS) {
    const middle = unitStart(text, (start + end) >> 1, start);
    if (middle === start) break;
    const { length } = folded(text.slice(start, middle));
    if (length <= left) [start, left] = [middle, left - length];
    else end = middle;
  }
  for (const unit of unitsOf(text.slice(start, end))) {
    if (left <= 0) break;
    left -= folded(unit).length;
    start += unit.length;
  }
  return left === 0 ? start : undefined;
}

/** The start of the unit that contains an index. */
function unitStart(text: string, index: number, minimum: number): number {
  let at = index;
  while (at > minimum && !isBoundary(text, at)) at--;
  return at;
}

function isBoundary(text: string, at: number): boolean {
  const isSplitPair = /[\udc00-\udfff]/.test(text[at]!) && /[\ud800-\udbff]/.test(text[at - 1]!);
  if (isSplitPair || (text[at] === "\n" && text[at - 1] === "\r")) return false;
  return !/^\p{M}/u.test(text.slice(at, at + 2));
}
