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
  const text = outsideCode(markdown.replace(/\s+/g, " ").trim(), withoutMarks);
  return withoutCitations(inert(text.replace(/\s+/g, " ").trim()));
}

/** One line of prose in which no HTML and no link can begin; code spans stay as they are. */
export function inert(text: string): string {
  return outsideCode(text, (prose) => prose.replace(/<(?=[a-z/!?])/gi, "&lt;").replace(/\](?=[(:])/g, "] "));
}

/** Markdown of several lines, such as a language model writes, with the same promise; images become their labels. */
export function inertBlocks(markdown: string): string {
  let fence = "";
  const lines = markdown.replace(/[^\P{Cc}\n\t]/gu, "").split("\n");
  return lines
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
      if (fence !== "") {
        if (mark.startsWith(fence) && line.trim() === mark) fence = "";
        return line;
      }
      fence = mark;
      return mark === "" ? inert(outsideCode(line, withoutLinks)) : line;
    })
    .join("\n");
}

function outsideCode(text: string, change: (prose: string) => string): string {
  let changed = "";
  let at = 0;
  for (const match of text.matchAll(CODE_SPAN)) {
    changed += change(text.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  return changed + change(text.slice(at));
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
  return withoutLinks(text)
    .replace(REFERENCE, "$1")
    .replace(FOOTNOTE, "")
    .replace(AUTOLINK, "$1")
    .replace(TAG, "")
    .replace(EMPHASIS, "");
}

function withoutLinks(text: string): string {
  return text
    .replace(IMAGE, "$1")
    .replace(LINK, (_, label: string, target: string) =>
      WEB.test(target) && label !== target ? `${label} (${target})` : label,
    );
}
