// Clean HTML to Markdown: turndown with the GFM tables of Joplin's plugin, and our own rules where theirs lose or invent
// something. It expects what writer.ts writes.

import { strikethrough, tables, taskListItems } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";
import { FOOTNOTE } from "../shared/footnote.ts";
import { markText, resolveMarks } from "./escape.ts";

/** What our rules ask of a node of turndown's own tree. */
interface TreeNode {
  readonly nodeName: string;
  readonly parentNode: TreeNode | null;
  readonly nextSibling: TreeNode | null;
  readonly previousSibling: TreeNode | null;
  readonly firstElementChild: TreeNode | null;
  readonly children: ArrayLike<TreeNode>;
  readonly textContent: string;
  getAttribute(name: string): string | null;
}

/** GitHub-flavoured Markdown of clean HTML. */
export function toMarkdown(html: string): string {
  return resolveMarks(service.turndown(html)).replace(/[ \t]+$/gm, (blanks, offset: number, text: string) =>
    blanks === "  " && text[offset + 2] === "\n" && text[offset + 3] !== "\n" ? blanks : "",
  );
}

const service = createService();

function createService(): TurndownService {
  const turndown = new TurndownService({
    headingStyle: "atx",
    hr: "---",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
  });
  turndown.use([tables, strikethrough, taskListItems]);
  turndown.escape = markText;
  turndown.addRule("breakInCell", {
    filter: "br",
    replacement: (_content: string, node: TreeNode) => (isInside(node, /^T[DH]$/) ? "<br>" : "  \n"),
  });
  turndown.addRule("item", {
    filter: "li",
    replacement(content: string, node: TreeNode) {
      const list = node.parentNode!;
      const start = Number(list.getAttribute("start") ?? "1");
      const bullet =
        list.nodeName === "OL" ? `${start + Array.prototype.indexOf.call(list.children, node)}. ` : "- ";
      const text = content
        .replace(/^\n+|\n+$/g, "")
        .replace(/\n(?=[^\n])/g, `\n${" ".repeat(bullet.length)}`);
      const loose = /\n$/.test(content) && !/^\n*[^\n]*(?:\n+\s*(?:-|\d+\.) [\s\S]*)?\n*$/.test(content);
      return `${bullet}${text}${loose ? "\n" : ""}${node.nextSibling ? "\n" : ""}`;
    },
  });
  turndown.addRule("fence", {
    filter: (node: TreeNode) => node.nodeName === "PRE",
    replacement(_content: string, node: TreeNode) {
      const text = node.textContent.replace(/\n$/, "");
      const language = /language-(\S+)/.exec(node.firstElementChild?.getAttribute("class") ?? "")?.[1] ?? "";
      const longest = Math.max(
        2,
        ...[...text.matchAll(/^ {0,3}(`{3,})/gm)].map(([, ticks]) => ticks!.length),
      );
      const fence = "`".repeat(longest + 1);
      return `\n\n${fence}${language}\n${text}\n${fence}\n\n`;
    },
  });
  turndown.addRule("math", {
    filter: (node: TreeNode) => node.nodeName === "CODE" && /^math /.test(node.getAttribute("class") ?? ""),
    replacement: (_content: string, node: TreeNode) => {
      const sign = node.getAttribute("class") === "math display" ? "$$" : "$";
      return sign + node.textContent + sign;
    },
  });
  for (const [name, sign] of [
    ["strong", "**"],
    ["em", "*"],
  ] as const) {
    turndown.addRule(name, {
      filter: name,
      replacement: (content: string, node: TreeNode) =>
        canEmphasise(content, node, name) ? sign + content + sign : content,
    });
  }
  turndown.addRule("footnoteMark", {
    filter: (node: TreeNode) => node.nodeName === "SUP" && node.getAttribute(FOOTNOTE) !== null,
    replacement: (_content: string, node: TreeNode) => `[^${node.getAttribute(FOOTNOTE)}]`,
  });
  turndown.addRule("footnote", {
    filter: (node: TreeNode) => node.nodeName === "ASIDE" && node.getAttribute(FOOTNOTE) !== null,
    replacement: (content: string, node: TreeNode) => {
      const text = content.trim().replace(/\n(?=[^\n])/g, "\n    ");
      return `\n\n[^${node.getAttribute(FOOTNOTE)}]: ${text}\n\n`;
    },
  });
  turndown.addRule("link", {
    filter: "a",
    replacement(content: string, node: TreeNode) {
      const href = node.getAttribute("href");
      const text = content.trim().replace(/\s*\n\s*/g, " ");
      return href && text ? `[${balanced(text)}](${destination(href)})` : content;
    },
  });
  turndown.addRule("image", {
    filter: "img",
    replacement(_content: string, node: TreeNode) {
      const alt = markText((node.getAttribute("alt") ?? "").replace(/[[\]]/g, ""));
      const title = (node.getAttribute("title") ?? "").replace(/[\\"&]/g, "\\$&");
      const named = title === "" ? "" : ` "${title}"`;
      return `![${alt}](${destination(node.getAttribute("src") ?? "")}${named})`;
    },
  });
  return turndown;
}

function isInside(node: TreeNode, names: RegExp): boolean {
  for (let parent = node.parentNode; parent; parent = parent.parentNode)
    if (names.test(parent.nodeName)) return true;
  return false;
}

/** CommonMark reads no emphasis where punctuation inside meets a letter outside, nor emphasis within the same emphasis. */
function canEmphasise(content: string, node: TreeNode, name: string): boolean {
  const text = content.replaceAll("\ufdd0", "").trim();
  if (text === "" || isInside(node, name === "em" ? /^EM$/ : /^STRONG$/)) return false;
  if (/\n\s*\n/.test(content)) return false;
  return (
    meets(text.at(-1)!, sideText(node, "nextSibling")[0]) &&
    meets(text[0]!, sideText(node, "previousSibling").at(-1))
  );
}

/** True when a delimiter between the two can open or close: `inner` is the character inside. */
function meets(inner: string, outer: string | undefined): boolean {
  const isMark = (char: string) => /[\p{P}\p{S}]/u.test(char);
  return !isMark(inner) || outer === undefined || /\s/.test(outer) || isMark(outer);
}

/** The text directly beside a node, through ends of inline elements. */
function sideText(node: TreeNode, side: "nextSibling" | "previousSibling"): string {
  let place: TreeNode | null = node;
  while (place && !place[side]) {
    place = place.parentNode;
    if (!place || /^(?:P|LI|H\d|T[DH]|BLOCKQUOTE|X-TURNDOWN)$/.test(place.nodeName)) return "";
  }
  return place?.[side]?.textContent ?? "";
}

/** Brackets in a link's text that have no partner, or that would make a link of their own, would end it. */
function balanced(text: string): string {
  let depth = 0;
  for (const [sign] of text.matchAll(/\ufdd0[[\]]/g)) {
    depth += sign === "\ufdd0[" ? 1 : -1;
    if (depth < 0) break;
  }
  const isSafe = depth === 0 && !/\ufdd0\](?:\(|\ufdd0?\[)/.test(text);
  return isSafe ? text : text.replace(/\ufdd0([[\]])/g, "\\$1");
}

function destination(address: string): string {
  let depth = 0;
  for (const char of address) {
    if (char === "(") depth++;
    else if (char === ")" && --depth < 0) break;
  }
  return depth === 0 ? address : address.replace(/[()]/g, (char) => (char === "(" ? "%28" : "%29"));
}
