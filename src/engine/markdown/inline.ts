// Removes links and other markup from inline Markdown, with markdown-it's inline tokens. The result is still Markdown:
// code spans and escapes remain, so that it can be shown or converted to plain text.

import type { Token } from "markdown-it";
import { markdown, unescapeMarkdown } from "./parser.ts";

/** How to write tokens that are not text. */
interface Style {
  /** Whether emphasis and HTML tags remain as they are in the source. */
  keepsMarks: boolean;
}

/**
 * Inline Markdown without links, wiki links, images, HTML tags, emphasis and footnote marks. A link to a web address
 * becomes `label (address)`, any other its label, an image its description; a link that shows only images, as badges
 * do, is left out. Text that is struck out is left out. `**` around strong text remains, because it marks the terms of
 * a glossary; see withoutStrong. Code spans, escapes and character references remain as they are.
 */
export function flattenInline(source: string): string {
  if (!HAS_MARKUP.test(source)) return source;
  const text = outsideCode(source, (prose) => withoutWikiLinks(prose.replace(NOTE_COMMENT, "")));
  return outsideCode(render(parse(text, true), { keepsMarks: false }), (prose) =>
    prose.replace(FOOTNOTE, ""),
  );
}

/**
 * `[[Page]]`, `[[Page#Heading]]`, `[[Page|label]]` and `![[file]]` as their text; what has the form of a citation
 * stays.
 */
const withoutWikiLinks = (prose: string) =>
  prose.replace(WIKI_LINK, (whole, target: string, label: string | undefined) =>
    CHUNK_ID.test(target) ? whole : (label ?? target.replace(/(?<=.)#/g, " > ").replace(/^#/, "")),
  );
/** `%% … %%`: a comment in Obsidian, which it does not show. */
const NOTE_COMMENT = /%%(?=\S| )(?:(?!%%)[\s\S]){1,2000}%%/g;
const WIKI_LINK = /!?\[\[([^[\]|\n]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/g;
const CHUNK_ID = /^[0-9A-Za-z]{27}$/;

/**
 * Inline Markdown of one line in which links and images are replaced by text as in flattenInline, and nothing else is.
 */
export function withoutLinks(source: string): string {
  return render(parse(source, false), { keepsMarks: true });
}

/** The text without the marks of strong text that flattenInline leaves. */
export function withoutStrong(flattened: string): string {
  return outsideCode(flattened, (prose) => prose.replace(/\*\*/g, ""));
}

/** Plain text of what the functions above return: on one line, without marks of code and escapes. */
export function plainText(flattened: string): string {
  let text = "";
  for (const { code, prose } of spansOf(withoutStrong(flattened)))
    text += code === undefined ? unescapeMarkdown(prose.replace(/`+/g, "")) : code;
  return text.replace(/\s+/g, " ").trim();
}

/** The text with `change` applied to all that is outside of code spans. */
export function outsideCode(text: string, change: (prose: string) => string): string {
  let changed = "";
  for (const { code, prose } of spansOf(text)) changed += code === undefined ? change(prose) : prose;
  return changed;
}

/** A text without any of these characters needs no parsing. */
const HAS_MARKUP = /[\\`*_~![\]<&]|%%/;
const CODE_SPAN = /(?<!`)(`+)(?!`)([^\n]*?[^`\n])\1(?!`)/g;
/** The mark of a footnote, or the label of its text. */
const FOOTNOTE = /(?<=^|\n)\[\^[^\]\s]+\]:[ \t]*|\[\^[^\]\s]+\]/g;
const WEB_ADDRESS = /^(?:https?:\/\/|mailto:)[^\s<>`]*$/i;

/** Alternating prose and code spans; `code` is the content of a span, `prose` its source or the prose itself. */
function* spansOf(text: string): Generator<{ prose: string; code?: string }> {
  let at = 0;
  for (const match of text.matchAll(CODE_SPAN)) {
    yield { prose: text.slice(at, match.index) };
    yield { prose: match[0], code: match[2] };
    at = match.index + match[0].length;
  }
  yield { prose: text.slice(at) };
}

/** `withReferences` also reads `[label][name]` as a link, whose definition is not part of a chunk. */
function parse(source: string, withReferences: boolean): Token[] {
  const references: Record<string, { title: string; href: string }> = {};
  if (withReferences) {
    for (const [, name, label] of source.matchAll(REFERENCE))
      references[markdown.utils.normalizeReference(name ?? label ?? "")] = { title: "", href: "" };
  }
  const tokens: Token[] = [];
  markdown.inline.parse(source, markdown, { references }, tokens);
  return tokens;
}

const REFERENCE = /\]\[([^[\]]+)\]|\[([^[\]]+)\]\[\]/g;

function render(tokens: readonly Token[], style: Style): string {
  let text = "";
  const struckOut: number[] = [];
  const links: { start: number; address: string; images: number }[] = [];
  for (const token of tokens) {
    const { type, content, markup } = token;
    if (type === "text") text += content;
    // An escape or a character reference.
    else if (type === "text_special") text += markup;
    else if (type === "softbreak" || type === "hardbreak") text += "\n";
    else if (type === "code_inline") text += codeSpan(content, markup);
    else if (type === "image") {
      const description = render(token.children ?? [], style);
      for (const link of links) link.images += unitsOf(description);
      text += description;
    } else if (type === "html_inline") text += style.keepsMarks ? content : "";
    else if (type === "link_open")
      links.push({ start: text.length, address: String(token.attrGet("href") ?? ""), images: 0 });
    else if (type === "link_close") {
      const { start = 0, address = "", images = 0 } = links.pop() ?? {};
      const label = text.slice(start);
      if (unitsOf(label) <= images) text = text.slice(0, start);
      else if (WEB_ADDRESS.test(address) && label !== address && `mailto:${label}` !== address)
        text += ` (${address})`;
    } else if (style.keepsMarks) text += markup;
    else if (type === "s_open") struckOut.push(text.length);
    else if (type === "s_close") text = text.slice(0, struckOut.pop());
    else if (markup === "**" || markup === "__") text += "**";
  }
  return text;
}

/** The length without blanks. */
const unitsOf = (text: string) => text.replace(/\s/g, "").length;

function codeSpan(content: string, markup: string): string {
  const pad = content.startsWith("`") || content.endsWith("`") ? " " : "";
  return `${markup}${pad}${content}${pad}${markup}`;
}
