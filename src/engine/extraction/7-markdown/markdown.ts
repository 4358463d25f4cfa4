// Converts the HTML that write-html.ts writes to Markdown with turndown. Our rules replace those of turndown that lose
// or add text.

import { strikethrough, taskListItems } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";
import { FOOTNOTE } from "../shared/footnote.ts";
import { trimCharacters } from "../shared/text.ts";
import { markText, resolveMarks } from "./escape.ts";
import { lowered, raised } from "./raised.ts";
import { addTableRules } from "./table-rules.ts";
import type { TreeNode } from "./tree-node.ts";

/** GitHub-flavoured Markdown of the HTML that write-html.ts writes. */
export function toMarkdown(html: string): string {
  const text = contentOf(html)
    .replace(/^[\t\r\n]+/, "")
    .trimEnd();
  return resolveMarks(text).replace(/(?<![ \t])[ \t]+$/gm, (blanks, offset: number, all: string) =>
    blanks === "  " && all[offset + 2] === "\n" && all[offset + 3] !== "\n" ? blanks : "",
  );
}

/** An element that write-html.ts never writes. */
const ROOT = "div";
let rootContent = "";

/** Turndown's result before its last step, which trims white space with a quadratic expression. */
function contentOf(html: string): string {
  rootContent = "";
  service.turndown(`<${ROOT}>${html}</${ROOT}>`);
  return rootContent;
}

const LIST_AFTER_BREAK = /^\n\s*(?:-|\d+\.) /;

const service = createService();

function createService(): TurndownService {
  const turndown = new TurndownService({
    headingStyle: "atx",
    hr: "---",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
  });
  turndown.use([strikethrough, taskListItems]);
  addTableRules(turndown);
  turndown.addRule("root", {
    filter: ROOT,
    replacement(content: string) {
      rootContent = content;
      return "";
    },
  });
  turndown.escape = markText;
  turndown.addRule("breakInCell", {
    filter: "br",
    replacement: (_content: string, node: TreeNode) => (isInside(node, /^T[DH]$/) ? "<br>" : "  \n"),
  });
  turndown.addRule("item", {
    filter: "li",
    replacement(content: string, node: TreeNode) {
      const list = node.parentNode!;
      const bullet = list.nodeName === "OL" ? `${numberOf(node, list)}. ` : "- ";
      const text = trimCharacters(content, "\n").replace(/\n(?=[^\n])/g, `\n${" ".repeat(bullet.length)}`);
      return `${bullet}${text}${isLoose(content) ? "\n" : ""}${node.nextSibling ? "\n" : ""}`;
    },
  });
  turndown.addRule("fence", {
    filter: (node: TreeNode) => node.nodeName === "PRE",
    replacement(_content: string, node: TreeNode) {
      const text = node.textContent.replace(/\n$/, "");
      const language = /language-(\S+)/.exec(node.firstElementChild?.getAttribute("class") ?? "")?.[1] ?? "";
      let longest = 2;
      for (const [, ticks = ""] of text.matchAll(/^ {0,3}(`{3,})/gm))
        longest = Math.max(longest, ticks.length);
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
  for (const [name, write] of [
    ["sup", raised],
    ["sub", lowered],
  ] as const) {
    turndown.addRule(name, {
      filter: (node: TreeNode) =>
        node.nodeName === name.toUpperCase() && node.getAttribute(FOOTNOTE) === null,
      replacement(content: string, node: TreeNode) {
        const text = node.textContent.trim();
        if (text === "" || !isPlain(node)) return content;
        const written = write(text, sideText(node, "previousSibling"), sideText(node, "nextSibling"));
        return written.replace(text, () => content.trim());
      },
    });
  }
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
      const text = content.trim().replace(/\s+/g, (blanks) => (blanks.includes("\n") ? " " : blanks));
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

const numbers = new WeakMap<TreeNode, number>();

/** The number of an item in its list; the first call for a list stores all numbers. */
function numberOf(item: TreeNode, list: TreeNode): number {
  if (!numbers.has(item)) {
    let next = Number(list.getAttribute("start") ?? "1");
    for (const child of Array.from(list.children)) {
      const number = Number(child.getAttribute("value") ?? next);
      numbers.set(child, number);
      next = number + 1;
    }
  }
  return numbers.get(item) ?? 1;
}

/** Whether a blank line follows a list item: not if it is one line, or one line and a list. */
function isLoose(content: string): boolean {
  if (!content.endsWith("\n") || LIST_AFTER_BREAK.test(content)) return false;
  const text = content.replace(/^\n+/, "");
  const rest = text.slice(text.indexOf("\n"));
  return !/^\n*$/.test(rest) && !LIST_AFTER_BREAK.test(rest);
}

/** Whether an element contains no link and no other block of its own. */
const isPlain = (node: TreeNode) =>
  !Array.from(node.children).some(({ nodeName }) => /^(?:A|IMG|BR|CODE)$/.test(nodeName));

function isInside(node: TreeNode, names: RegExp): boolean {
  for (let parent = node.parentNode; parent; parent = parent.parentNode)
    if (names.test(parent.nodeName)) return true;
  return false;
}

/** False where CommonMark reads no emphasis: punctuation inside beside a letter outside, or nested equal emphasis. */
function canEmphasise(content: string, node: TreeNode, name: string): boolean {
  const text = content.replaceAll("\ufdd0", "").trim();
  if (text === "" || isInside(node, name === "em" ? /^EM$/ : /^STRONG$/)) return false;
  if (/\n\s*\n/.test(content)) return false;
  return (
    canDelimit(text.at(-1)!, sideText(node, "nextSibling")[0]) &&
    canDelimit(text[0]!, sideText(node, "previousSibling").at(-1))
  );
}

/** Whether a delimiter between two characters can open or close emphasis; `inner` is the character inside. */
function canDelimit(inner: string, outer: string | undefined): boolean {
  const isMark = (char: string) => /[\p{P}\p{S}]/u.test(char);
  return !isMark(inner) || outer === undefined || /\s/.test(outer) || isMark(outer);
}

/** The text directly beside a node, across the ends of inline elements. */
function sideText(node: TreeNode, side: "nextSibling" | "previousSibling"): string {
  let place: TreeNode | null = node;
  while (place && !place[side]) {
    place = place.parentNode;
    if (!place || /^(?:P|LI|H\d|T[DH]|BLOCKQUOTE|X-TURNDOWN)$/.test(place.nodeName)) return "";
  }
  return place?.[side]?.textContent ?? "";
}

/** Escapes brackets in a link's text if they are unbalanced or would form another link. */
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
