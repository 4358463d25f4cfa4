// The configured markdown-it parser: block rules with a nesting limit and inline rules that accept every link target.

import MarkdownIt, { type StateBlock } from "markdown-it";

/** The only markdown-it instance. Link targets are neither checked nor normalized: nothing here follows them. */
export const markdown = new MarkdownIt({ html: true });
markdown.normalizeLink = (address) => address;
markdown.validateLink = () => true;

/**
 * Content nested deeper than this is parsed as a paragraph, and so is a quote inside this many quotes. A list adds two
 * levels. Each level costs stack depth, each quote one more pass over its lines. The end of the outer block can differ
 * from unlimited parsing only where lazy continuation lines reach such depths.
 */
const MAX_LEVEL = 24;
const MAX_QUOTES = 2;
const GREATER_THAN = 62;

/** As `env.references`: every label counts as defined, so that the parser stores no definitions. */
export const EVERY_REFERENCE = new Proxy<Record<string, { title: string; href: string }>>(
  {},
  { get: () => ({ title: "", href: "" }) },
);

/** A block parser state that counts the open quotes. */
export class BlockState extends markdown.block.State {
  quotes = 0;

  override push(type: string, tag: string, nesting: -1 | 0 | 1) {
    this.countQuote(type);
    return super.push(type, tag, nesting);
  }

  protected countQuote(type: string): void {
    if (type === "blockquote_open") this.quotes++;
    else if (type === "blockquote_close") this.quotes--;
  }
}

const paragraph = markdown.block.ruler.getRules("").at(-1)!;
markdown.block.ruler.before("table", "nesting_limit", (state: StateBlock, from, to, silent) => {
  const { level, quotes } = state as BlockState;
  if (level < MAX_LEVEL) {
    if (quotes < MAX_QUOTES) return false;
    if (state.src.charCodeAt(state.bMarks[from]! + state.tShift[from]!) !== GREATER_THAN) return false;
  }
  return paragraph(state, from, to, silent);
});
const rules = markdown.block.ruler.getRules("");

/** Line endings and NUL characters as markdown-it expects them; offsets are not preserved, line numbers are. */
export function normalizeSource(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\0/g, "\ufffd");
}

/** Parses the top-level blocks of `state` and calls `visit` after each with its lines, `to` exclusive. */
export function parseBlocks(state: BlockState, visit: (from: number, to: number) => void): void {
  for (let from = state.skipEmptyLines(0); from < state.lineMax; from = state.skipEmptyLines(state.line)) {
    state.line = from;
    for (const rule of rules) if (rule(state, from, state.lineMax, false)) break;
    visit(from, state.line);
  }
}

/** Replaces backslash escapes and character references with the characters that they represent. */
export function unescapeMarkdown(text: string): string {
  return markdown.utils.unescapeAll(text);
}
