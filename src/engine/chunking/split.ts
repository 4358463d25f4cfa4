// Splits a block that is too long for one paragraph chunk, at the coarsest boundaries that give pieces of the wanted
// size. Pieces are in order, and only blanks are between them.

import type { Block, BlockKind } from "../markdown/blocks.ts";
import { isBlank } from "../markdown/lines.ts";
import { type EndOf, itemEnd, lineEnd, sentenceEnd, sliceEnd, wordEnd } from "./ends.ts";
import { estimateWords } from "./words.ts";

/** A range of the text in UTF-16 units, end exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** A block of more words is split (the contract's "about 400 words"). */
const MAX_WORDS = 400;
/** Text without boundaries is cut at this many UTF-16 units (the contract). */
const MAX_UNITS = 2_400;
/** A piece of complete sentences, rows or items may be longer: 400 words of German or code exceed 2,400 units. */
const MAX_UNITS_OF_COMPLETE_PARTS = 2 * MAX_UNITS;

interface Level {
  endOf: EndOf;
  /** Maximum length of a piece made of such parts, in UTF-16 units. */
  maxUnits: number;
}

const ITEMS: Level = { endOf: itemEnd, maxUnits: MAX_UNITS_OF_COMPLETE_PARTS };
const LINES: Level = { endOf: lineEnd, maxUnits: MAX_UNITS_OF_COMPLETE_PARTS };
const SENTENCES: Level = { endOf: sentenceEnd, maxUnits: MAX_UNITS_OF_COMPLETE_PARTS };
/** Lines of prose may end anywhere in a sentence. */
const WRAPPED_LINES: Level = { endOf: lineEnd, maxUnits: MAX_UNITS };
const WORDS: Level = { endOf: wordEnd, maxUnits: MAX_UNITS };

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

/** Receives one piece of a block. */
export type OnPiece = (start: number, end: number) => void;

/** Calls `onPiece` with the pieces of `block`: the whole block unless it is too long. */
export function splitBlock(text: string, block: Block, onPiece: OnPiece): void {
  const { start, end } = block;
  if (end - start <= MAX_WORDS || fits(end - start, estimateWords(text, start, end))) onPiece(start, end);
  else pack({ text, onPiece }, block, LEVELS[block.kind]);
}

function fits(units: number, words: number): boolean {
  return units <= MAX_UNITS && words <= MAX_WORDS;
}

/** The text that is split and the receiver of its pieces. */
interface Output {
  text: string;
  onPiece: OnPiece;
}

/** Joins the parts of a range into pieces of even size; a part that is too long itself is split at the next level. */
function pack(output: Output, { start, end }: Range, levels: readonly Level[]): void {
  const [level, ...finer] = levels;
  if (!level) {
    slice(output, { start, end });
    return;
  }
  const { text } = output;
  /** The share of the maximum size of a piece that a text has. */
  const fill = (units: number, words: number) => Math.max(units / level.maxUnits, words / MAX_WORDS);
  const total = fill(end - start, estimateWords(text, start, end));
  const evenFill = total / Math.ceil(total);
  let evenCutsLeft = Math.ceil(total) - 1;

  let from = start;
  let words = 0;
  for (let at = start, next: number; at < end; at = next) {
    next = level.endOf(text, at, end);
    const partWords = estimateWords(text, at, next);
    const isTooLong = !fits(next - at, partWords);
    const isEven = evenCutsLeft > 0 && fill(at - from, words) >= evenFill;
    if (isTooLong || isEven || fill(next - from, words + partWords) > 1) {
      evenCutsLeft--;
      emit(output, from, at);
      from = at;
      words = 0;
    }
    words += partWords;
    if (isTooLong) {
      pack(output, { start: at, end: next }, finer);
      from = next;
      words = 0;
    }
  }
  emit(output, from, end);
}

/** Cuts a range without boundaries. Scripts without spaces reach the maximum number of words in fewer units. */
function slice(output: Output, { start, end }: Range): void {
  const { text } = output;
  const unitsPerWord = (end - start) / estimateWords(text, start, end);
  const maxUnits = Math.min(MAX_UNITS, Math.ceil(MAX_WORDS * unitsPerWord));
  for (let at = start, next: number; at < end; at = next) {
    next = at + maxUnits < end ? sliceEnd(text, at, at + maxUnits) : end;
    emit(output, at, next);
  }
}

/** Passes on a piece without trailing blanks, unless it is blank. */
function emit({ text, onPiece }: Output, start: number, end: number): void {
  let last = end;
  while (last > start && isBlank(text.charCodeAt(last - 1))) last--;
  if (last > start) onPiece(start, last);
}
