// The chunks of a Markdown document as a flat list: the document, its sections, their paragraphs. Sections do not nest:
// each is a child of the document, and sectionPath contains the headings above it.

import { LIMITS } from "../../kernel/limits.ts";
import { scanBlocks } from "../markdown/blocks.ts";
import { headingText } from "./heading.ts";
import { joinPieces, MIN_CHUNKS, type Piece } from "./join.ts";
import { type OnPiece, type Range, splitBlock } from "./split.ts";
import { countWords } from "./words.ts";

/** One chunk before it is stored. Offsets count UTF-16 units of the text. */
export interface ChunkDraft {
  level: "document" | "section" | "paragraph";
  /** Index into the list; null only for element 0, the document. */
  parent: number | null;
  /** Position among the children of the same parent, from 0. */
  chunkIndex: number;
  startIndex: number;
  /** Exclusive; trailing blank lines are left out. */
  endIndex: number;
  /** Plain text of the section's heading, also of its paragraphs; missing outside of sections. */
  headingText?: string;
  /** Headings from the outermost down to the section's own; empty outside of sections. */
  sectionPath: string[];
  /** Words in any script, see countWords. */
  wordCount: number;
}

/**
 * Splits a document into at most `maxChunks` chunks (throws RangeError below 4), in document order, parents before
 * their children. Every line that is not blank is in a paragraph or is its section's heading.
 */
export function chunkMarkdown(text: string, maxChunks: number = LIMITS.document.chunks): ChunkDraft[] {
  if (maxChunks < MIN_CHUNKS) throw new RangeError(`maxChunks must be at least ${MIN_CHUNKS}`);
  const pieces = joinPieces(readPieces(text), maxChunks - 1);
  const drafts: ChunkDraft[] = [];
  const childCounts: number[] = [];
  /** Returns the index of the added chunk. */
  const add = (
    place: Pick<ChunkDraft, "level" | "parent" | "sectionPath">,
    { start, end }: Range,
  ): number => {
    const chunkIndex = place.parent === null ? 0 : childCounts[place.parent]!++;
    childCounts.push(0);
    const { level, parent, sectionPath } = place;
    const wordCount = countWords(text, start, end);
    const draft: ChunkDraft = {
      level,
      parent,
      chunkIndex,
      startIndex: start,
      endIndex: end,
      sectionPath,
      wordCount,
    };
    const heading = sectionPath.at(-1);
    if (heading !== undefined) draft.headingText = heading;
    return drafts.push(draft) - 1;
  };

  const pathOf = headingPaths(text);
  const end = pieces.at(-1)?.end ?? 0;
  let parent = add({ level: "document", parent: null, sectionPath: [] }, { start: 0, end });
  let sectionPath: string[] = [];
  for (const [i, piece] of pieces.entries()) {
    if (piece.level === 0) {
      add({ level: "paragraph", parent, sectionPath }, piece);
      continue;
    }
    let last = i;
    while (pieces[last + 1]?.level === 0) last++;
    sectionPath = pathOf(piece);
    parent = add(
      { level: "section", parent: 0, sectionPath },
      { start: piece.start, end: pieces[last]!.end },
    );
  }
  return drafts;
}

/** Headings and paragraphs in document order, each heading with its parent heading. */
function readPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  const addText: OnPiece = (start, end) => pieces.push({ start, end, level: 0, parent: undefined });
  let heading: Piece | undefined;
  scanBlocks(text, (block) => {
    if (block.kind !== "heading") return splitBlock(text, block, addText);
    const { start, end, level } = block;
    let parent = heading;
    while (parent && parent.level >= level) parent = parent.parent;
    heading = { start, end, level, parent };
    pieces.push(heading);
  });
  return pieces;
}

/**
 * Returns a function that returns the texts of a heading and the headings above it, outermost first. Caches each text.
 */
function headingPaths(text: string): (heading: Piece) => string[] {
  const cache = new Map<Piece, string>();
  return (heading) => {
    const path: string[] = [];
    for (let at: Piece | undefined = heading; at; at = at.parent) {
      const title = cache.get(at) ?? headingText(text, at);
      cache.set(at, title);
      path.unshift(title);
    }
    return path;
  };
}
