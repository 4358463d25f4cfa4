// Plain text and Markdown pages: their text is returned unchanged, only the title is read from it.

import { firstHeading } from "../shared/first-heading.ts";
import { MAX_TITLE, normalizedWords } from "../shared/title.ts";

/** Plain text with \n as line breaks. The title is the first line if it is short, else the last part of the address. */
export function readPlainText(text: string, url: string): { title: string; markdown: string } {
  const markdown = normalizeBreaks(text);
  const first = markdown.trimStart().split("\n", 1)[0]!.trim();
  const title = first !== "" && first.length <= 120 ? first.replace(/^#+\s*/, "") : lastPart(url);
  return { title, markdown };
}

/** Markdown with \n as line breaks. The title is from front matter, else the first heading, else the address. */
export function readMarkdown(text: string, url: string): { title: string; markdown: string } {
  const markdown = normalizeBreaks(text);
  const front = /^---\n([\s\S]*?)\n(?:---|\.\.\.)(?:\n|$)/.exec(markdown)?.[1] ?? "";
  const named = /^title:\s*(.+)$/m
    .exec(front)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, "$2");
  const title = named || firstHeading(markdown).replace(/[*_`]/g, "").trim() || lastPart(url);
  return { title: title.slice(0, MAX_TITLE), markdown };
}

function normalizeBreaks(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .trimEnd();
}

function lastPart(url: string): string {
  const path = URL.parse(url)?.pathname ?? "";
  const part = path.split("/").filter(Boolean).at(-1) ?? "";
  try {
    return decodeURIComponent(part).slice(0, MAX_TITLE);
  } catch {
    return normalizedWords(part).slice(0, MAX_TITLE);
  }
}
