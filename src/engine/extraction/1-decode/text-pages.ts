// Plain text and Markdown pages. Plain text is returned unchanged, only the title is read from it.

import { firstHeading } from "../shared/first-heading.ts";
import { MAX_TITLE, normalizedWords } from "../shared/title.ts";

/** Plain text with \n as line breaks. The title is the first line if it is short, else the last part of the address. */
export function readPlainText(text: string, url: string): { title: string; markdown: string } {
  const markdown = normalizeBreaks(text);
  const first = markdown.trimStart().split("\n", 1)[0]!.trim();
  const title = first !== "" && first.length <= 120 ? first.replace(/^#+\s*/, "") : lastPart(url);
  return { title, markdown };
}

/**
 * Markdown with \n as line breaks, without front matter, and with absolute addresses. The title is from the front
 * matter, else the first heading, else the address.
 */
export function readMarkdown(
  text: string,
  url: string,
): { title: string; markdown: string; metadata: { byline?: string; excerpt?: string }; tags: string[] } {
  const whole = normalizeBreaks(text);
  // A block without members is a text between two thematic breaks.
  const [block = "", front = ""] =
    /^---\n((?:[\w-]+:|[ \t#-]).*\n(?:.*\n)*?)(?:---|\.\.\.)(?:\n|$)/.exec(whole) ?? [];
  const markdown = withAddresses(whole.slice(block.length).replace(/^\n+/, ""), url);
  const title =
    memberOf(front, "title") || firstHeading(markdown).replace(/[*_`]/g, "").trim() || lastPart(url);
  const [byline, excerpt] = [memberOf(front, "author"), memberOf(front, "description")];
  const metadata = { ...(byline && { byline }), ...(excerpt && { excerpt }) };
  return { title: title.slice(0, MAX_TITLE), markdown, metadata, tags: tagsOf(front) };
}

const MAX_MEMBER = 1_000;

/** The text of a member of front matter on one line; "" if there is none. */
function memberOf(front: string, name: string): string {
  const line = front.split("\n").find((one) => one.startsWith(`${name}:`)) ?? "";
  const text = line.slice(name.length + 1).trim();
  return text.replace(/^(["'])(.*)\1$/, "$2").slice(0, MAX_MEMBER);
}

/** The tags of front matter: a list in brackets, on lines of their own, or a text with commas. */
function tagsOf(front: string): string[] {
  const lines = front.split("\n");
  const start = lines.findIndex((line) => line.startsWith("tags:"));
  if (start < 0) return [];
  const inline = memberOf(front, "tags").replace(/^\[(.*)\]$/, "$1");
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => !/^\s*-\s/.test(line));
  const items =
    inline === "" ? after.slice(0, end).map((line) => line.replace(/^\s*-\s+/, "")) : inline.split(",");
  return items
    .map((item) =>
      item
        .trim()
        .replace(/^(["'])(.*)\1$/, "$2")
        .replace(/^#/, ""),
    )
    .filter(Boolean);
}

/** Links and pictures, with the address up to a space or the closing bracket. */
const LINK = /(\[[^\]\n]{0,1000}\]\()([^\s()<>]{1,2000})/g;

/** The Markdown with absolute addresses of links and pictures outside of code blocks. */
function withAddresses(markdown: string, url: string): string {
  let fence = "";
  const lines = markdown.split("\n").map((line) => {
    const [, sign = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== "") {
      if (sign.startsWith(fence)) fence = "";
      return line;
    }
    fence = sign;
    return line.replace(LINK, (whole, start: string, address: string) => {
      if (address.startsWith("#") || URL.canParse(address)) return whole;
      return start + (URL.parse(address, url)?.href ?? address);
    });
  });
  return lines.join("\n");
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
