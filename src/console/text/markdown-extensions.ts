// What people write in Markdown beyond CommonMark and tables: wiki links, task boxes, alerts and footnotes, as GitHub
// and Obsidian show them. Everything passes through the sanitiser like any other HTML of a document.

import type MarkdownIt from "markdown-it";

/** Marks an address that names a document by its title; only the sanitiser sees it. */
export const WIKI = "#wiki:";

/** Marks the address of a footnote by its name; only the sanitiser sees it. */
export const NOTE = "#footnote:";

const WIKI_LINK = /\[\[([^[\]|\n#]{1,300})(?:#([^[\]|\n]{1,300}))?(?:\|([^[\]\n]{1,300}))?\]\]/y;
/** Names a chunk in an answer, and no title. */
const RECORD_ID = /^[0-9A-Za-z]{27}$/;
const FOOTNOTE = /\[\^([^\]\s]{1,50})\]/y;
const FOOTNOTE_TEXT = /^\[\^([^\]\s]{1,50})\]:[ \t]*/;
const TASK = /^\[([ xX])\][ \t]+/;
const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i;

/** Adds these extensions to a parser. */
export function extendMarkdown(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.inline.ruler.before("link", "wiki", (state, isSilent) => {
    WIKI_LINK.lastIndex = state.pos;
    const [written, title = "", heading, label] = WIKI_LINK.exec(state.src) ?? [];
    if (written === undefined || RECORD_ID.test(title)) return false;
    if (!isSilent) {
      const anchor = heading === undefined ? "" : `#${heading.trim()}`;
      state.push("link_open", "a", 1).attrs = [["href", WIKI + encodeURIComponent(title.trim() + anchor)]];
      state.push("text", "", 0).content = (
        label ?? title + (heading === undefined ? "" : ` › ${heading}`)
      ).trim();
      state.push("link_close", "a", -1);
    }
    state.pos += written.length;
    return true;
  });

  markdown.inline.ruler.before("link", "footnote", (state, isSilent) => {
    FOOTNOTE.lastIndex = state.pos;
    const [written, name = ""] = FOOTNOTE.exec(state.src) ?? [];
    if (written === undefined) return false;
    if (!isSilent) {
      state.push("sup_open", "sup", 1);
      state.push("link_open", "a", 1).attrs = [["href", NOTE + encodeURIComponent(name)]];
      state.push("text", "", 0).content = name;
      state.push("link_close", "a", -1);
      state.push("sup_close", "sup", -1);
    }
    state.pos += written.length;
    return true;
  });

  // Before definitions of links, which look the same.
  markdown.block.ruler.before(
    "reference",
    "footnote_text",
    (state, startLine, endLine, isSilent) => {
      const lineAt = (line: number) =>
        state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
      const [written, name] = FOOTNOTE_TEXT.exec(lineAt(startLine)) ?? [];
      if (written === undefined || state.sCount[startLine]! - state.blkIndent >= 4) return false;
      if (isSilent) return true;
      let next = startLine + 1;
      while (next < endLine && !state.isEmpty(next) && !FOOTNOTE_TEXT.test(lineAt(next))) next++;
      const text = state.getLines(startLine, next, state.blkIndent, false).trim().slice(written.length);
      state.line = next;
      const paragraph = state.push("paragraph_open", "p", 1);
      paragraph.map = [startLine, next];
      paragraph.attrSet("class", "footnote");
      const inline = state.push("inline", "", 0);
      inline.content = `[^${name}] ${text}`;
      inline.map = [startLine, next];
      inline.children = [];
      state.push("paragraph_close", "p", -1);
      return true;
    },
    { alt: ["paragraph"] },
  );

  markdown.core.ruler.before("inline", "boxes", ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== "inline") continue;
      const outer = tokens[index - 2]?.type;
      if (outer === "list_item_open") {
        token.content = token.content.replace(TASK, (_, mark: string) => (mark === " " ? "☐ " : "☑ "));
      }
      const [written, kind] = (outer === "blockquote_open" && ALERT.exec(token.content)) || [];
      if (written === undefined || kind === undefined) continue;
      tokens[index - 2]!.attrJoin("class", `alert alert-${kind.toLowerCase()}`);
      const name = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
      const text = token.content.slice(written.length);
      token.content = text === "" ? `**${name}**` : `**${name}**\\\n${text}`;
    }
  });

  // Classes instead of the style attributes of markdown-it, which the policy of the page forbids.
  markdown.core.ruler.push("alignment", ({ tokens }) => {
    for (const token of tokens) {
      const [, side] = /^text-align:(left|center|right)$/.exec(String(token.attrGet("style") ?? "")) ?? [];
      if (side === undefined) continue;
      token.attrs = (token.attrs ?? []).filter(([name]) => name !== "style");
      token.attrSet("class", `align-${side}`);
    }
  });
}

/** The anchor of a heading as GitHub makes it; equal ones of a text get numbers. */
export function createAnchors(): (heading: string) => string {
  const counts = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
}
