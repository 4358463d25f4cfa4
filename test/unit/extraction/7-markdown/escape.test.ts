// Escapes: only where CommonMark would read syntax, and no text is lost or added.

import { expect, test } from "bun:test";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { escapeHtml } from "../../../../src/engine/extraction/shared/text.ts";
import { markdownOf } from "../page.ts";

const parser = new MarkdownIt({ html: true });

/** The text that a reader sees, with collapsed white space. */
function shown(markdown: string): string {
  const text = (tokens: ReturnType<typeof parser.parse>): string =>
    tokens
      .map((token) => {
        if (token.type === "inline") return text(token.children ?? []);
        if (token.type === "softbreak" || token.type === "hardbreak") return " ";
        return token.type === "html_inline"
          ? ` ${token.content} `
          : token.content || (token.block ? " " : "");
      })
      .join("");
  return squeezed(text(parser.parse(markdown, {})));
}

const squeezed = (text: string) => text.replace(/\s+/g, " ").trim();

test.each([
  "snake_case and __init__.py stay",
  "2 * 3 * 4 = 24",
  "C# and F# [sic], a [note] in brackets",
  "a < b && b > c, AT&T, x <= y",
  "1,000 - 500 + 3 = 503",
  "Is this it? Yes! #hashtag @name ~ 5 | 6",
  "C:\\Users\\name and 50% off",
  "one * star, one ` tick",
])("nothing to escape in %p", (text) => {
  const plain = text.replace("__init__", "init");
  expect(markdownOf(`<p>${escapeHtml(plain)}</p>`)).toBe(plain);
});

test.each([
  ["# no heading", "\\# no heading"],
  ["- no item", "\\- no item"],
  ["+ no item", "\\+ no item"],
  ["2024. A year", "2024\\. A year"],
  ["1) one", "1\\) one"],
  ["> no quote", "\\> no quote"],
  ["---", "\\---"],
  ["*no emphasis*", "\\*no emphasis\\*"],
  ["_no emphasis_", "\\_no emphasis\\_"],
  ["`no code`", "\\`no code\\`"],
  ["[no](link)", "\\[no\\](link)"],
  ["<b>no tag</b>", "\\<b>no tag\\</b>"],
  ["&amp; no entity", "\\&amp; no entity"],
  ["a\\*b", "a\\\\*b"],
])("%p is escaped if it would be syntax", (text, markdown) => {
  expect(markdownOf(`<p>${escapeHtml(text)}</p>`)).toBe(markdown);
  expect(shown(markdown)).toBe(text);
});

test("a number and a point in different elements are not a list", () => {
  expect(markdownOf("<p>1<b>.</b> one</p>")).toBe("1\\. one");
  expect(markdownOf("<p>1<i>)</i> one</p>")).toBe("1\\) one");
});

const fragment = fc.oneof(
  fc.constantFrom(
    ..."*_`~[]()<>&!#+-=|:.\\ 1aé你\n".split(""),
    "**",
    "__",
    "](",
    "&amp;",
    "http://a.b/",
    "1. ",
    "- ",
    "# ",
  ),
  fc.string({ maxLength: 6 }),
);
const source = fc
  .array(fragment, { maxLength: 25 })
  .map((parts) =>
    parts.join("").replace(/[\u0000-\u001f\u007f-\u00a0\ufdd0\ud800-\udfff\u2028\u2029\ufeff]/g, " "),
  );

test("the text of the Markdown is the text of the page", () => {
  fc.assert(
    fc.property(source, source, source, (one, two, three) => {
      const html = `<p>${escapeHtml(one)}<br>${escapeHtml(two)}</p><ul><li>${escapeHtml(three)}</li></ul><h2>${escapeHtml(one)}</h2><blockquote>${escapeHtml(two)}</blockquote>`;
      expect(shown(markdownOf(html))).toBe(squeezed([one, two, three, one, two].join(" ")));
    }),
    { numRuns: 150 },
  );
});

test("the text is the same next to emphasis, links and code", () => {
  const word = source.map((text) => text.replace(/`/g, "'"));
  fc.assert(
    fc.property(word, word, word, (one, two, three) => {
      const [a, b, c] = [one, two, three].map(squeezed) as [string, string, string];
      const html = `<p>${escapeHtml(a)}<b>${escapeHtml(b)}</b>${escapeHtml(c)} <a href="/x">${escapeHtml(b)}</a>${escapeHtml(a)} <i>${escapeHtml(c)}</i>${escapeHtml(b)}</p>`;
      expect(shown(markdownOf(html))).toBe(squeezed(`${a}${b}${c} ${b}${a} ${c}${b}`));
    }),
    { numRuns: 150 },
  );
});
