// Adds a line to a text, under a heading or at the end. Takes time linear in the length of the text.

import { normalized } from "../../kernel/text.ts";

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
  const added = line.replaceAll("\n", lineEnd);
  const section = heading === undefined ? { start: 0, end: text.length } : sectionOf(text, heading);
  if (!section) {
    const before = withoutBlankEnd(text);
    const gap = before === "" ? "" : lineEnd.repeat(2);
    return `${before}${gap}## ${heading}${lineEnd.repeat(2)}${added}${lineEnd}`;
  }
  const before = text.slice(0, section.start) + withoutBlankEnd(text.slice(section.start, section.end));
  const after = text.slice(section.end);
  const last = before.slice(section.start).split("\n").at(-1) ?? "";
  const gap = before === "" ? "" : lineEnd.repeat(LIST_ITEM.test(last) || isNested(last) ? 1 : 2);
  return `${before}${gap}${added}${lineEnd}${after === "" ? "" : lineEnd}${after}`;
}

/** Whether a line continues a list item. */
const isNested = (line: string) => /^ {2,}\S/.test(line);

/** Without spaces and line ends at the end; other white space belongs to the text. */
function withoutBlankEnd(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\r\n".includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Only headings that begin a line count: indented ones may belong to a list item, such as a note of several lines. */
function sectionOf(text: string, heading: string): Section | undefined {
  const wanted = comparable(heading.replace(/^#+\s+/, ""));
  let found: { start: number } | undefined;
  let fence: string | undefined;
  let start = 0;
  for (const line of text.split("\n")) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    else if (fence === undefined && HEADING.test(line)) {
      if (found) return { start: found.start, end: start };
      if (comparable(titleOf(line)) === wanted) found = { start: start + line.length };
    }
    start += line.length + 1;
  }
  return found && { start: found.start, end: text.length };
}

const HEADING = /^#{1,6}[ \t]/;
const FENCE = /^ {0,3}(```|~~~)/;

/** The text of a heading, without the signs around it. */
function titleOf(line: string): string {
  const title = line.replace(/^#+/, "").trim();
  let end = title.length;
  while (title[end - 1] === "#") end--;
  return end === 0 || /\s/.test(title[end - 1]!) ? title.slice(0, end) : title;
}

const comparable = (heading: string) =>
  normalized(heading, "NFC").replaceAll(/[*_`]/g, "").replaceAll(/\s+/g, " ").trim().toLowerCase();
