// Markdown beyond CommonMark: what it becomes, before it is made harmless.

import { describe, expect, test } from "bun:test";
import { renderBlocks } from "../../../src/console/text/markdown.ts";
import { createAnchors } from "../../../src/console/text/markdown-extensions.ts";
import { resolvePath } from "../../../src/kernel/link-path.ts";

const html = (text: string) =>
  renderBlocks(text)
    .map((block) => block.html)
    .join("");

describe("extensions of Markdown", () => {
  test.each([
    ["task boxes", "- [x] done\n- [ ] open\n- [link]", ["☑ done", "☐ open", "[link]"]],
    ["alerts", "> [!NOTE]\n> Take care.", ['<blockquote class="alert alert-note">', "<strong>Note</strong>"]],
    ["a quote", "> [!OTHER]\n> text", ["<blockquote>", "[!OTHER]"]],
    ["wiki links", "[[Harbour log]]", ['<a href="#wiki:Harbour%20log">Harbour log</a>']],
    [
      "wiki links with a text",
      "[[Harbour log#Tides|the log]]",
      ['<a href="#wiki:Harbour%20log%23Tides">the log</a>'],
    ],
    ["aligned tables", "|a|b|\n|:-:|--:|\n|c|d|", ['<th class="align-center">', '<td class="align-right">']],
    [
      "footnotes",
      "Text[^1].\n\n[^1]: https://example.org",
      [
        'Text<sup><a href="#footnote:1">1</a></sup>.',
        '<p class="footnote"><sup><a href="#footnote:1">1</a></sup> https://example.org</p>',
      ],
    ],
    ["front matter", "---\na: <b>\n---\ntext", ["<details><summary>Front matter</summary>", "a: &lt;b&gt;"]],
    ["code", "`[[x]]` and `[^1]`", ["<code>[[x]]</code>", "<code>[^1]</code>"]],
  ])("%s", (_name, text, parts) => {
    for (const part of parts) expect(html(text)).toContain(part);
    expect(html(text)).not.toContain("style=");
  });

  test("anchors are those of GitHub", () => {
    const anchorOf = createAnchors();
    expect(["Set up & check", "Überblick", "The API", "The API", "a_b-c.d"].map(anchorOf)).toEqual([
      "set-up--check",
      "überblick",
      "the-api",
      "the-api-1",
      "a_b-cd",
    ]);
  });

  test.each([
    ["notes/a/b.md", "./c.md", "notes/a/c.md", ""],
    ["notes/a/b.md", "../c%20d.md#part", "notes/c d.md", "part"],
    ["/home/x/b.md", "c.md?raw=1", "/home/x/c.md", ""],
    ["b.md", "../c.md", undefined, undefined],
    ["b.md", "%E0%A4%A", "%E0%A4%A", ""],
  ])("in %s, %s leads to %s", (from, link, path, anchor) => {
    expect(resolvePath(from, link)).toEqual(path === undefined ? undefined : { path, anchor: anchor! });
  });
});
