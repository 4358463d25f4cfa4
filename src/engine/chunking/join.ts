// Reduces the number of pieces to a maximum by joining neighbours: paragraphs of one section, and whole sections if
// that is not enough. Joined pieces are as short as the maximum number allows, so that their sizes are similar.

import type { Range } from "./split.ts";

/** The text of a paragraph chunk (level 0), or the heading of a section. */
export interface Piece extends Range {
  level: number;
  /** The nearest earlier heading with a smaller level; undefined for text and outermost headings. */
  parent: Piece | undefined;
}

/** The document, a paragraph before the first heading, a section and its paragraph. */
export const MIN_CHUNKS = 4;

/**
 * Joins `pieces` until at most `max` (3 or more) are left. The heading of a section that is joined to the previous one
 * becomes text: its level is set to 0 in place.
 */
export function joinPieces(pieces: Piece[], max: number): Piece[] {
  if (pieces.length <= max) return pieces;
  joinSections(pieces, max);
  const isText = (i: number) => pieces[i]!.level === 0;
  const groupStarts = groupEvenly(pieces, (i) => isText(i) && isText(i - 1), max);
  return groupStarts.map((first, group) => {
    const last = (groupStarts[group + 1] ?? pieces.length) - 1;
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
  const textsUnderRoot = pieces[0]!.level === 0 ? 1 : 0;
  const groupStarts = groupEvenly(sections, () => true, Math.floor((max - textsUnderRoot) / 2));
  for (let i = 0, group = 0; i < headings.length; i++) {
    if (groupStarts[group] === i) group++;
    else headings[i]!.level = 0;
  }
}

/**
 * Groups neighbouring ranges into at most `max` groups. Searches for about the smallest group size with which this is
 * possible. Returns the index of the first range of each group. `mayJoinPrevious` is true if a range may be in one
 * group with the range before it.
 */
function groupEvenly(ranges: Range[], mayJoinPrevious: (i: number) => boolean, max: number): number[] {
  const isFirst = (i: number, start: number, units: number) =>
    i === 0 || ranges[i]!.end - start > units || !mayJoinPrevious(i);
  const isSufficient = (units: number) => {
    let groups = 0;
    for (let i = 0, start = 0; i < ranges.length && groups <= max; i++) {
      if (!isFirst(i, start, units)) continue;
      start = ranges[i]!.start;
      groups++;
    }
    return groups <= max;
  };
  const total = ranges.at(-1)!.end;
  let tooSmall = 0;
  let sufficient = Math.ceil(total / max);
  while (sufficient < total && !isSufficient(sufficient)) {
    tooSmall = sufficient;
    sufficient *= 2;
  }
  while (sufficient - tooSmall > Math.max(1, sufficient / 32)) {
    const middle = (tooSmall + sufficient) >> 1;
    if (isSufficient(middle)) sufficient = middle;
    else tooSmall = middle;
  }
  const groupStarts: number[] = [];
  for (let i = 0, start = 0; i < ranges.length; i++) {
    if (!isFirst(i, start, sufficient)) continue;
    start = ranges[i]!.start;
    groupStarts.push(i);
  }
  return groupStarts;
}
