// Reduces the number of pieces to a maximum by joining neighbours, up to the smallest size that is enough, so that the
// results are even. It knows no Markdown. Paragraphs of one section are joined; if that is not enough, sections are.

import type { Range } from "./split.ts";

/** A future paragraph chunk (level 0) or the heading of a section; `above` is its parent heading. */
export interface Piece extends Range {
  level: number;
  above: Piece | undefined;
}

/** Enough for the document, a paragraph before the first heading, a section and its paragraph. */
export const MIN_CHUNKS = 4;

/**
 * Joins `pieces` until at most `max` (3 or more) are left. The heading of a section that is joined to the one before it
 * becomes text: its level is set to 0 in place.
 */
export function joinPieces(pieces: Piece[], max: number): Piece[] {
  if (pieces.length <= max) return pieces;
  joinSections(pieces, max);
  const isText = (i: number) => pieces[i]!.level === 0;
  const firsts = fewest(pieces, (i) => isText(i) && isText(i - 1), max);
  return firsts.map((first, group) => {
    const last = (firsts[group + 1] ?? pieces.length) - 1;
    return { ...pieces[first]!, end: pieces[last]!.end };
  });
}

function joinSections(pieces: Piece[], max: number): void {
  const headings = pieces.filter((piece) => piece.level > 0);
  let runsOfText = 0;
  for (const [i, { level }] of pieces.entries()) if (level === 0 && pieces[i - 1]?.level !== 0) runsOfText++;
  if (headings.length + runsOfText <= max) return;

  const end = pieces.at(-1)!.end;
  const sections = headings.map(({ start }, i) => ({ start, end: headings[i + 1]?.start ?? end }));
  // Each remaining section may have text, and so may the root.
  const underRoot = pieces[0]!.level === 0 ? 1 : 0;
  const firsts = fewest(sections, () => true, Math.floor((max - underRoot) / 2));
  for (let i = 0, group = 0; i < headings.length; i++) {
    if (firsts[group] === i) group++;
    else headings[i]!.level = 0;
  }
}

/** Groups neighbouring ranges into at most `max` groups of about the smallest sufficient size; the index of each first one. */
function fewest(ranges: Range[], mayJoinLast: (i: number) => boolean, max: number): number[] {
  const isFirst = (i: number, start: number, units: number) =>
    i === 0 || ranges[i]!.end - start > units || !mayJoinLast(i);
  const isEnough = (units: number) => {
    let groups = 0;
    for (let i = 0, start = 0; i < ranges.length && groups <= max; i++) {
      if (!isFirst(i, start, units)) continue;
      start = ranges[i]!.start;
      groups++;
    }
    return groups <= max;
  };
  const longest = ranges.at(-1)!.end;
  let tooSmall = 0;
  let enough = Math.ceil(longest / max);
  while (enough < longest && !isEnough(enough)) {
    tooSmall = enough;
    enough *= 2;
  }
  while (enough - tooSmall > Math.max(1, enough / 32)) {
    const middle = (tooSmall + enough) >> 1;
    if (isEnough(middle)) enough = middle;
    else tooSmall = middle;
  }
  const firsts: number[] = [];
  for (let i = 0, start = 0; i < ranges.length; i++) {
    if (!isFirst(i, start, enough)) continue;
    start = ranges[i]!.start;
    firsts.push(i);
  }
  return firsts;
}
