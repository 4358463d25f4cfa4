// Markdown of results: short lines with the title first, texts cut to what fits into a result, and how to continue.

import { cutUnits } from "../../kernel/text.ts";
import { ToolFailure } from "./tool.ts";

/** A result has at most about 8,000 tokens of 4 characters; the rest is for its heading and for the last line. */
const MAX_TEXT_CHARACTERS = 30_000;
const HEADING_CHARACTERS = 1_000;
const MAX_TITLE_CHARACTERS = 200;

/** Controls, overrides of the direction and invisible tag characters: a client may show a title on a terminal. */
const CONTROLS = /\p{Cc}|[\u061c\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;

/** A text on one line without control characters, at most `maximum` UTF-16 units. */
export function oneLine(text: string, maximum = MAX_TITLE_CHARACTERS): string {
  const line = text.replace(/\s+/g, " ").replace(CONTROLS, "").trim();
  return line.length <= maximum ? line : `${cutUnits(line, maximum - 1)}…`;
}

/** A title in bold. */
export function bold(title: string): string {
  return `**${oneLine(title).replaceAll("**", "* *")}**`;
}

/** Facts in brackets; missing ones are omitted. */
export function facts(...values: (string | undefined | null | false)[]): string {
  const known = values.filter(Boolean);
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

/** `name: a, b`, or undefined without values. */
export function listed(name: string, values: readonly string[] | undefined): string | undefined {
  return values && values.length > 0 ? `${name}: ${oneLine(values.join(", "))}` : undefined;
}

/** A point in time as a date and time in UTC. */
export function moment(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Lines below a list item. */
export function indented(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
}

/** Paragraphs; missing and empty ones are omitted. */
export function paragraphs(...parts: (string | undefined | null | false)[]): string {
  return parts.filter(Boolean).join("\n\n");
}

/** `1 document`, `3 documents`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A line for results that may be incomplete, from `meta` of a search or answer. */
export const pendingText = ({ pending }: { pending?: number }) =>
  pending !== undefined &&
  `[${countOf(pending, "record")} still being indexed: results may be incomplete. Try again in some seconds.]`;

interface Part {
  offset?: number;
  /** The call to repeat. */
  repeat: string;
  /** What the result says before the text. A long one leaves less room for the text. */
  heading?: string;
}

/** A part of a long text, and the sentence that says how to continue. */
export function partOf(text: string, { offset = 0, repeat, heading = "" }: Part): string {
  if (offset < 0 || offset > text.length) {
    throw new ToolFailure(400, `offset must be 0 to ${text.length}, the length of the text`);
  }
  const room = MAX_TEXT_CHARACTERS - Math.max(0, heading.length - HEADING_CHARACTERS);
  const part = cutUnits(text.slice(offset), room);
  const end = offset + part.length;
  if (end >= text.length) return part;
  return `${part}\n\n[Characters ${offset} to ${end} of ${text.length}. Continue: ${repeat} with offset ${end}.]`;
}

/** The number of leading items that fit into a result together; at least one. */
export function fittingCount(items: readonly string[]): number {
  let length = 0;
  for (const [index, item] of items.entries()) {
    length += item.length + 1;
    if (length > MAX_TEXT_CHARACTERS && index > 0) return index;
  }
  return items.length;
}

/** A result that has no other way to continue, cut to the maximum with advice. */
export function cutResult(text: string, advice: string): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return text;
  return `${cutUnits(text, MAX_TEXT_CHARACTERS)}\n\n[The result is longer. ${advice}]`;
}
