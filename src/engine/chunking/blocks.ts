// Top-level Markdown blocks and their places in the text, found by the block rules of markdown-it. It knows nothing of
// sections or sizes. Inline markup is not parsed, nested blocks are parsed only to learn where the outer one ends.

import MarkdownIt, { type StateBlock } from "markdown-it";
import { lineStarts, withoutBlankLines } from "./lines.ts";

/** What a block is, as far as the way to split it goes; `rule` is a thematic break, `reference` link definitions. */
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

/**
 * Deeper than this everything is a paragraph, and a quote in that many quotes too. A list counts two levels. Each level
 * costs stack, each quote one more pass over its lines. Only where lines lazily continue such depths can the end of the
 * outer block come out differently.
 */
const DEEPEST_LEVEL = 24;
const DEEPEST_QUOTE = 2;
const GREATER_THAN = 62;

/** Lines parsed at a time: the tables of markdown-it over 5 MB of short lines would cost half a second and 200 MB. */
const WINDOW = 4096;

/**
 * Hands the top-level blocks to `visit` in order. Every line that is not blank is in exactly one. Front matter is the
 * first; thematic breaks go with the block before them, else with the one after; neighbouring link definitions are one.
 */
export function scanBlocks(text: string, visit: (block: Block) => void): void {
  const starts = lineStarts(text);
  const lines = starts.length - 1;
  let last: Block | undefined;
  const add = ({ kind, level, from, to }: OuterBlock, line: number) => {
    const start = starts[line + from]!;
    const end = withoutBlankLines(text, start, starts[line + to]!);
    if (last && goTogether(last.kind, kind)) {
      last.end = end;
      if (last.kind === "rule") last.kind = kind;
      return;
    }
    if (last) visit(last);
    last = { kind, level, start, end };
  };

  let line = frontMatterLines(text, starts);
  if (line > 0) add({ kind: "front-matter", level: 0, from: 0, to: line }, 0);
  for (let size = WINDOW; line < lines; ) {
    const to = Math.min(line + size, lines);
    const found = outerBlocks(text.slice(starts[line], starts[to]));
    let whole = found.length;
    if (to < lines && whole > 0) {
      // The last block may go on, and what looks like a paragraph after a link definition may be its title.
      whole--;
      if (found[whole - 1]?.kind === "reference") whole--;
    }
    for (let i = 0; i < whole; i++) add(found[i]!, line);
    size = whole === 0 && found.length > 0 ? size * 8 : WINDOW;
    line = found[whole] ? line + found[whole].from : to;
  }
  if (last) visit(last);
}

function goTogether(before: BlockKind, after: BlockKind): boolean {
  if (before === "heading" || before === "front-matter" || after === "heading") return false;
  return before === "rule" || after === "rule" || (before === "reference" && after === "reference");
}

/** A block by its lines, counted within the piece of text that was parsed. */
interface OuterBlock {
  kind: BlockKind;
  level: number;
  from: number;
  to: number;
}

function outerBlocks(text: string): OuterBlock[] {
  const source = text.replace(/\r\n?/g, "\n").replace(/\0/g, "\ufffd");
  const state = new OuterState(source, markdown, { references: ALL_KNOWN }, []);
  const blocks: OuterBlock[] = [];
  for (let from = state.skipEmptyLines(0); from < state.lineMax; from = state.skipEmptyLines(state.line)) {
    state.line = from;
    for (const rule of rules) if (rule(state, from, state.lineMax, false)) break;
    const kind = KINDS[state.outerType]!;
    blocks.push({ kind, level: kind === "heading" ? Number(state.outerTag[1]) : 0, from, to: state.line });
  }
  return blocks;
}

/** A state that keeps no tokens: 5 MB of small blocks would make millions. It remembers the outermost block's type. */
class OuterState extends new MarkdownIt().block.State {
  outerType = "";
  outerTag = "";
  quotes = 0;
  private readonly token = new this.Token("", "", 0);

  override push(type: string, tag: string, nesting: -1 | 0 | 1) {
    if (this.level === 0) {
      this.outerType = type;
      this.outerTag = tag;
    }
    if (type === "blockquote_open") this.quotes++;
    else if (type === "blockquote_close") this.quotes--;
    this.level += nesting;
    return this.token;
  }

  /** The rules ask for a block's text only to store it in its token. */
  override getLines() {
    return "";
  }
}

const markdown = new MarkdownIt({ html: true });
// Only the places of link definitions are of use here: no address is refused, none is kept.
markdown.normalizeLink = (address) => address;
markdown.validateLink = () => true;
const ALL_KNOWN = new Proxy<Record<string, { title: string; href: string }>>(
  {},
  { get: () => ({ title: "", href: "" }) },
);

/** Backslash escapes and character references, replaced by what they stand for. */
export function unescapeMarkdown(text: string): string {
  return markdown.utils.unescapeAll(text);
}

const paragraph = markdown.block.ruler.getRules("").at(-1)!;
markdown.block.ruler.before("table", "deep", (state: StateBlock, from, to, silent) => {
  const { level, quotes } = state as OuterState;
  if (level < DEEPEST_LEVEL) {
    if (quotes < DEEPEST_QUOTE) return false;
    if (state.src.charCodeAt(state.bMarks[from]! + state.tShift[from]!) !== GREATER_THAN) return false;
  }
  return paragraph(state, from, to, silent);
});
const rules = markdown.block.ruler.getRules("");

/**
 * Number of lines of YAML front matter: a first line `---` up to the next such line, both included; 0 if there is none.
 * As in Pandoc a blank second line means that the first one is a thematic break.
 */
function frontMatterLines(text: string, starts: Int32Array): number {
  const isFence = (line: number) =>
    text.startsWith("---", starts[line]!) &&
    starts[line + 1]! - starts[line]! < 80 &&
    text.slice(starts[line]!, starts[line + 1]!).trimEnd() === "---";
  const lines = starts.length - 1;
  if (!isFence(0) || text.slice(starts[1], starts[2]).trim() === "") return 0;
  for (let line = 1; line < lines; line++) if (isFence(line)) return line + 1;
  return 0;
}
