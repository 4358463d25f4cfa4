// Inline Markdown of stored text made safe and readable: one form to show inside an answer, one to compare. It knows no
// blocks. What is shown can't be taken for a citation, holds no HTML and leads nowhere but to web addresses.

import { unescapeMarkdown } from "../chunking/blocks.ts";

const CODE_SPAN = /(`+)(?!`)([^\n]*?[^`\n])\1(?!`)/g;
const IMAGE = /!\[([^[\]]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^[\]]*\])/g;
const LINK = /\[([^[\]]+)\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)>?(?:\s+["'(][^\n]*?["')])?\s*\)/g;
const REFERENCE = /\[([^[\]]+)\]\[[^[\]]*\]/g;
const FOOTNOTE = /\[\^[^\]\s]+\]/g;
const AUTOLINK = /<([a-z][a-z0-9+.-]*:[^<>\s]*)>/gi;
const TAG = /<\/?[a-z][^<>\n]*>|<!--[\s\S]*?-->/gi;
const EMPHASIS =
  /\*\*|~~|(?<![\\\w*])\*(?=\S)|(?<=\S)(?<!\\)\*(?![\w*])|(?<![\\\p{L}\p{N}_])_+(?=\S)|(?<=[^\s\\])_+(?![\p{L}\p{N}_])/gu;
const WEB = /^(?:https?:\/\/|mailto:)/i;

/** A stretch of prose as an answer shows it: code spans as they are, no other markup, one line. */
export function readable(markdown: string): string {
  let text = "";
  let at = 0;
  for (const match of markdown.matchAll(CODE_SPAN)) {
    text += withoutMarks(markdown.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  text += withoutMarks(markdown.slice(at));
  return withoutCitations(text.replace(/\s+/g, " ").trim());
}

/** The same without code marks and escapes, for comparing. */
export function plain(markdown: string): string {
  return unescapeMarkdown(readable(markdown).replace(/`+/g, "")).replace(/\s+/g, " ").trim();
}

/** `[[…]]` opened up, so that nothing in a document reads as a citation. */
export function withoutCitations(text: string): string {
  return text.replace(/\[(?=\[)/g, "[ ").replace(/\](?=\])/g, "] ");
}

function withoutMarks(text: string): string {
  return text
    .replace(IMAGE, "$1")
    .replace(LINK, (_, label: string, target: string) =>
      WEB.test(target) && label !== target ? `${label} (${target})` : label,
    )
    .replace(REFERENCE, "$1")
    .replace(FOOTNOTE, "")
    .replace(AUTOLINK, "$1")
    .replace(TAG, "")
    .replace(EMPHASIS, "");
}
