// Markdown as blocks of HTML, each with its place in the source, so that a paragraph can be marked. The HTML is not yet
// harmless: see sanitise.ts.

import MarkdownIt from "markdown-it";

/** One top-level block. `start` and `end` (exclusive) are offsets in the source, in UTF-16 units. */
export interface Block {
  start: number;
  end: number;
  html: string;
}

/** Longer texts are shown as source: rendering them would make the page slow. */
export const MAX_RENDERED_UNITS = 1_000_000;

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

/** The blocks of a text. `cited` are the ids that `[[id]]` may name. Front matter is a block of code. */
export function renderBlocks(text: string, cited?: readonly string[]): Block[] {
  const starts = lineStarts(text);
  const front = frontMatterLines(text, starts);
  const offset = starts[front] ?? text.length;
  const env = { cited };
  const tokens = markdown.parse(text.slice(offset), env);
  const blocks: Block[] = [];
  if (front > 0) {
    const html = `<pre><code>${markdown.utils.escapeHtml(text.slice(0, offset).trimEnd())}</code></pre>`;
    blocks.push({ start: 0, end: offset, html });
  }
  let first = 0;
  for (const [index, { level, nesting, map }] of tokens.entries()) {
    if (level !== 0 || nesting > 0) continue;
    const [from = 0, to = 0] = tokens[first]?.map ?? map ?? [];
    blocks.push({
      start: starts[front + from] ?? text.length,
      end: starts[front + to] ?? text.length,
      html: markdown.renderer.render(tokens.slice(first, index + 1), markdown.options, env),
    });
    first = index + 1;
  }
  return blocks;
}

/** The offsets at which the lines of a text start; the last one is its length. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  if (starts.at(-1) !== text.length) starts.push(text.length);
  return starts;
}

/** Number of lines of YAML front matter with its fences, as in src/engine/markdown/front-matter.ts. */
function frontMatterLines(text: string, starts: number[]): number {
  const lineAt = (line: number) => text.slice(starts[line], starts[line + 1]).trimEnd();
  if (lineAt(0) !== "---" || lineAt(1) === "") return 0;
  for (let line = 1; line < starts.length - 1; line++) if (lineAt(line) === "---") return line + 1;
  return 0;
}
