// How much of a result fits: the tokens that a client allows, and where a long text is cut.

import { cutUnits } from "../../kernel/text.ts";
import { ToolFailure } from "./tool.ts";

/** What a client pays for one token, on average. */
const CHARACTERS_PER_TOKEN = 4;
/** Some clients cut or refuse results of more than 10,000 tokens. */
const DEFAULT_TOKENS = 8_000;
const MIN_TOKENS = 200;
const MAX_TOKENS = 20_000;
/** For the last line, which says how to continue. */
const NOTE_CHARACTERS = 300;
const MIN_PART_CHARACTERS = 200;
/** A part is filled at least this far before it ends at a smaller unit than a block. */
const MIN_FILLED = 0.3;

/** Characters of a result of at most `maxTokens` tokens, without the last line. Values are moved into the range. */
export function roomFor(maxTokens = DEFAULT_TOKENS): number {
  const tokens = Math.min(Math.max(maxTokens, MIN_TOKENS), MAX_TOKENS);
  return tokens * CHARACTERS_PER_TOKEN - NOTE_CHARACTERS;
}

interface Part {
  offset?: number;
  /** The call to repeat. */
  repeat: string;
  /** What the result says before the text; it leaves less room for the text. */
  heading?: string;
  room: number;
}

/**
 * A part of a long text, which ends between two blocks if it can, and the sentence that says how to continue. Throws
 * ToolFailure (400) for an offset outside of the text.
 */
export function partOf(text: string, { offset = 0, repeat, heading = "", room }: Part): string {
  if (offset < 0 || offset > text.length) {
    throw new ToolFailure(400, `offset must be 0 to ${text.length}, the length of the text`);
  }
  const rest = text.slice(offset);
  const part = leadingBlocks(rest, Math.max(room - heading.length, MIN_PART_CHARACTERS));
  if (part.length === rest.length) return part;
  const end = offset + part.length;
  return `${part}\n\n[Characters ${offset} to ${end} of ${text.length}. Continue: ${repeat} with offset ${end}.]`;
}

/** Where a text may be cut, the best places first. */
const ENDS = [/\n\s*\n/g, /\n/g, /[.!?]["')\]]*\s+|[。！？]/g, /\s+/g];

/** Whether the last line before a place is a heading, which belongs to what follows. */
function endsWithHeading(text: string, place: number): boolean {
  const before = text.slice(0, place).trimEnd();
  return /^#{1,6}\s/.test(before.slice(before.lastIndexOf("\n") + 1));
}

/** The start of a text, at most `room` characters: whole blocks, else whole lines, sentences or words. */
function leadingBlocks(text: string, room: number): string {
  if (text.length <= room) return text;
  const start = cutUnits(text, room);
  for (const end of ENDS) {
    const places = [...start.matchAll(end)].map(({ index, 0: found }) => index + found.length);
    const last = places.findLast(
      (place) =>
        place >= start.length * MIN_FILLED && !isInCode(start, place) && !endsWithHeading(start, place),
    );
    if (last !== undefined) return start.slice(0, last);
  }
  return start;
}

/** Whether a place is inside a fenced code block. */
const isInCode = (text: string, place: number) =>
  (text.slice(0, place).match(/^ {0,3}(```|~~~)/gm) ?? []).length % 2 === 1;

/** The number of leading items that fit into a result together; at least one. */
export function fittingCount(items: readonly string[], room: number): number {
  let length = 0;
  for (const [index, item] of items.entries()) {
    length += item.length + 1;
    if (length > room && index > 0) return index;
  }
  return items.length;
}

/** A result that has no other way to continue, cut with advice. */
export function cutResult(text: string, { room, advice }: { room: number; advice: string }): string {
  if (text.length <= room) return text;
  return `${leadingBlocks(text, room)}\n\n[The result is longer. ${advice}]`;
}
