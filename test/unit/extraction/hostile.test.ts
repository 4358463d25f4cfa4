// Pages made to break a parser. Each gives its text or fails with a code; the bound is wide and catches what is quadratic.

import { expect, test } from "bun:test";
import { ExtractionError } from "../../../src/engine/extraction/errors.ts";
import { extract } from "./page.ts";

const BOUND_MS = 10_000;
const SENTENCE = "The words of this page are still here, every one of them.";

test.each<[string, string]>([
  ["1,000 nested divs", `${"<div>".repeat(1_000)}<p>${SENTENCE}</p>${"</div>".repeat(1_000)}`],
  ["50,000 nested divs", `${"<div>".repeat(50_000)}<p>${SENTENCE}</p>${"</div>".repeat(50_000)}`],
  ["50,000 open inline elements", `${"<b>x".repeat(50_000)}<p>${SENTENCE}`],
  ["100,000 open paragraphs", `${"<p>".repeat(100_000)}${SENTENCE}`],
  ["nested lists without end", `${"<ul><li>".repeat(20_000)}${SENTENCE}`],
  ["nested tables without end", `${"<table><tr><td>".repeat(20_000)}${SENTENCE}`],
  ["two hundred thousand <", `<p>${SENTENCE} ${"<".repeat(200_000)}</p>`],
  ["a giant attribute", `<p title="${"x".repeat(5_000_000)}">${SENTENCE}</p>`],
  ["a giant class", `<div class="${"ad ".repeat(1_000_000)}"></div><p>${SENTENCE}</p>`],
  [
    "ten thousand attributes",
    `<p ${Array.from({ length: 10_000 }, (_, i) => `a${i}="b"`).join(" ")}>${SENTENCE}</p>`,
  ],
  [
    "unclosed everything",
    `<div><section><p>${SENTENCE}<ul><li>a<li>b<table><tr><td>c<pre>d<a href="x">e<b>f`,
  ],
  [
    "spans of a million columns",
    `<p>${SENTENCE}</p><table><tr><td colspan=1000000>a<td rowspan=1000000>b<tr><td>c<td>d</table>`,
  ],
  ["one word of 5 MB", `<p>${SENTENCE}</p><p>${"x".repeat(5_000_000)}</p>`],
  ["5 MB of blanks", `<p>${SENTENCE}</p><p>a${" ".repeat(5_000_000)}b</p>`],
  ["5 MB of Markdown signs", `<p>${SENTENCE}</p><p>${"*_`[".repeat(250_000)}</p>`],
  ["a line of 200,000 brackets", `<p>${SENTENCE}</p><a href="x">${"[".repeat(200_000)}</a>`],
  [
    "20,000 marks of one long note",
    `<p>${SENTENCE}</p>${'<a href="#n">1</a> '.repeat(20_000)}<p id="n">${"note ".repeat(100_000)}</p>`,
  ],
  ["20,000 captions in one box", `<p>${SENTENCE}</p><div>${'<p class="caption">c</p>'.repeat(20_000)}</div>`],
  ["60,000 line breaks", `<p>${SENTENCE}</p>${"<br>".repeat(60_000)}`],
])(
  "%s",
  (_name, html) => {
    for (const main of [true, false]) expect(extract(html, { main }).markdown.includes(SENTENCE)).toBe(true);
  },
  BOUND_MS,
);

test("more than 200,000 nodes are refused before anybody builds them", () => {
  const codeOf = (html: string) => {
    try {
      extract(html);
    } catch (error) {
      return error instanceof ExtractionError ? error.code : error;
    }
  };
  expect(codeOf("<br>".repeat(200_001))).toBe("TOO_MANY_NODES");
  expect(codeOf("<i></i>".repeat(100_001))).toBe("TOO_MANY_NODES");
});
