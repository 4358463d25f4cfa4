// Finds the top-level blocks of a Markdown text and their offsets, with the block rules of markdown-it. It does not
// parse inline markup, and parses nested blocks only to find the end of the outer one.

import { frontMatterLines } from "./front-matter.ts";
import { lineStarts, withoutBlankLines } from "./lines.ts";
import { BlockState, EVERY_REFERENCE, markdown, normalizeSource, parseBlocks } from "./parser.ts";

/**
 * The kinds of blocks that are split in different ways; `rule` is a thematic break, `reference` a run of link
 * definitions.
 */
export type BlockKind = "heading" | "front-matter" | "prose" | "list" | "lines" | "reference" | "rule";

/** One top-level block: `start` and `end` in UTF-16 units, end exclusive and without trailing blank lines. */
export interface Block {
  kind: BlockKind;
  start: number;
  end: number;
  /** 1 to 6 for a heading, else 0. */
  level: number;
}

const KINDS: Record<string, BlockKind> = {
  heading_open: "heading",
  paragraph_open: "prose",
  blockquote_open: "prose",
  bullet_list_open: "list",
  ordered_list_open: "list",
  table_open: "lines",
  fence: "lines",
  code_block: "lines",
  html_block: "lines",
  hr: "rule",
  reference_definition: "reference",
};

/** Lines parsed at a time: with 5 MB of short lines at once, markdown-it's line tables cost 0.5 s and 200 MB. */
const WINDOW_LINES = 4096;

/**
 * Calls `visit` with the top-level blocks in order. Every line that is not blank is in exactly one block. Front matter
 * comes first; a thematic break is joined to the block before it, or else after it; adjacent link definitions are
 * joined.
 */
export function scanBlocks(text: string, visit: (block: Block) => void): void {
  const starts = lineStarts(text);
  const lines = starts.length - 1;
  let last: Block | undefined;
  const add = ({ kind, level, from, to }: OuterBlock, line: number) => {
    const start = starts[line + from]!;
    const end = withoutBlankLines(text, start, starts[line + to]!);
    if (last && areJoined(last.kind, kind)) {
      last.end = end;
      if (last.kind === "rule") last.kind = kind;
      return;
    }
    if (last) visit(last);
    last = { kind, level, start, end };
  };

  let line = frontMatterLines(text, starts);
  if (line > 0) add({ kind: "front-matter", level: 0, from: 0, to: line }, 0);
  for (let size = WINDOW_LINES; line < lines; ) {
    const to = Math.min(line + size, lines);
    const found = outerBlocks(text.slice(starts[line], starts[to]));
    let complete = found.length;
    if (to < lines && complete > 0) {
      // The last block may continue, and an apparent paragraph after a link definition may be its title.
      complete--;
      if (found[complete - 1]?.kind === "reference") complete--;
    }
    for (const block of found.slice(0, complete)) add(block, line);
    size = complete === 0 && found.length > 0 ? size * 8 : WINDOW_LINES;
    const rest = found[complete];
    line = rest ? line + rest.from : to;
  }
  if (last) visit(last);
}

function areJoined(before: BlockKind, after: BlockKind): boolean {
  if (before === "heading" || before === "front-matter" || after === "heading") return false;
  return before === "rule" || after === "rule" || (before === "reference" && after === "reference");
}

/** A block by its line numbers within the parsed window; `to` is exclusive. */
interface OuterBlock {
  kind: BlockKind;
  level: number;
  from: number;
  to: number;
}

function outerBlocks(text: string): OuterBlock[] {
  const state = new OuterState(normalizeSource(text), markdown, { references: EVERY_REFERENCE }, []);
  const blocks: OuterBlock[] = [];
  parseBlocks(state, (from, to) => {
    const kind = KINDS[state.outerType]!;
    blocks.push({ kind, level: kind === "heading" ? Number(state.outerTag[1]) : 0, from, to });
  });
  return blocks;
}

/** Creates no tokens, because 5 MB of small blocks would make millions; stores only the type of the outermost block. */
class OuterState extends BlockState {
  outerType = "";
  outerTag = "";
  private readonly token = new this.Token("", "", 0);

  override push(type: string, tag: string, nesting: -1 | 0 | 1) {
    if (this.level === 0) {
      this.outerType = type;
      this.outerTag = tag;
    }
    this.countQuote(type);
    this.level += nesting;
    return this.token;
  }

  /** The rules read a block's text only to store it in its token. */
  override getLines() {
    return "";
  }
}
