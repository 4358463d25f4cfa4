// Headings, lists, quotes and other structure in Markdown.

import { expect, test } from "bun:test";
import { extract, extractBody, markdownOf } from "./page.ts";

test("headings retain their levels; only the one that repeats the title is removed", () => {
  const { title, markdown } = extractBody(
    "<h1>The Guide</h1><p>Intro.</p><h2>One</h2><p>a</p><h4>Deep</h4><p>b</p><h1>Other</h1><p>c</p>",
    "<title>The Guide</title>",
  );
  expect(title).toBe("The Guide");
  expect(markdown).toBe("Intro.\n\n## One\n\na\n\n#### Deep\n\nb\n\n# Other\n\nc");
});

test("headings in wrappers remain, without permalinks and edit links", () => {
  const html = `<div class="mw-heading mw-heading2"><h2 id="a">History</h2><span class="mw-editsection">[<a href="/e">edit</a>]</span></div>
    <p>Text.</p><div class="header-anchor-post"><h3><a class="anchor" href="#use">#</a>Use<a href="#use" title="Permalink">¶</a></h3></div>
    <p>More.</p><h2><a href="#whole">Whole</a></h2><p>End.</p>`;
  expect(markdownOf(html)).toBe("## History\n\nText.\n\n### Use\n\nMore.\n\n## Whole\n\nEnd.");
});

test("nested lists, start numbers and loose items", () => {
  expect(markdownOf("<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>")).toBe(
    "- a\n  - b\n    1. c\n- d",
  );
  expect(markdownOf(`<ol start="9"><li>nine</li><li>ten<ul><li>x</li></ul></li></ol>`)).toBe(
    "9. nine\n10. ten\n    - x",
  );
  expect(markdownOf("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>")).toBe("- a\n\n  b\n\n- c");
  expect(markdownOf("<ul><li>a</li><ul><li>b</li></ul></ul>")).toBe("- a\n  - b");
});

test("code in a list item remains in it", () => {
  expect(markdownOf("<ol><li>Run<pre>one\n\ntwo</pre></li><li>Done</li></ol>")).toBe(
    "1. Run\n\n   ```\n   one\n\n   two\n   ```\n\n2. Done",
  );
});

test("lists of links remain if they are the content", () => {
  expect(markdownOf(`<ul><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul>`)).toBe(
    "- [A](https://example.com/a)\n- [B](https://example.com/b)",
  );
});

test("a description list is bold terms and their text", () => {
  expect(markdownOf("<dl><dt>Term</dt><dd>Meaning.</dd><dt>Other</dt><dd>One.</dd><dd>Two.</dd></dl>")).toBe(
    "**Term**\n\nMeaning.\n\n**Other**\n\nOne.\n\nTwo.",
  );
});

test("details are open, and hidden panels remain", () => {
  expect(markdownOf("<details><summary>More</summary><p>Inside.</p></details>")).toBe("**More**\n\nInside.");
  const tabs = `<div role="tabpanel"><p>First.</p></div><div role="tabpanel" hidden><p>Second.</p></div>
    <div class="tab-pane" style="display:none"><p>Third.</p></div>`;
  expect(markdownOf(tabs)).toBe("First.\n\nSecond.\n\nThird.");
});

test("hidden text is removed", () => {
  const html = `<p>Seen.</p><p hidden>a</p><p style="color:red; display: none">b</p><div style="visibility:hidden">c</div>
    <span aria-hidden="true">★</span><span class="sr-only">d</span><!-- e --><script>f()</script><style>g{}</style><template>h</template>`;
  expect(markdownOf(html)).toBe("Seen.");
});

test("a page is read as on a large screen", () => {
  const html = `<p class="hidden md:block">Large.</p><p class="md:hidden">Small.</p><p class="d-none d-lg-block">Wide.</p>`;
  expect(markdownOf(html)).toBe("Large.\n\nWide.");
});

test("callouts are quotes", () => {
  const html = `<div class="admonition warning"><p class="admonition-title">Warning</p><p>Take care.</p></div>`;
  expect(markdownOf(html)).toBe("> Warning\n>\n> Take care.");
});

test("quotes retain their blocks", () => {
  expect(markdownOf("<blockquote><p>a</p><ul><li>b</li></ul></blockquote>")).toBe("> a\n>\n> - b");
});

test("formulas are their TeX", () => {
  const katex = `<p>So <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow>
    <annotation encoding="application/x-tex">x_1^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x12</span></span> holds.</p>`;
  expect(markdownOf(katex)).toBe("So $x_1^2$ holds.");
  expect(markdownOf(`<p><math alttext="a*b" display="block"><mi>a</mi></math></p>`)).toBe("$$a*b$$");
  expect(markdownOf(`<p>Is <script type="math/tex">\\alpha</script> small?</p>`)).toBe("Is $\\alpha$ small?");
});

test("two line breaks divide paragraphs, one breaks the line", () => {
  expect(markdownOf("<div>a<br><br>b<br>c</div>")).toBe("a\n\nb  \nc");
});

test("a link around a card becomes its first text", () => {
  expect(markdownOf(`<a href="/x"><h3>Name</h3><p>About it.</p></a>`)).toBe(
    "### [Name](https://example.com/x)\n\nAbout it.",
  );
});

test("right-to-left and unspaced scripts are unchanged", () => {
  const arabic = "هذا نص عربي، وفيه رقم ١٢٣.";
  const chinese = "这是一段没有空格的中文文字。";
  expect(markdownOf(`<div dir="rtl"><p>${arabic}</p></div><p>${chinese}<b>重点。</b>继续</p>`)).toBe(
    `${arabic}\n\n${chinese}重点。继续`,
  );
  expect(markdownOf("<p>这是<b>重点</b>文字</p>")).toBe("这是**重点**文字");
});

test("streamed parts are moved to their place and replace the fallback", () => {
  const html = `<p>First.</p><!--$?--><template id="B:0"></template><p>Loading…</p><!--$?--><p>Inner wait</p><!--/$--><!--/$-->
    <p>Last.</p><div hidden id="S:0"><p>The part.</p><template id="P:1"></template></div><div hidden id="S:1"><p>Its end.</p></div>`;
  expect(markdownOf(html)).toBe("First.\n\nThe part.\n\nIts end.\n\nLast.");
});

test("text after the end tags of the page is read", () => {
  const html = "<html><head><title>T</title></head><body><p>One.</p></body></html><p>Two.</p></body></html>";
  expect(extract(html).markdown).toBe("One.\n\nTwo.");
});

test.each(["admonition note", "markdown-alert markdown-alert-note", "notecard", "alert d-flex alert-info"])(
  "a callout of class %s is a quote with its label",
  (name) => {
    expect(
      markdownOf(`<p>a</p><div class="${name}"><p><strong>Note</strong></p><p>Mind the gap.</p></div>`),
    ).toBe("a\n\n> **Note**\n>\n> Mind the gap.");
  },
);
