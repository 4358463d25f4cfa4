// Forms of single tools, texts for screen readers, and controls.

import { expect, test } from "bun:test";
import { extractBody, markdownOf } from "../page.ts";

test.each([
  ["Rating: <span aria-hidden=true>★★★★☆</span><span class=sr-only>4 of 5</span>", "Rating: 4 of 5"],
  ["Weight: <span aria-hidden=true>4 kg</span>", "Weight: 4 kg"],
  ['<i class="fa fa-check" aria-hidden=true></i> Done', "Done"],
  ['<span class="material-icons" aria-hidden=true>home</span> Start', "Start"],
  [
    'Write to <a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="422e272b6c303621">[email&#160;protected]</a>.',
    "Write to nei.rtc.",
  ],
  ["<ruby>港<rt>みなと</rt></ruby>で", "港（みなと）で"],
  ["<ruby>港<rp>(</rp><rt>みなと</rt><rp>)</rp></ruby>で", "港(みなと)で"],
  ["Donau&shy;dampf&shy;schiff is zero&#8203;width", "Donaudampfschiff is zerowidth"],
])("%s", (html, markdown) => {
  const key = "422e272b6c303621";
  const bytes = Buffer.from(key, "hex");
  const address = Buffer.from(bytes.subarray(1).map((byte) => byte ^ bytes[0]!)).toString();
  expect(markdownOf(`<p>${html}</p>`)).toBe(markdown.replace("nei.rtc", address));
});

test("labels of pictures fill cells that have no other text", () => {
  const html = `<table><tr><th>Feature</th><th>Free</th></tr><tr><td>Export</td><td><svg aria-label="Not included"></svg></td></tr><tr><td>Backup</td><td><i aria-hidden=true></i><span class=sr-only>Yes</span></td></tr></table>`;
  expect(markdownOf(html)).toContain("| Export | Not included |\n| Backup | Yes |");
});

test.each([
  [
    "Notion",
    '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Paint</span></li><li><div class="checkbox checkbox-off"></div> <span>Order</span></li></ul>',
  ],
  [
    "Confluence",
    '<ul class="inline-task-list"><li class="checked"><span>Paint</span></li><li><span>Order</span></li></ul>',
  ],
  [
    "Evernote",
    '<ul style="--en-todo:true"><li style="--en-checked:true"><div>Paint</div></li><li style="--en-checked:false"><div>Order</div></li></ul>',
  ],
])("tasks of %s keep their state", (_name, html) => {
  expect(markdownOf(html).replace(/ +/g, " ")).toBe("- [x] Paint\n- [ ] Order");
});

test("declarative shadow roots are read, with what is put into their slots", () => {
  const html = `<x-card><template shadowrootmode=open><p>Before.</p><slot></slot><p>After.</p></template><p>Slotted.</p></x-card>`;
  expect(markdownOf(html)).toBe("Before.\n\nSlotted.\n\nAfter.");
});

test("links of headings and terms to themselves go, also with characters of no width", () => {
  expect(markdownOf('<h2>Oil the winch<a class=hash-link href="#y">\u200b</a></h2>')).toBe(
    "## Oil the winch",
  );
  expect(
    markdownOf('<dl><dt><b>down()</b><a class=headerlink href="#d">¶</a></dt><dd>Turns.</dd></dl>'),
  ).not.toContain("¶");
});

test("words of code boxes are not languages, and `lang` of <pre> is one", () => {
  expect(markdownOf('<div class="highlight tab-size"><pre>a</pre></div>')).toBe("```\na\n```");
  expect(markdownOf('<pre class="code code-wrap"><code class="language-Bash">a</code></pre>')).toBe(
    "```bash\na\n```",
  );
  expect(markdownOf('<pre lang="mermaid">a</pre>')).toBe("```mermaid\na\n```");
  expect(markdownOf('<pre lang="de">a</pre>')).toBe("```\na\n```");
});

test("a time in a sentence is not when the page was published", () => {
  const page = (html: string) =>
    extractBody(`<article><h1>Fair</h1>${html}</article>`).metadata.publishedTime;
  expect(
    page('<p>The fair is on <time datetime="2031-04-01">the first of April 2031</time>.</p>'),
  ).toBeUndefined();
  expect(page('<p>By Kim, <time datetime="2026-05-04">4 May 2026</time></p><p>Text.</p>')).toBe("2026-05-04");
});

test("frames and players in the text are counted", () => {
  const { leftOut } = extractBody(
    '<article><p>Text.</p><iframe src="https://v.test/1"></iframe><iframe width=1 src="https://t.test"></iframe></article><iframe src="https://ad.test"></iframe>',
  );
  expect(leftOut).toEqual([{ kind: "frame", count: 1 }]);
});

test("lists of Google Docs are nested by their level", () => {
  const list = (level: number, ...items: string[]) =>
    `<ul class="c3 lst-kix_a-${level} start">${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
  const html = list(0, "Top") + list(1, "Nested") + list(2, "Deep") + list(1, "Other") + list(0, "Second");
  expect(markdownOf(html).replace(/\n+/g, "\n")).toBe("- Top\n  - Nested\n    - Deep\n  - Other\n- Second");
  expect(markdownOf(`${list(0, "a")}<p>Text.</p>${list(1, "b")}`)).toBe("- a\n\nText.\n\n- b");
});

test("boxes and code of Confluence", () => {
  const box =
    '<div class="confluence-information-macro confluence-information-macro-warning"><p class="title">Danger</p><div class="confluence-information-macro-body"><p>Mind the rope.</p></div></div>';
  const code =
    '<pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: bash; gutter: false">winch --up</pre>';
  expect(markdownOf(box + code)).toBe("> Danger\n>\n> Mind the rope.\n\n```bash\nwinch --up\n```");
});
