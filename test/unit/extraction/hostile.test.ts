// Hostile pages. Each is extracted or fails with a code; the generous time limit detects quadratic time.

import { expect, test } from "bun:test";
import { ExtractionError } from "../../../src/engine/extraction/errors.ts";
import { extractPage } from "../../../src/engine/extraction/extract.ts";
import { bytes, extract, URL_OF_PAGE } from "./page.ts";

const MAX_MS = 60_000;
const SENTENCE = "The words of this page are still here, every one of them.";

test.each<[string, string]>([
  ["1,000 nested divs", `${"<div>".repeat(1_000)}<p>${SENTENCE}</p>${"</div>".repeat(1_000)}`],
  ["50,000 nested divs", `${"<div>".repeat(50_000)}<p>${SENTENCE}</p>${"</div>".repeat(50_000)}`],
  ["50,000 open inline elements", `${"<b>x".repeat(50_000)}<p>${SENTENCE}`],
  ["50,000 open paragraphs", `${"<p>".repeat(50_000)}${SENTENCE}`],
  ["nested lists without end", `${"<ul><li>".repeat(20_000)}${SENTENCE}`],
  ["nested tables without end", `${"<table><tr><td>".repeat(20_000)}${SENTENCE}`],
  ["100,000 <", `<p>${SENTENCE} ${"<".repeat(100_000)}</p>`],
  ["a giant attribute", `<p title="${"x".repeat(1_000_000)}">${SENTENCE}</p>`],
  ["a giant class", `<div class="${"ad ".repeat(300_000)}"></div><p>${SENTENCE}</p>`],
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
  ["one word of 1 MB", `<p>${SENTENCE}</p><p>${"x".repeat(1_000_000)}</p>`],
  ["1 MB of blanks", `<p>${SENTENCE}</p><p>a${" ".repeat(1_000_000)}b</p>`],
  ["400 kB of Markdown signs", `<p>${SENTENCE}</p><p>${"*_`[".repeat(100_000)}</p>`],
  ["a line of 200,000 brackets", `<p>${SENTENCE}</p><a href="x">${"[".repeat(200_000)}</a>`],
  [
    "10,000 marks of one long note",
    `<p>${SENTENCE}</p>${'<a href="#n">1</a> '.repeat(10_000)}<p id="n">${"note ".repeat(50_000)}</p>`,
  ],
  ["10,000 captions in one box", `<p>${SENTENCE}</p><div>${'<p class="caption">c</p>'.repeat(10_000)}</div>`],
  ["30,000 line breaks", `<p>${SENTENCE}</p>${"<br>".repeat(30_000)}`],
])(
  "the words of the page are extracted: %s",
  (_name, html) => {
    for (const main of [true, false]) expect(extract(html, { main }).markdown.includes(SENTENCE)).toBe(true);
  },
  MAX_MS,
);

const MANY = 200_000;
const BLANKS = " ".repeat(MANY);
/** White space that HTML does not collapse. */
const NO_BREAK = "\u00a0".repeat(MANY);
const dashes = "-".repeat(MANY);

// Most took more than 10 s with a quadratic regular expression.
test.each<[string, string]>([
  ["blanks in code", `<pre>a${BLANKS}b</pre>`],
  ["line breaks in code", `<pre>a${"\n".repeat(MANY)}b</pre>`],
  ["no-break spaces in code", `<pre>a${NO_BREAK}b</pre>`],
  ["code in a list item", `<ul><li>a<pre>a${"\n".repeat(MANY)}b${BLANKS}c</pre>d</li></ul>`],
  ["a gutter of blanks", `<pre><table><tr><td>${BLANKS}x</td><td>b</td></tr></table></pre>`],
  ["number signs", `<p>a ${"#".repeat(MANY)}x</p>`],
  ["a srcset of commas", `<img src="/a.png" srcset="${",".repeat(MANY)}">`],
  ["a srcset of one word", `<img src="/a.png" srcset="${"a".repeat(MANY)}${BLANKS}b">`],
  ["a placeholder's name", `<img src="/a.png" srcset="${"loading".repeat(MANY / 2)} 2x">`],
  ["an image's attribute", `<img class="lazy" data-x="${".jpg".repeat(MANY / 4)} b">`],
  ["a style of blanks", `<div style="display${BLANKS}x"><p>a</p></div>`],
  ["comments in JSON-LD", `<script type="application/ld+json">${"/*".repeat(MANY)}x</script>`],
  [
    "white space in JSON-LD",
    `<script type="application/ld+json">{"@type":"Article","articleBody":"${SENTENCE} a${NO_BREAK}b"}</script>`,
  ],
  ["blanks in TeX", `<math alttext="{\\displaystyle${BLANKS}${"}".repeat(MANY)}x"></math>`],
  ["dollar signs in TeX", `<math alttext="a${"$".repeat(MANY)}x"></math>`],
  [
    "separators in a title",
    `<title>a ${dashes}x | Site</title><meta property="og:site_name" content="Site"><h1>b</h1>`,
  ],
  [
    "words of a title and a heading",
    `<title>a</title><h1>${Array.from({ length: MANY }, (_, i) => `w${i}`).join(" ")}</h1><p>${SENTENCE}</p>`,
  ],
  ["an id of alerts", `<div id="${"alert ".repeat(MANY)}"><p>a</p></div>`],
  ["2,000 table rows", `<table><tr><th>a<th>b${"<tr><td>a<td>b".repeat(2_000)}</table>`],
])(
  "linear time for %s",
  (_name, html) => {
    for (const main of [true, false])
      expect(extract(`<p>${SENTENCE}</p>${html}`, { main }).markdown.includes(SENTENCE)).toBe(true);
  },
  MAX_MS,
);

test.each<[string, string]>([
  ["no-break spaces in text", `<p>a${NO_BREAK}b</p><p>${NO_BREAK}b</p><p>b${NO_BREAK}</p>`],
  ["no-break spaces next to breaks", `<p>a<br>${NO_BREAK}<br>b${NO_BREAK}c</p>`],
  ["no-break spaces in a link", `<p>x<a href="/y">a${NO_BREAK}b</a> <b>a${NO_BREAK}b</b></p>`],
  ["no-break spaces in cells", `<table><tr><th>a<th>b<tr><td>a${NO_BREAK}b<td><p>a<p>b</table>`],
  ["lines in code that are paragraphs", `<pre><code>${"<p>x".repeat(120_000)}</code></pre>`],
  ["links in one heading", `<h2>${"<a href=x>y</a>".repeat(12_000)}</h2>x`],
])(
  "linear time for %s",
  (_name, html) => {
    expect(extract(`<p>${SENTENCE}</p>${html}`).markdown.includes(SENTENCE)).toBe(true);
  },
  MAX_MS,
);

test.each<[string, string, string]>([
  ["a declared charset", "text/html", `${"<meta".repeat(95)} charset= ${" ".repeat(3_500)}`],
  ["comments before the first tag", "", "<!---->".repeat(146)],
  ["a Markdown heading of blanks", "text/markdown", `# a${BLANKS}b`],
  ["a Markdown heading of number signs", "text/markdown", `# a ${" #".repeat(MANY)}b`],
  ["a Markdown fence that is the last line", "text/markdown", `a\n${"`".repeat(MANY)}`],
])(
  "linear time for %s",
  (_name, contentType, text) => {
    // With a quadratic regular expression one run took between 0.7 and 8 s.
    for (let i = 0; i < 20; i++)
      extractPage({ body: bytes(text), contentType, url: URL_OF_PAGE, onlyMainContent: true });
  },
  MAX_MS,
);

test("more than 200,000 nodes are rejected before they are parsed", () => {
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
