// Captions are moved to their picture, and are never lost.

import { expect, test } from "bun:test";
import { markdownOf } from "../page.ts";

test("the caption of a picture is its title, or its alternative text if it has none", () => {
  expect(
    markdownOf(
      '<figure><img src="/a.png" alt="A chart"><figcaption>Sales, "2024" &amp; 2025</figcaption></figure>',
    ),
  ).toBe('![A chart](https://example.com/a.png "Sales, \\"2024\\" \\& 2025")');
  expect(markdownOf('<figure><img src="/a.png"><figcaption>Sales</figcaption></figure>')).toBe(
    "![Sales](https://example.com/a.png)",
  );
  expect(
    markdownOf(
      '<div class="wp-caption"><a href="/x"><img src="/a.png" alt="A"></a><p class="wp-caption-text">By me</p></div>',
    ),
  ).toBe('[![A](https://example.com/a.png "By me")](https://example.com/x)');
});

test("a caption remains text if it does not describe a single picture", () => {
  expect(
    markdownOf("<figure><pre>x = 1</pre><figcaption>Listing 1</figcaption></figure><p>Text.</p>"),
  ).toContain("Listing 1");
  expect(
    markdownOf(
      '<figure><img src="/a.png" alt="A"><img src="/b.png" alt="B"><figcaption>Both</figcaption></figure>',
    ),
  ).toContain("\nBoth");
  expect(markdownOf("<figure><img><figcaption>Not loaded</figcaption></figure>")).toBe("Not loaded");
  expect(
    markdownOf('<p>One.</p><div><p class="caption">Own words.</p><p>Two.</p></div><img src="/a.png">'),
  ).toContain("Own words.");
});
