// Footnotes become `[^1]` with their notes at the end.

import { expect, test } from "bun:test";
import { extract, markdownOf } from "../page.ts";

const EXPECTED = "Tea[^1] is hot.[^2]\n\nEnd.\n\n[^1]: A *plant*.\n\n[^2]: As a rule.";

test.each([
  [
    "Markdown renderers",
    `<p>Tea<sup id="fnref:1"><a href="#fn:1" class="footnote-ref">1</a></sup> is hot.<sup id="fnref:2"><a href="#fn:2">2</a></sup></p>
     <div class="footnotes"><hr><ol><li id="fn:1"><p>A <em>plant</em>. <a href="#fnref:1">↩</a></p></li>
     <li id="fn:2"><p>As a rule. <a href="#fnref:2">↩</a></p></li></ol></div><p>End.</p>`,
  ],
  [
    "wikis",
    `<p>Tea<sup id="cite_ref-a"><a href="#cite_note-a">[1]</a></sup> is hot.<sup id="cite_ref-b"><a href="#cite_note-b">[2]</a></sup></p>
     <ol class="references"><li id="cite_note-a"><span><a href="#cite_ref-a">^</a></span> <span>A <i>plant</i>.</span></li>
     <li id="cite_note-b"><span><a href="#cite_ref-b">^</a></span> <span>As a rule.</span></li></ol><p>End.</p>`,
  ],
  [
    "whole addresses and boxes",
    `<p>Tea<a id="footnote-anchor-1" href="https://example.com/guide/page.html#footnote-1">1</a> is hot.<a id="footnote-anchor-2" href="#footnote-2">2</a></p>
     <p>End.</p><div class="footnote"><a id="footnote-1" href="#footnote-anchor-1">1</a><div><p>A <em>plant</em>.</p></div></div>
     <div class="footnote"><a id="footnote-2" href="#footnote-anchor-2">2</a><div><p>As a rule.</p></div></div>`,
  ],
])("footnotes of %s", (_name, html) => {
  expect(markdownOf(html).replace("---\n\n", "")).toBe(EXPECTED);
});

test("other links within a page remain links", () => {
  const html = `<ul><li><a href="#s1">1</a></li></ul><h2 id="s1">One</h2><p id="p2">Two.</p><p><a href="#p2">2</a></p>`;
  expect(markdownOf(html)).toContain("[2](#p2)");
  expect(markdownOf(html)).not.toContain("[^");
});

test("a note is removed if its mark is not selected", () => {
  const text = "<p>A sentence that is long enough to be read, with a comma and an end.</p>".repeat(8);
  const html = `<html><body><nav><sup id="r1"><a href="#fn1">1</a></sup> Menu</nav><main><h1>T</h1>${text}</main>
    <ol><li id="fn1">Of the menu. <a href="#r1">↩</a></li></ol></body></html>`;
  expect(extract(html, { main: true }).markdown).not.toContain("Of the menu");
});
