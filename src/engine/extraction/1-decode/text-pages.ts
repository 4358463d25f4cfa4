// Pages that are text already: plain text as a Markdown document, Markdown as it is. It parses neither.

import { bareWords, MAX_TITLE } from "../shared/title.ts";

/** Line breaks as \n, nothing else changed; the title is the first line if that is short, else the address's last part. */
export function readPlainText(text: string, url: string): { title: string; markdown: string } {
  const markdown = normal(text);
  const first = markdown.trimStart().split("\n", 1)[0]!.trim();
  const title = first !== "" && first.length <= 120 ? first.replace(/^#+\s*/, "") : lastPart(url);
  return { title, markdown };
}

/** As it is; the title comes from front matter, else from the first heading, else from the address. */
export function readMarkdown(text: string, url: string): { title: string; markdown: string } {
  const markdown = normal(text);
  const front = /^---\n([\s\S]*?)\n(?:---|\.\.\.)(?:\n|$)/.exec(markdown)?.[1] ?? "";
  const named = /^title:\s*(.+)$/m
    .exec(front)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, "$2");
  const heading = /^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$|^(\S.*)\n={3,}[ \t]*$/m.exec(
    withoutFences(markdown),
  );
  const title = named || (heading?.[1] ?? heading?.[2] ?? "").replace(/[*_`]/g, "").trim() || lastPart(url);
  return { title: title.slice(0, MAX_TITLE), markdown };
}

function normal(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .trimEnd();
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gm, "");
}

function lastPart(url: string): string {
  const path = URL.parse(url)?.pathname ?? "";
  const part = path.split("/").filter(Boolean).at(-1) ?? "";
  try {
    return decodeURIComponent(part).slice(0, MAX_TITLE);
  } catch {
    return bareWords(part).slice(0, MAX_TITLE);
  }
}
