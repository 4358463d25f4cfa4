// Running heads and feet of a PDF: lines that pages repeat at their edges. One copy of each stays.

import type { Line } from "./pdf-lines.ts";

/** A line that occurs at the top or bottom of this share of the pages is a running head or foot. */
const REPEATED_SHARE = 0.5;
const MIN_PAGES = 4;
const EDGE_LINES = 2;
/** A page whose repeated lines are more than this share of all keeps them: they are its content. */
const MAX_REMOVED = 1 / 3;
/** Numbers of a line that are compared with the number of its page. */
const MAX_NUMBERS = 4;
/** `page` as books and reports write it, before a number. */
const PAGE = String.raw`page|p\.|seite|s\.|página|pagina|pág\.|side|sivu|strana|страница|стр\.`;
/** `of`, before the number of pages. */
const OF = "of|von|de|di|av|af|z|из";
/** A page number alone: no copy of it stays. */
const PAGE_NUMBER = new RegExp(
  String.raw`^[\W_]*(?:${PAGE})?[\W_]*\d+[\W_]*(?:(?:${OF})?[\W_]*\d+)?[\W_]*$`,
  "iu",
);

/**
 * Leaves out heads and feet on pages that keep most of their lines. The first head of each kind stays where it is, the
 * first foot comes to the end of the last page, because it would divide a paragraph.
 */
export function withoutRunningHeads(pages: readonly Line[][]): Line[][] {
  if (pages.length < MIN_PAGES) return [...pages];
  const heads = new Set<Line>();
  const edges = new Set<Line>();
  for (const lines of pages) {
    const byHeight = lines.toSorted((a, b) => b.y - a.y);
    for (const line of byHeight.slice(0, EDGE_LINES)) {
      heads.add(line);
      edges.add(line);
    }
    for (const line of byHeight.slice(-EDGE_LINES)) edges.add(line);
  }
  const counts = new Map<string, number>();
  for (const line of edges) for (const key of keysOf(line)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const minimum = pages.length * REPEATED_SHARE;
  const repeatedKey = (line: Line) =>
    edges.has(line) ? keysOf(line).find((key) => counts.get(key)! >= minimum) : undefined;
  const seen = new Set<string>();
  const feet: Line[] = [];
  const kept = pages.map((lines) => {
    const repeated = new Map(
      lines.flatMap((line) => {
        const key = repeatedKey(line);
        return key === undefined ? [] : [[line, key] as const];
      }),
    );
    if (repeated.size > MAX_REMOVED * lines.length) return lines;
    return lines.filter((line) => {
      const key = repeated.get(line);
      if (key === undefined) return true;
      const isFirst = !seen.has(key) && !PAGE_NUMBER.test(line.text);
      seen.add(key);
      if (isFirst && !heads.has(line)) feet.push(line);
      return isFirst && heads.has(line);
    });
  });
  const page = pages.length;
  kept.at(-1)!.push(...feet.map((line) => ({ ...line, page, y: Number.NEGATIVE_INFINITY })));
  return kept;
}

/** The text, and the text with one number less the number of the page. */
function keysOf({ text, page }: Line): string[] {
  const numbers = [...text.matchAll(/\d+/g)].slice(0, MAX_NUMBERS);
  const relative = numbers.map(
    ({ index, 0: number }) =>
      `${text.slice(0, index)}\0${Number(number) - page}\0${text.slice(index + number.length)}`,
  );
  return [text, ...relative];
}
