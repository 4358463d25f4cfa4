// Cuts texts into parts of about equal length.

import { cutUnits } from "../../kernel/text.ts";

/** Cuts a text before words into `count` parts of about equal length, so that all have about the same weight. */
export function partsOfText(text: string, count: number): string[] {
  const parts: string[] = [];
  for (let i = 1, start = 0; i <= count; i++) {
    const end = i === count ? text.length : wordStart(text, start, Math.floor((text.length * i) / count));
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** The last white space at or before `end`, or `end` itself if there is none after `start`. */
function wordStart(text: string, start: number, end: number): number {
  const piece = cutUnits(text.slice(start, end + 1), end - start);
  const space = piece.search(/\s\S*$/);
  return start + (space > 0 ? space : piece.length);
}
