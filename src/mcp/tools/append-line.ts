// Adds a line to a text, under a heading or at the end.

/** A heading, or the line that opens or closes a code block. */
const LINE = /^ {0,3}(?:(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*|(```|~~~).*)$/gm;
const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s/;

interface Section {
  /** Where the text under the heading starts. */
  start: number;
  /** Where the next heading starts, or the end of the text. */
  end: number;
}

/**
 * The text with a line at the end of the section with this heading, before the next heading. Headings are compared
 * without case; of several, the first is taken, and a missing one is added at the end. Line ends are those of the text.
 */
export function withLine(text: string, line: string, heading: string | undefined): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const added = line.replaceAll(/\r?\n/g, lineEnd);
  const section = heading === undefined ? { start: 0, end: text.length } : sectionOf(text, heading);
  if (!section) {
    const before = text.trimEnd();
    const gap = before === "" ? "" : lineEnd.repeat(2);
    return `${before}${gap}## ${heading}${lineEnd.repeat(2)}${added}${lineEnd}`;
  }
  const before = text.slice(0, section.start) + text.slice(section.start, section.end).trimEnd();
  const after = text.slice(section.end);
  const last = before.slice(section.start).split("\n").at(-1) ?? "";
  const gap = before === "" ? "" : lineEnd.repeat(LIST_ITEM.test(last) || isNested(last) ? 1 : 2);
  return `${before}${gap}${added}${lineEnd}${after === "" ? "" : lineEnd}${after}`;
}

/** Whether a line continues a list item. */
const isNested = (line: string) => /^ {2,}\S/.test(line);

function sectionOf(text: string, heading: string): Section | undefined {
  const wanted = comparable(heading.replace(/^#+\s+/, ""));
  let found: { start: number } | undefined;
  let isCode = false;
  for (const { 0: whole, 1: marks, 2: title = "", 3: fence, index } of text.matchAll(LINE)) {
    if (fence !== undefined) isCode = !isCode;
    if (isCode || marks === undefined) continue;
    if (found) return { start: found.start, end: index };
    if (comparable(title) === wanted) found = { start: index + whole.length };
  }
  return found && { start: found.start, end: text.length };
}

const comparable = (heading: string) =>
  heading.normalize("NFC").replaceAll(/[*_`]/g, "").replaceAll(/\s+/g, " ").trim().toLowerCase();
