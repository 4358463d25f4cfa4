// Brings the number of pieces under a cap: neighbours become one, up to the smallest size that is enough, so that
// the results are even. It knows no Markdown. Paragraphs of one section join; if that cannot be enough, sections do.

import type { Range } from "./split.ts";

/** A paragraph chunk to be (level 0), or the heading that opens a section; `above` is the heading it stands under. */
export interface Piece extends Range {
  level: number;
  above: Piece | undefined;
}

/** Below this there is no room for the document, a paragraph before the first heading, a section and its paragraph. */
export const LEAST_CHUNKS = 4;

/**
 * Joins `pieces` until at most `most` are left, `most` being at least 3. A section that joins the one before it leaves
 * its heading as text: such pieces get level 0 in place.
 */
export function joinPieces(pieces: Piece[], most: number): Piece[] {
  if (pieces.length <= most) return pieces;
  joinSections(pieces, most);
  const isText = (i: number) => pieces[i]!.level === 0;
  const firsts = fewest(pieces, (i) => isText(i) && isText(i - 1), most);
  return firsts.map((first, group) => {
    const last = (firsts[group + 1] ?? pieces.length) - 1;
    return { ...pieces[first]!, end: pieces[last]!.end };
  });
}

function joinSections(pieces: Piece[], most: number): void {
  const headings = pieces.filter((piece) => piece.level > 0);
  let stretchesOfText = 0;
  for (let i = 0; i < pieces.length; i++) {
    if (pieces[i]!.level === 0 && pieces[i - 1]?.level !== 0) stretchesOfText++;
  }
  if (headings.length + stretchesOfText <= most) return;

  const end = pieces.at(-1)!.end;
  const sections = headings.map(({ start }, i) => ({ start, end: headings[i + 1]?.start ?? end }));
  // Each section that is left may have text, and so may the root.
  const underRoot = pieces[0]!.level === 0 ? 1 : 0;
  const firsts = fewest(sections, () => true, Math.floor((most - underRoot) / 2));
  for (let i = 0, group = 0; i < headings.length; i++) {
    if (firsts[group] === i) group++;
    else headings[i]!.level = 0;
  }
}

/** Indexes of the first ranges of at most `most` groups, joined up to about the smallest size that gives so few. */
function fewest(ranges: Range[], mayJoinLast: (i: number) => boolean, most: number): number[] {
  const isFirst = (i: number, start: number, units: number) =>
    i === 0 || ranges[i]!.end - start > units || !mayJoinLast(i);
  const isEnough = (units: number) => {
    let groups = 0;
    for (let i = 0, start = 0; i < ranges.length && groups <= most; i++) {
      if (!isFirst(i, start, units)) continue;
      start = ranges[i]!.start;
      groups++;
    }
    return groups <= most;
  };
  const longest = ranges.at(-1)!.end;
  let tooSmall = 0;
  let enough = Math.ceil(longest / most);
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
