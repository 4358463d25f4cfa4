// The headings of a long document with their offsets, so that a reader can choose where to go on.

import { oneLine } from "./markdown.ts";

const HEADING_CHARACTERS = 80;
/** A heading, or the line that opens or closes a code block. */
const LINE = /^ {0,3}(?:(#{1,6}) +(.+)|(```|~~~).*)$/gm;

/** The headings of a text, at most `room` characters: deeper ones are left out first. Undefined without any. */
export function outlineOf(text: string, room: number): string | undefined {
  const headings: { level: number; line: string }[] = [];
  let isCode = false;
  for (const { 1: marks, 2: heading, 3: fence, index } of text.matchAll(LINE)) {
    if (fence !== undefined) isCode = !isCode;
    if (isCode || marks === undefined || heading === undefined) continue;
    const indent = "  ".repeat(marks.length - 1);
    headings.push({
      level: marks.length,
      line: `${indent}- ${oneLine(heading, HEADING_CHARACTERS)} ${index}`,
    });
  }
  for (let deepest = 6; deepest > 0; deepest--) {
    const shown = headings.filter(({ level }) => level <= deepest).map(({ line }) => line);
    if (shown.length === 0) return undefined;
    const outline = `Sections, each with its offset:\n${shown.join("\n")}`;
    if (outline.length <= room) return outline;
  }
  return undefined;
}
