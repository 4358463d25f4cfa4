// Splits a block that is too long for one paragraph chunk, at the coarsest ends that give pieces of the wanted size. It
// knows nothing of the tree. Pieces are in order, and what lies between two of them is blank.

import type { Block, BlockKind } from "../markdown/blocks.ts";
import { type EndOf, itemEnd, lineEnd, sentenceEnd, sliceEnd, wordEnd } from "./ends.ts";
import { isBlank } from "../markdown/lines.ts";
import { weighWords } from "./words.ts";

/** A stretch of the text in UTF-16 units, end exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** A block of more words is split (the contract's "about 400 words"). */
const MOST_WORDS = 400;
/** Text without ends is cut at this many UTF-16 units (the contract). */
const MOST_UNITS = 2_400;
/** Whole sentences, rows or items together may be longer: 400 words of German or of code are more than 2,400 units. */
const MOST_UNITS_OF_WHOLES = 2 * MOST_UNITS;

interface Level {
  endOf: EndOf;
  /** A piece made of such parts has at most so many UTF-16 units. */
  most: number;
}

const ITEMS: Level = { endOf: itemEnd, most: MOST_UNITS_OF_WHOLES };
const LINES: Level = { endOf: lineEnd, most: MOST_UNITS_OF_WHOLES };
const SENTENCES: Level = { endOf: sentenceEnd, most: MOST_UNITS_OF_WHOLES };
/** Lines of prose may break anywhere in a sentence. */
const WRAPPED_LINES: Level = { endOf: lineEnd, most: MOST_UNITS };
const WORDS: Level = { endOf: wordEnd, most: MOST_UNITS };

const BY_LINES = [LINES, SENTENCES, WORDS];
const LEVELS: Record<BlockKind, Level[]> = {
  prose: [SENTENCES, WRAPPED_LINES, WORDS],
  list: [ITEMS, ...BY_LINES],
  lines: BY_LINES,
  "front-matter": BY_LINES,
  reference: BY_LINES,
  rule: BY_LINES,
  heading: [],
};

/** Takes one piece of a block. */
export type Take = (start: number, end: number) => void;

/** Hands the pieces of `block` to `take`: the block as it is unless it is too long. */
export function splitBlock(text: string, block: Block, take: Take): void {
  const { start, end } = block;
  if (end - start <= MOST_WORDS || fits(end - start, weighWords(text, start, end))) take(start, end);
  else pack(text, start, end, LEVELS[block.kind], take);
}

function fits(units: number, words: number): boolean {
  return units <= MOST_UNITS && words <= MOST_WORDS;
}

/** Joins the parts of a stretch into pieces of even size; a part that is too long itself goes to the next level. */
function pack(text: string, start: number, end: number, levels: Level[], take: Take): void {
  const [level, ...finer] = levels;
  if (!level) {
    slice(text, start, end, take);
    return;
  }
  const fill = (units: number, words: number) => Math.max(units / level.most, words / MOST_WORDS);
  const whole = fill(end - start, weighWords(text, start, end));
  const even = whole / Math.ceil(whole);
  let evenCutsLeft = Math.ceil(whole) - 1;

  let from = start;
  let words = 0;
  for (let at = start, next: number; at < end; at = next) {
    next = level.endOf(text, at, end);
    const more = weighWords(text, at, next);
    const tooLong = !fits(next - at, more);
    const isEven = evenCutsLeft > 0 && fill(at - from, words) >= even;
    if (tooLong || isEven || fill(next - from, words + more) > 1) {
      evenCutsLeft--;
      keep(text, from, at, take);
      from = at;
      words = 0;
    }
    words += more;
    if (tooLong) {
      pack(text, at, next, finer, take);
      from = next;
      words = 0;
    }
  }
  keep(text, from, end, take);
}

/** Cuts a stretch without any ends. Scripts without spaces reach the words of a piece in fewer units. */
function slice(text: string, start: number, end: number, take: Take): void {
  const unitsPerWord = (end - start) / weighWords(text, start, end);
  const most = Math.min(MOST_UNITS, Math.ceil(MOST_WORDS * unitsPerWord));
  for (let at = start, next: number; at < end; at = next) {
    next = at + most < end ? sliceEnd(text, at, at + most) : end;
    keep(text, at, next, take);
  }
}

function keep(text: string, start: number, end: number, take: Take): void {
  let last = end;
  while (last > start && isBlank(text.charCodeAt(last - 1))) last--;
  if (last > start) take(start, last);
}
