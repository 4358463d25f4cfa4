// Links and images: absolute, harmless, the true file.

import { expect, test } from "bun:test";
import { markdownOf } from "../page.ts";

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

test("links within the page stay short", () => {
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
])("%p is text only", (href) => {
  expect(markdownOf(`<p>a <a href="${href}">x</a> b</p>`)).toBe("a x b");
});

test("lazy images show the file that a browser would show", () => {
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

test("pictures of one pixel go; of long inline data the text stays", () => {
  expect(markdownOf(`<p>a<img src="/t.gif" width="1" height="1"></p>`)).toBe("a");
  expect(markdownOf(`<p><img alt="A chart" src="data:image/png;base64,${"A".repeat(2_000)}"></p>`)).toBe(
    "A chart",
  );
});

test("a bang before a link makes no picture, brackets in a link do not end it", () => {
  expect(markdownOf(`<p>Wow!<a href="/a">x</a></p>`)).toBe("Wow\\![x](https://example.com/a)");
  expect(markdownOf(`<p><a href="/a">x] y</a></p>`)).toBe("[x\\] y](https://example.com/a)");
});
