// The offsets of a text's lines, in UTF-16 units of the stored text. A line ending is LF, CRLF or a lone CR, and
// nothing else (U+2028 and form feeds are ordinary characters).

const LF = 10;
const CR = 13;
const BOM = 0xfeff;

/** Start offset of each line, followed by the length of the text. A byte order mark belongs to no line. */
export function lineStarts(text: string): Int32Array {
  let count = 2;
  for (let i = 0; i < text.length; i++) if (endsLine(text, i)) count++;
  const starts = new Int32Array(count);
  starts[0] = text.charCodeAt(0) === BOM ? 1 : 0;
  let line = 1;
  for (let i = 0; i < text.length; i++) if (endsLine(text, i)) starts[line++] = i + 1;
  starts[line] = text.length;
  return starts;
}

/** Whether the unit at `i` is the last one of a line ending: an LF, or a CR that no LF follows. */
export function endsLine(text: string, i: number): boolean {
  const unit = text.charCodeAt(i);
  return unit === LF || (unit === CR && text.charCodeAt(i + 1) !== LF);
}

/** Whether a UTF-16 unit may occur in a blank line: a space, a tab or part of a line ending. */
export function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === LF || unit === CR;
}

/** `end` moved back over the line ending and the blank lines before it, but never before `start`. */
export function withoutBlankLines(text: string, start: number, end: number): number {
  let last = end;
  for (let i = end; i > start && isBlank(text.charCodeAt(i - 1)); i--) {
    const unit = text.charCodeAt(i - 1);
    if (unit === LF || unit === CR) last = i - 1;
  }
  return last;
}
