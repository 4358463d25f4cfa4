// Writes the selected part of a page as clean HTML: only paragraphs, headings, lists, tables, quotes, code blocks,
// rules, links and images, with all loose text in paragraphs. The Markdown is written from this HTML, which is also
// stored as contentHtml.

import { childrenOf, type DomElement, type DomNode, isElement } from "../shared/dom.ts";
import { isBlock, isCallout, isHeading } from "../shared/elements.ts";
import { FOOTNOTE } from "../shared/footnote.ts";
import { sourceOf } from "../shared/image-source.ts";
import { escapeHtml } from "../shared/text.ts";
import type { Addresses } from "./links.ts";
import { readTable, type Table } from "./tables.ts";

/** Options of writeHtml. */
export interface WriterOptions {
  addresses: Addresses;
  /** False for elements that were not selected. */
  isSelected(element: DomElement): boolean;
}

interface Paragraphs {
  blocks: string[];
  /** Inline HTML not yet in a paragraph. */
  run: string;
}

/** Writes the content of an element as clean HTML, one block per line. */
export function writeHtml(root: DomElement, options: WriterOptions): string {
  return createWriter(options).blocks(root).join("\n");
}

/** Collapses white space as browsers do, but not no-break spaces. Places where a word may be divided are removed. */
function collapse(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]/g, "").replace(/[ \t\r\n\f]+/g, " ");
}

const attribute = (text: string) => escapeHtml(text).replace(/"/g, "&quot;");

const INLINE: Record<string, string> = {
  b: "strong",
  strong: "strong",
  i: "em",
  em: "em",
  del: "del",
  s: "del",
  strike: "del",
  sub: "sub",
  sup: "sup",
};
const CODE = new Set(["code", "kbd", "samp", "tt"]);

function createWriter({ addresses, isSelected }: WriterOptions) {
  const containsBlockCache = new Map<DomElement, boolean>();
  const containsBlock = (element: DomElement): boolean => {
    const cached = containsBlockCache.get(element);
    if (cached !== undefined) return cached;
    const result = childrenOf(element).some(
      (child) => isElement(child) && (isBlock(child.localName) || containsBlock(child)),
    );
    containsBlockCache.set(element, result);
    return result;
  };

  /** Inline HTML of a node; `inLink` is true inside of a link, where no other link is written. */
  const inline = (node: DomNode, inLink = false): string => {
    if (!isElement(node)) return node.nodeType === 3 ? escapeHtml(collapse(node.textContent)) : "";
    if (!isSelected(node)) return "";
    const name = node.localName;
    if (name === "br") return "<br>";
    if (name === "wbr") return "";
    if (name === "img") return image(node);
    if (name === "input") return checkbox(node);
    if (CODE.has(name)) return code(node);
    const note = node.getAttribute(FOOTNOTE);
    if (note !== null && name === "sup")
      return `<sup ${FOOTNOTE}="${attribute(note)}">${attribute(note)}</sup>`;
    const content = joined(childrenOf(node), (child) => inline(child, inLink || name === "a"));
    if (name === "a" && !inLink) return link(node, content);
    if (name === "q") return `"${content}"`;
    const written = INLINE[name];
    if (!written) return content;
    // Markdown has no emphasis that begins or ends with a line break or a space.
    const [start, end] = edgesOf(content);
    if (start >= end) return content;
    return `${content.slice(0, start)}<${written}>${content.slice(start, end)}</${written}>${content.slice(end)}`;
  };
  const link = (element: DomElement, content: string): string => {
    const href = addresses.link(element.getAttribute("href") ?? "");
    const shown = content.replace(/<br>/g, " ");
    return href && shown.trim() !== "" ? `<a href="${attribute(href)}">${shown}</a>` : content;
  };
  const image = (element: DomElement): string => {
    const src = addresses.image(sourceOf(element));
    const alt = (element.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim();
    const size = [element.getAttribute("width"), element.getAttribute("height")];
    if (size.some((side) => side === "1" || side === "0")) return "";
    const caption = element.getAttribute("data-caption") ?? "";
    const title = caption === "" ? "" : ` title="${attribute(caption)}"`;
    if (src) return `<img src="${attribute(src)}" alt="${attribute(alt)}"${title}>`;
    return escapeHtml(alt);
  };
  /** Markdown has boxes only at the start of list items; elsewhere they are written as text. */
  const checkbox = (element: DomElement): string => {
    const isChecked = element.hasAttribute("checked");
    if (!element.closest("li")) return isChecked ? "[x] " : "[ ] ";
    return `<input type="checkbox"${isChecked ? " checked" : ""} disabled>`;
  };
  const code = (element: DomElement): string => {
    const math = /(?:^| )math (?:inline|display)/.exec(element.getAttribute("class") ?? "")?.[0].trim();
    for (const lineBreak of [...element.querySelectorAll("br")]) lineBreak.replaceWith(" ");
    const text = collapse(element.textContent);
    if (text.trim() === "") return text;
    return `<code${math ? ` class="${math}"` : ""}>${escapeHtml(text)}</code>`;
  };

  /** Closes the current paragraph; two line breaks in a row divide it. */
  const flush = (into: Paragraphs) => {
    for (const text of paragraphsOf(into.run)) into.blocks.push(`<p>${text}</p>`);
    into.run = "";
  };

  const blocks = (element: DomElement): string[] => {
    const into: Paragraphs = { blocks: [], run: "" };
    fill(element, into);
    flush(into);
    return into.blocks;
  };

  const fill = (element: DomElement, into: Paragraphs, linked?: DomElement) => {
    let pending = linked;
    let previous: DomNode | undefined;
    for (const child of childrenOf(element)) {
      if (!isElement(child) || (!isBlock(child.localName) && !containsBlock(child))) {
        const content = inline(child, pending !== undefined);
        if (isGlued({ before: into.run, after: content, previous, child })) into.run += " ";
        previous = child;
        if (pending && content.trim() !== "") {
          into.run += link(pending, content);
          pending = undefined;
        } else into.run += content;
        continue;
      }
      previous = undefined;
      if (!isSelected(child)) continue;
      if (!isBlock(child.localName)) {
        // A link around blocks, as in cards: the first text becomes the link.
        fill(child, into, child.localName === "a" ? child : pending);
        pending = undefined;
        continue;
      }
      flush(into);
      block(child, into, pending);
      pending = undefined;
      flush(into);
    }
  };

  const block = (element: DomElement, into: Paragraphs, linked?: DomElement) => {
    const name = element.localName;
    if (isHeading(name)) {
      const text = childrenOf(element)
        .map((child) => inline(child, linked !== undefined))
        .join("")
        .replace(/(?:\s|<br>)+/g, " ")
        .trim();
      const id = element.getAttribute("id");
      const address = id ? ` id="${attribute(id)}"` : "";
      if (text !== "") into.blocks.push(`<${name}${address}>${linked ? link(linked, text) : text}</${name}>`);
    } else if (name === "pre") {
      const inner = element.querySelector("code");
      const language = inner?.getAttribute("class");
      const text = element.textContent;
      if (text.trim() !== "")
        into.blocks.push(
          `<pre><code${language ? ` class="${attribute(language)}"` : ""}>${escapeHtml(text)}</code></pre>`,
        );
    } else if (name === "hr") into.blocks.push("<hr>");
    else if (name === "ul" || name === "ol" || name === "menu" || name === "dir") list(element, into);
    else if (name === "table") {
      const read = readTable(element);
      if (read) table(read, into);
      else fill(element, into);
    } else if (name === "blockquote" || isCallout(element)) {
      const inner = blocks(element);
      if (inner.length > 0) into.blocks.push(`<blockquote>${inner.join("")}</blockquote>`);
    } else if (name === "dt" || name === "summary") {
      const inner = blocks(element);
      if (inner.length === 1 && /^<p>/.test(inner[0]!)) {
        const text = inner[0]!.slice(3, -4);
        into.blocks.push(/^<strong>.*<\/strong>$/.test(text) ? inner[0]! : `<p><strong>${text}</strong></p>`);
      } else into.blocks.push(...inner);
    } else fill(element, into, linked);
  };

  const list = (element: DomElement, into: Paragraphs) => {
    const items: string[][] = [];
    const numbers: number[] = [];
    let hasHeadings = false;
    for (const child of childrenOf(element)) {
      if (!isElement(child)) {
        if (child.nodeType === 3 && child.textContent.trim() !== "")
          items.push([`<p>${inline(child).trim()}</p>`]);
        continue;
      }
      if (!isSelected(child)) continue;
      const item: Paragraphs = { blocks: [], run: "" };
      if (child.localName === "li") fill(child, item);
      else if (isBlock(child.localName)) block(child, item);
      else item.run = inline(child);
      flush(item);
      if (item.blocks.length === 0) continue;
      if (/^(?:ul|ol|menu)$/.test(child.localName) && items.length > 0) {
        items.at(-1)!.push(...item.blocks);
        continue;
      }
      if (item.blocks.some((block) => /^<h[1-6][ >]/.test(block))) hasHeadings = true;
      numbers[items.length] = Number(child.getAttribute("value") || Number.NaN);
      items.push(item.blocks);
    }
    if (items.length === 0) return;
    if (hasHeadings) {
      // A list of cards: headings inside of list items are not part of the outline.
      for (const item of items) into.blocks.push(...item);
      return;
    }
    const ordered = element.localName === "ol";
    const start = Number.parseInt(element.getAttribute("start") ?? "", 10);
    const first = Number.isInteger(numbers[0]) ? numbers[0]! : start;
    const open = ordered
      ? Number.isInteger(first) && first >= 0 && first !== 1
        ? `<ol start="${first}">`
        : "<ol>"
      : "<ul>";
    const writtenItems = items.map((item, index) => {
      const number = numbers[index];
      return writeItem(item, ordered && index > 0 && Number.isInteger(number) ? number : undefined);
    });
    into.blocks.push(`${open}${writtenItems.join("")}</${ordered ? "ol" : "ul"}>`);
  };

  const table = (read: Table, into: Paragraphs) => {
    if (read.caption && isSelected(read.caption)) into.blocks.push(...blocks(read.caption));
    const rows = read.rows.map((row) =>
      row.map(({ cell, align }) => ({ html: cell ? cellHtml(cell) : "", align })),
    );
    const filled = rows.filter((row, i) => i === 0 || row.some(({ html }) => html !== ""));
    if (filled.length === 0) return;
    const written = filled.map((row, i) => {
      const tag = i === 0 ? "th" : "td";
      const cells = row.map(
        ({ html, align }) => `<${tag}${align ? ` align="${align}"` : ""}>${html}</${tag}>`,
      );
      return `<tr>${cells.join("")}</tr>`;
    });
    into.blocks.push(
      `<table><thead>${written[0]}</thead><tbody>${written.slice(1).join("")}</tbody></table>`,
    );
  };
  /** A cell on one line: its blocks are separated by <br>, without their tags. */
  const cellHtml = (cell: DomElement): string =>
    blocks(cell)
      .map(flat)
      .filter((line) => line !== "")
      .join("<br>");

  return { blocks };
}

/** The inline HTML of nodes, with a space between elements that only CSS separates. */
function joined(nodes: readonly DomNode[], write: (node: DomNode) => string): string {
  const parts: string[] = [];
  let previous: DomNode | undefined;
  for (const child of nodes) {
    const after = write(child);
    if (isGlued({ before: parts.at(-1) ?? "", after, previous, child })) parts.push(" ");
    parts.push(after);
    previous = child;
  }
  return parts.join("");
}

/** Elements that CSS shows as blocks or with a distance. */
const MAY_BE_BLOCK = /^(?:span|a|time|label|small|strong|b|img)$/;
const MAX_SIDE = 200;

/**
 * Whether two elements without white space between them are texts of their own: a sentence and the next, words that
 * meet at a capital in elements of different classes, a word and an address, a picture and a word.
 */
function isGlued(texts: { before: string; after: string; previous?: DomNode; child: DomNode }): boolean {
  const { previous, child } = texts;
  if (!previous || !isElement(previous) || !isElement(child)) return false;
  if (!MAY_BE_BLOCK.test(previous.localName) || !MAY_BE_BLOCK.test(child.localName)) return false;
  const before = texts.before.slice(-MAX_SIDE).replace(/(?:<\/\w+>)+$/, "");
  const after = texts.after.slice(0, MAX_SIDE).replace(/^(?:<\w[^<>]*>)+/, "");
  if (previous.localName === "img") return /^[\p{L}\p{N}]/u.test(after) && before.endsWith(">");
  if (/\s\S+[.!?]$/.test(before)) return /^\p{Lu}/u.test(after);
  if (!/[\p{Ll}\p{N}]$/u.test(before)) return false;
  if (/^https?:\/\//.test(after)) return true;
  const [one, other] = [previous.getAttribute("class"), child.getAttribute("class")];
  return one !== null && other !== null && one !== other && /^\p{Lu}\p{Ll}/u.test(after);
}

/** Where inline HTML begins and ends without the spaces and line breaks at its edges. Linear. */
function edgesOf(html: string): [start: number, end: number] {
  const start = /^(?:\s|<br>)*/.exec(html)![0].length;
  let end = html.length;
  for (;;) {
    if (end > start && /\s/.test(html.charAt(end - 1))) end -= 1;
    else if (end > start && html.endsWith("<br>", end)) end -= 4;
    else return [start, end];
  }
}

/** Divides inline HTML at two or more line breaks in a row. No paragraph is empty, or starts or ends with a break. */
function paragraphsOf(html: string): string[] {
  const paragraphs: string[][] = [[]];
  for (const line of html.split("<br>")) {
    if (line.trim() === "") paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs.filter((lines) => lines.length > 0).map((lines) => lines.join("<br>").trim());
}

/** A tight item has no <p>, so that the Markdown has no blank lines. `number` is the one that the page gives it. */
function writeItem(blocks: string[], number?: number): string {
  const [first, ...rest] = blocks;
  const tight = first!.startsWith("<p>") && rest.every((block) => /^<[uo]l/.test(block));
  const value = number === undefined ? "" : ` value="${number}"`;
  return `<li${value}>${tight ? first!.slice(3, -4) + rest.join("") : blocks.join("")}</li>`;
}

/** The text of a block as inline HTML: list items and rows become lines. */
function flat(block: string): string {
  return block
    .replace(/<pre><code[^>]*>([\s\S]*?)<\/code><\/pre>/g, (_, text: string) =>
      text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => `<code>${line}</code>`)
        .join("<br>"),
    )
    .replace(/<\/(?:p|li|h[1-6]|tr|blockquote|pre)>(?!$)/g, "<br>")
    .replace(/<\/t[hd]>(?=<t[hd])/g, " ")
    .replace(/<\/?(?:p|ul|ol|li|h[1-6]|table|thead|tbody|tr|th|td|blockquote|pre|hr|input)\b[^>]*>/g, "")
    .split("<br>")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("<br>");
}
