// Writes the HTML that readers of files pass on to the steps for pages.

import { escapeHtml } from "../shared/text.ts";

/** The title of a page without one: otherwise, its first heading would be taken for it and removed. */
const NO_TITLE = "File without a title";

/** A page with this body and title; "" for none. */
export const pageOf = (body: string, title = "") =>
  `<html><head><title>${escapeHtml(title || NO_TITLE)}</title></head><body>${body}</body></html>`;

/** A table whose first row is its head; "" without rows. Cells are plain text; their line breaks stay. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const written = rows.map((row, index) => {
    const tag = index === 0 ? "th" : "td";
    const cells = row.map((cell) => `<${tag}>${escapeHtml(cell).replace(/\r\n?|\n/g, "<br>")}</${tag}>`);
    return `<tr>${cells.join("")}</tr>`;
  });
  const [head = "", ...body] = written;
  return head === "" ? "" : `<table><thead>${head}</thead><tbody>${body.join("")}</tbody></table>`;
}

/** Paragraphs of plain text: blank lines divide them, other line breaks stay. */
export function paragraphsOf(text: string): string {
  const parts = text.replace(/\r\n?/g, "\n").split(/\n[ \t]*\n/);
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => `<p>${escapeHtml(part).replace(/\n/g, "<br>")}</p>`)
    .join("\n");
}

/** A Markdown code block that no line of the text ends. */
export function fenceOf(text: string, language = ""): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\r\n?/g, "\n").replace(/\n+$/, "")}\n${fence}`;
}

/** What is inside of the body of a page; the whole text if it has none. Linear. */
export function bodyOf(page: string): string {
  const start = page.search(/<body[\s>]/i);
  const from = start < 0 ? 0 : page.indexOf(">", start) + 1;
  if (start >= 0 && from === 0) return "";
  const end = page.toLowerCase().lastIndexOf("</body");
  return page.slice(from, end < from ? page.length : end);
}
