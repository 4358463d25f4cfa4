// Inline Markdown as text.

import { expect, test } from "bun:test";
import { flattenInline, plainText, withoutLinks } from "../../../src/engine/markdown/inline.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";

test.each([
  ["plain text, 2 > 1", "plain text, 2 > 1"],
  ["*a* _b_ ~~c~~ **d** __e__ 2 * 3 snake_case", "a b  **d** **e** 2 * 3 snake_case"],
  [
    "[us](https://a.example/x_(y) 'title') <https://b.example/>",
    "us (https://a.example/x_(y)) https://b.example/",
  ],
  ["[form](f.pdf) [run](javascript:alert(1))", "form run"],
  ["[a][b] [c][] [d] [1.0.0]", "a c [d] [1.0.0]"],
  ["[![badge][png]][url] ![a *cat*](x.png)", " a cat"],
  ["a<br>b <!-- c --> <b>d</b>", "ab  d"],
  ["a[^1] `[^1]`", "a `[^1]`"],
  ["[^1]: A note.\n[^b]: More.", "A note.\nMore."],
  [
    "[![a](b.svg) ![c](d.svg)](https://e.example) [![f](g.svg) text](https://h.example)",
    " f text (https://h.example)",
  ],
  ["<a@b.example> [c@d.example](mailto:c@d.example)", "a@b.example c@d.example"],
  ["\\*a\\* &amp; &lt;b&gt; `c\\*`", "\\*a\\* &amp; &lt;b&gt; `c\\*`"],
  ["`` `a` `` `*b*`", "`` `a` `` `*b*`"],
  ["one\ntwo  \nthree\\\nfour", "one\ntwo\nthree\nfour"],
])("%j is flattened to %j", (source, text) => expect(flattenInline(source)).toBe(text));

test.each([
  ["**a** `c\\*d` \\*e\\* &amp;", "a c\\*d *e* &"],
  ["`` `a` ``", "`a`"],
  ["~~3,190~~ **2,749** `~~c~~`", "2,749 ~~c~~"],
  ["~~~~all of it~~~~ ~~and this** b", "~~and this b"],
])("the plain text of %j is %j", (source, text) => expect(plainText(flattenInline(source))).toBe(text));

test.each([
  ["- **a** [b](https://c.example) ![d](e)", "- **a** b (https://c.example) d"],
  ["_a_ <b>c</b> [x]: y [^1]", "_a_ <b>c</b> [x]: y [^1]"],
])("%j without links is %j", (source, text) => expect(withoutLinks(source)).toBe(text));

test("hostile inline markup is read in linear time", () => {
  for (const part of ["[", "![", "](", "*", "**a", "_a", "`", "<a ", "&#", "\\[", "[a]["]) {
    const source = part.repeat(5_000 / part.length);
    const start = cpuMs();
    flattenInline(source);
    withoutLinks(source);
    expect([part, cpuMs() - start < 2_000]).toEqual([part, true]);
  }
});
