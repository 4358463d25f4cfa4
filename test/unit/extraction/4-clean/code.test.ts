// Code blocks: their language and lines remain, the controls of highlighters are removed.

import { expect, test } from "bun:test";
import { markdownOf } from "../page.ts";

test.each([
  ["language- on code", `<pre><code class="language-rust">fn main() {}</code></pre>`, "rust"],
  ["lang- on pre", `<pre class="lang-py"><code>fn main() {}</code></pre>`, "py"],
  ["hljs", `<pre><code class="hljs javascript">fn main() {}</code></pre>`, "javascript"],
  ["highlight-source-*", `<div class="highlight highlight-source-go"><pre>fn main() {}</pre></div>`, "go"],
  ["data-lang", `<pre><code data-lang="toml">fn main() {}</code></pre>`, "toml"],
  ["data-language on a parent", `<div data-language="sql"><pre>fn main() {}</pre></div>`, "sql"],
  [
    "class of a wrapper",
    `<div class="language-bash extra"><div class="highlight"><pre><code>fn main() {}</code></pre></div></div>`,
    "bash",
  ],
  [
    "highlight-*",
    `<div class="highlight-python3 notranslate"><div class="highlight"><pre>fn main() {}</pre></div></div>`,
    "python",
  ],
  ["brush:", `<pre class="brush: csharp; gutter: false">fn main() {}</pre>`, "csharp"],
  ["a bare class", `<pre class="rust item"><code>fn main() {}</code></pre>`, "rust"],
  ["python3", `<pre class="python3"><code>fn main() {}</code></pre>`, "python"],
  ["none", `<pre class="highlight"><code class="nohighlight">fn main() {}</code></pre>`, ""],
])("the language of a fence: %s", (_name, html, language) => {
  expect(markdownOf(html)).toBe(`\`\`\`${language}\nfn main() {}\n\`\`\``);
});

test("a toolbar around code is removed, the code remains", () => {
  const html = `<div class="code-toolbar"><pre class="language-js"><code class="language-js">let a = 1;</code></pre>
    <div class="toolbar"><div class="toolbar-item"><button>Copy</button></div></div></div>`;
  expect(markdownOf(html)).toBe("```js\nlet a = 1;\n```");
});

test("a pre without code is a fence with unchanged lines and indents", () => {
  expect(markdownOf("<pre>\nif x:\n    y()\n\n    z()\n</pre>")).toBe("```\nif x:\n    y()\n\n    z()\n```");
});

test("line breaks come from br, from line elements and from block spans", () => {
  expect(markdownOf("<pre>one<br>two<br/>three</pre>")).toBe("```\none\ntwo\nthree\n```");
  expect(markdownOf("<pre><code><div>one</div><div>two</div></code></pre>")).toBe("```\none\ntwo\n```");
  const spans = `<pre><code><span class="line">one</span><span class="line">  two</span></code></pre>`;
  expect(markdownOf(spans)).toBe("```\none\n  two\n```");
  const lines = `<pre><code><span class="line">one</span>\n<span class="line">two</span></code></pre>`;
  expect(markdownOf(lines)).toBe("```\none\ntwo\n```");
});

test("line numbers are removed", () => {
  const table = `<table class="rouge-table"><tr><td class="gutter"><pre>1\n2\n</pre></td>
    <td class="code"><pre>a = 1\nb = 2\n</pre></td></tr></table>`;
  expect(markdownOf(table)).toBe("```\na = 1\nb = 2\n```");
  const rows = `<pre><code><table><tr><td>1</td><td>a = 1</td></tr><tr><td>2</td><td>b = 2</td></tr></table></code></pre>`;
  expect(markdownOf(rows)).toBe("```\na = 1\nb = 2\n```");
  const spans = `<pre><code><span class="lineno">1</span>a = 1\n<span class="lineno">2</span>b = 2</code></pre>`;
  expect(markdownOf(spans)).toBe("```\na = 1\nb = 2\n```");
  expect(markdownOf("<pre>1 one\n2 two\n3 three</pre>")).toBe("```\none\ntwo\nthree\n```");
});

test("numbers that are the content remain", () => {
  expect(markdownOf("<pre>1\n2\n4</pre>")).toBe("```\n1\n2\n4\n```");
});

test("a fence is longer than any fence inside", () => {
  expect(markdownOf("<pre>```js\nx\n```</pre>")).toBe("````\n```js\nx\n```\n````");
  expect(markdownOf("<pre>  ````\nx</pre>")).toBe("`````\n  ````\nx\n`````");
});

test("a block with 200,000 fences is converted", () => {
  expect(markdownOf(`<pre>${"```\n".repeat(200_000)}</pre>`)).toStartWith("````\n```\n```\n");
});

test("code within a line, with backticks of its own", () => {
  expect(markdownOf("<p>Call <code>f(a_b, *c)</code> or <code>a`b</code>.</p>")).toBe(
    "Call `f(a_b, *c)` or ``a`b``.",
  );
  expect(markdownOf("<p>Press <kbd>Ctrl</kbd>.</p>")).toBe("Press `Ctrl`.");
});
