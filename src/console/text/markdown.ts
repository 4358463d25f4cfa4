// Markdown as blocks of HTML, each with its place in the source, so that a paragraph can be marked. The HTML is not yet
// harmless: see sanitise.ts.

import MarkdownIt from "markdown-it";
import { extendMarkdown } from "./markdown-extensions.ts";

/** One top-level block. `start` and `end` (exclusive) are offsets in the source, in UTF-16 units. */
export interface Block {
  start: number;
  end: number;
  html: string;
  /** Whether the text itself contains HTML here, whose tags may not be balanced. */
  hasHtml: boolean;
}

const markdown = new MarkdownIt({ html: true, linkify: false });
// The sanitiser decides about addresses; rejecting one here would show its Markdown as text.
markdown.validateLink = () => true;

/** A citation `[[id]]` in an answer becomes a link to `#cite-N`, where N is the position of the id in `env.cited`. */
const CITATION = /^\[\[([0-9A-Za-z]{27})\]\]/;
markdown.inline.ruler.before("link", "citation", (state, isSilent) => {
  const { cited } = state.env as { cited?: readonly string[] };
  const [token, id = ""] = (cited && CITATION.exec(state.src.slice(state.pos, state.pos + 31))) ?? [];
  const position = cited?.indexOf(id) ?? -1;
  if (token === undefined || position < 0) return false;
  if (!isSilent) {
    state.push("link_open", "a", 1).attrs = [["href", `#cite-${position}`]];
    state.push("text", "", 0).content = `[${position + 1}]`;
    state.push("link_close", "a", -1);
  }
  state.pos += token.length;
  return true;
});
extendMarkdown(markdown);

/** markdown-it adds the link definitions of the whole text. */
interface Environment {
  [name: PropertyKey]: unknown;
  cited: readonly string[] | undefined;
}

/** The blocks of a text. `cited` are the ids that `[[id]]` may name. Front matter is a block of code. */
export function renderBlocks(text: string, cited?: readonly string[]): Block[] {
  return read(text, { cited });
}

function read(text: string, environment: Environment): Block[] {
  const front = frontMatterEnd(text);
  const blocks = readPart(text, { start: front, end: text.length }, environment);
  if (front === 0) return blocks;
  const code = markdown.utils.escapeHtml(text.slice(0, front).trimEnd());
  const html = `<details><summary>Front matter</summary><pre><code>${code}</code></pre></details>`;
  return [{ start: 0, end: front, html, hasHtml: false }, ...blocks];
}

/** The blocks of a part that starts with a line and contains whole blocks. */
function readPart(text: string, { start, end }: Range, environment: Environment): Block[] {
  const source = text.slice(start, end);
  const starts = lineStarts(source);
  const tokens = markdown.parse(source, environment);
  const blocks: Block[] = [];
  let first = 0;
  for (const [index, { level, nesting, map }] of tokens.entries()) {
    if (level !== 0 || nesting > 0) continue;
    const [from = 0, to = 0] = tokens[first]?.map ?? map ?? [];
    const own = tokens.slice(first, index + 1);
    blocks.push({
      start: start + (starts[from] ?? source.length),
      end: start + (starts[to] ?? source.length),
      html: markdown.renderer.render(own, markdown.options, environment),
      hasHtml: own.some(({ type, children }) => type === "html_block" || children?.some(isHtml)),
    });
    first = index + 1;
  }
  return blocks;
}

const isHtml = ({ type }: { type: string }) => type === "html_inline";

type Range = Pick<Block, "start" | "end">;

/** What may have an effect on other blocks: definitions of links and footnotes. */
const ELSEWHERE = /\]:|\[\^/;

/**
 * Returns a function as renderBlocks that remembers its last text and parses only the blocks that have changed since.
 * It starts one block before the change, because a block may continue the one before it, and ends where a block starts
 * at the same place as before: at the top level, what follows depends on nothing before it.
 */
export function createBlockReader(): typeof renderBlocks {
  let last: { text: string; blocks: Block[]; environment: Environment } | undefined;
  return (text, cited) => {
    const isSameList = last !== undefined && last.environment.cited?.join() === cited?.join();
    const changed = isSameList && last ? readChanged(last, text) : undefined;
    const environment: Environment = changed && last ? last.environment : { cited };
    last = { text, blocks: changed ?? read(text, environment), environment };
    return last.blocks;
  };
}

/** The blocks of a text by those of an earlier one; undefined if the whole text must be read. */
function readChanged(
  { text: before, blocks, environment }: { text: string; blocks: Block[]; environment: Environment },
  text: string,
): Block[] | undefined {
  if (text === before) return blocks;
  const front = frontMatterEnd(before);
  if (frontMatterEnd(text) !== front) return undefined;
  const shorter = Math.min(before.length, text.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === text.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)
  ) {
    tail++;
  }
  if (head < front) return undefined;
  const moved = text.length - before.length;
  const at = blocks.findLastIndex(({ start }) => start <= head);
  const first = front > 0 ? 1 : 0;
  const from = Math.max(first, at - 1);
  const kept = blocks.slice(0, from);
  const start = from === first ? front : blocks[from]!.start;
  const firstAfter = blocks.findIndex((block) => block.start > before.length - tail);
  for (let ahead = 0; firstAfter >= 0 && firstAfter + ahead < blocks.length; ahead = ahead * 4 + 1) {
    const next = blocks[firstAfter + ahead]!;
    const end = next.end + moved;
    if (ELSEWHERE.test(text.slice(start, end)) || ELSEWHERE.test(before.slice(start, next.end)))
      return undefined;
    const part = readPart(text, { start, end }, environment);
    const same = part.findIndex((block) => block.start === next.start + moved);
    if (same < 0) continue;
    const after = blocks.slice(firstAfter + ahead);
    const shifted = after.map((block) => ({ ...block, start: block.start + moved, end: block.end + moved }));
    return [...kept, ...part.slice(0, same), ...shifted];
  }
  if (ELSEWHERE.test(text.slice(start)) || ELSEWHERE.test(before.slice(start))) return undefined;
  return [...kept, ...readPart(text, { start, end: text.length }, environment)];
}

/** The offsets at which the lines of a text start; the last one is its length. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  if (starts.at(-1) !== text.length) starts.push(text.length);
  return starts;
}

/** The end of YAML front matter with its fences, as in src/engine/markdown/front-matter.ts; 0 without it. */
function frontMatterEnd(text: string): number {
  if (!/^---[ \t]*[\r\n]/.test(text)) return 0;
  const starts = lineStarts(text);
  const lineAt = (line: number) => text.slice(starts[line], starts[line + 1]).trimEnd();
  if (lineAt(0) !== "---" || lineAt(1) === "") return 0;
  for (let line = 1; line < starts.length - 1; line++) if (lineAt(line) === "---") return starts[line + 1]!;
  return 0;
}
