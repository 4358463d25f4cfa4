// Markdown of results: short lines with the title first.

import { cutUnits } from "../../kernel/text.ts";

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

/** The day of a point in time, in UTC. */
export function day(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
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
