// Links and images: absolute, safe, and of the file that is shown.

import { expect, test } from "bun:test";
import { extract, markdownOf } from "../page.ts";

test("links are absolute against the final address, or against <base>", () => {
  expect(markdownOf(`<p><a href="../a?b=1#c">x</a></p>`)).toBe("[x](https://example.com/a?b=1#c)");
  expect(markdownOf(`<p><a href="a">x</a></p>`, `<base href="/deep/er/">`)).toBe(
    "[x](https://example.com/deep/er/a)",
  );
  expect(markdownOf(`<p><a href="//cdn.example/a">x</a></p>`)).toBe("[x](https://cdn.example/a)");
  expect(markdownOf(`<p><a href="/w/A_(b)">x</a> <a href="/a b">y</a></p>`)).toBe(
    "[x](https://example.com/w/A_(b)) [y](https://example.com/a%20b)",
  );
});

test("links within the page have only a fragment", () => {
  expect(markdownOf(`<p><a href="#part">x</a></p>`)).toBe("[x](#part)");
  expect(markdownOf(`<p><a href="/guide/page.html#part">x</a></p>`)).toBe("[x](#part)");
});

test.each([
  "javascript:alert(1)",
  " JaVa\nScript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "blob:x",
  "#",
  "",
])("a link to %p becomes text", (href) => {
  expect(markdownOf(`<p>a <a href="${href}">x</a> b</p>`)).toBe("a x b");
});

const PROSE =
  `<p>${"A sentence that is long enough to be read, with a comma and an end. ".repeat(3)}</p>`.repeat(4);

test.each([
  "javascript:alert(1)",
  " JaVa\nScript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "",
  "#",
  "http://",
])("the main content retains the text of a link to %p", (href) => {
  const html = `<article>${PROSE}<p>A <a href="${href}">bad link</a>.</p>${PROSE}</article>`;
  expect(extract(html, { main: true }).markdown.split("\n\n")[4]).toBe("A bad link.");
});

test.each([
  ["<b>bad <i>link</i></b>", "A **bad *link***."],
  ["bad <b>link</b> <code>x</code>", "A bad **link** `x`."],
  ["<span><span>bad</span> link</span>", "A bad link."],
  [`<img src="/a.png" alt="Pic">`, "A ![Pic](https://example.com/a.png)."],
  [`<img src="/a.png" alt="Pic"> bad link`, "A ![Pic](https://example.com/a.png) bad link."],
])("the main content retains %p in a link without a target", (content, expected) => {
  for (const href of ["javascript:x", "data:text/html,x", ""]) {
    const html = `<article>${PROSE}<p>A <a href="${href}">${content}</a>.</p>${PROSE}</article>`;
    expect(extract(html, { main: true }).markdown.split("\n\n")[4]).toBe(expected);
  }
});

test("the main content retains emphasised links and lists of links without a target", () => {
  const html = `<article>${PROSE}<p>A <b><a href="javascript:x">bad link</a></b>.</p>
    <ul><li><a href="javascript:x">one</a></li><li><a href="javascript:y">two</a></li></ul>${PROSE}</article>`;
  const { markdown } = extract(html, { main: true });
  expect(markdown).toContain("A **bad link**.\n\n- one\n- two");
});

test("lazy images have the address that a browser would show", () => {
  const dot = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
  expect(markdownOf(`<p><img src="${dot}" data-src="/a.jpg" alt="A"></p>`)).toBe(
    "![A](https://example.com/a.jpg)",
  );
  expect(markdownOf(`<p><img src="/s.jpg" srcset="/m.jpg 600w, /l.jpg 1200w" alt="A"></p>`)).toBe(
    "![A](https://example.com/l.jpg)",
  );
  expect(markdownOf(`<p><img src="${dot}" alt="A"><noscript><img src="/n.jpg"></noscript></p>`)).toBe(
    "![A](https://example.com/n.jpg)",
  );
  expect(
    markdownOf(`<picture><source srcset="/big.webp 2x, /small.webp"><img src="${dot}" alt="A"></picture>`),
  ).toBe("![A](https://example.com/big.webp)");
});

test("an invalid candidate of a srcset is skipped", () => {
  const image = (srcset: string) => markdownOf(`<p><img src="/s.jpg" srcset="${srcset}" alt="A"></p>`);
  expect(image("/m.jpg 600w, /Our Home.jpg 1200w")).toBe("![A](https://example.com/m.jpg)");
  expect(image("/m.jpg 600w, /l.jpg 1200w /xl.jpg 2400w")).toBe("![A](https://example.com/m.jpg)");
  expect(image("/m.jpg 1x,/l.jpg 2x")).toBe("![A](https://example.com/l.jpg)");
  expect(image("/a,b.jpg 2x, /m.jpg")).toBe("![A](https://example.com/a,b.jpg)");
});

test("images of one pixel are removed; of long inline data the alternative text remains", () => {
  expect(markdownOf(`<p>a<img src="/t.gif" width="1" height="1"></p>`)).toBe("a");
  expect(markdownOf(`<p><img alt="A chart" src="data:image/png;base64,${"A".repeat(2_000)}"></p>`)).toBe(
    "A chart",
  );
});

test("an exclamation mark before a link makes no image, brackets in a link do not close it", () => {
  expect(markdownOf(`<p>Wow!<a href="/a">x</a></p>`)).toBe("Wow\\![x](https://example.com/a)");
  expect(markdownOf(`<p><a href="/a">x] y</a></p>`)).toBe("[x\\] y](https://example.com/a)");
});

test("links of Google Docs lead to their target", () => {
  const link = '<a href="https://www.google.com/url?q=https://tide.test/table&amp;sa=D">tide table</a>';
  expect(markdownOf(`<p>${link}</p>`)).toBe("[tide table](https://tide.test/table)");
});
