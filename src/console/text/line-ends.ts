// Line ends of texts: text areas of browsers know only LF, and what a person did not change must stay as it is stored.

const END = /\r\n|\r|\n/g;

/** The text as a text area contains it. */
export const withoutCarriageReturns = (text: string) =>
  text.includes("\r") ? text.replace(END, "\n") : text;

/**
 * A typed text with the line ends of the stored one: equal lines at the start and at the end keep theirs, those between
 * get the most frequent one.
 */
export function withLineEndsOf(stored: string, typed: string): string {
  if (!stored.includes("\r")) return typed;
  const before = stored.split(END);
  const after = typed.split("\n");
  const ends = [...stored.matchAll(END)].map(([end]) => end);
  const [[usual] = ["\n"]] = [...Map.groupBy(ends, (end) => end)].sort(([, a], [, b]) => b.length - a.length);
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const moved = before.length - after.length;
  const endOf = (line: number) =>
    line < head ? ends[line] : line >= after.length - tail ? ends[line + moved] : usual;
  return after
    .map((line, index) => (index < after.length - 1 ? line + (endOf(index) ?? usual) : line))
    .join("");
}
