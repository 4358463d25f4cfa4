// The tree of chunks for each Markdown construct. Each line: level, index among the siblings, heading path,
// [start..end), words, and the content of paragraphs.

import { describe, expect, test } from "bun:test";
import { chunkMarkdown } from "../../../src/engine/chunking/tree.ts";
import { expectSound } from "./invariants.ts";
import { dedent, outline } from "./outline.ts";

interface Example {
  name: string;
  text: string;
  tree: string;
}

const EXAMPLES: Example[] = [
  {
    name: "an empty document",
    text: "",
    tree: `
      document 0 [0..0] 0
    `,
  },
  {
    name: "blank lines only",
    text: " \n\t\r\n\n",
    tree: `
      document 0 [0..0] 0
    `,
  },
  {
    name: "no heading",
    text: "First paragraph,\nof two lines.\n\n\nSecond one.\n\n",
    tree: `
      document 0 [0..44] 7
        paragraph 0 [0..30] 5 "First paragraph,\\nof two lines."
        paragraph 1 [33..44] 2 "Second one."
    `,
  },
  {
    name: "text before the first heading",
    text: "Before.\n\n# A\n\nText.\n",
    tree: `
      document 0 [0..19] 3
        paragraph 0 [0..7] 1 "Before."
        section 1 "A" [9..19] 2
          paragraph 0 "A" [14..19] 1 "Text."
    `,
  },
  {
    name: "sections do not nest, paths do",
    text: "# A\na\n## B\nb\n### C\nc\n## D\n# E\ne",
    tree: `
      document 0 [0..31] 9
        section 0 "A" [0..5] 2
          paragraph 0 "A" [4..5] 1 "a"
        section 1 "A > B" [6..12] 2
          paragraph 0 "A > B" [11..12] 1 "b"
        section 2 "A > B > C" [13..20] 2
          paragraph 0 "A > B > C" [19..20] 1 "c"
        section 3 "A > D" [21..25] 1
        section 4 "E" [26..31] 2
          paragraph 0 "E" [30..31] 1 "e"
    `,
  },
  {
    name: "levels that are skipped, and come back",
    text: "### C\n\n# A\n\n#### D\n\n## B\n",
    tree: `
      document 0 [0..24] 4
        section 0 "C" [0..5] 1
        section 1 "A" [7..10] 1
        section 2 "A > D" [12..18] 1
        section 3 "A > B" [20..24] 1
    `,
  },
  {
    name: "Setext headings, one of two lines",
    text: "Title of\ntwo lines\n===\ntext\n\nSub\n---\n- item\n",
    tree: `
      document 0 [0..43] 7
        section 0 "Title of two lines" [0..27] 5
          paragraph 0 "Title of two lines" [23..27] 1 "text"
        section 1 "Title of two lines > Sub" [29..43] 2
          paragraph 0 "Title of two lines > Sub" [37..43] 1 "- item"
    `,
  },
  {
    name: "inline marks in headings, empty headings",
    text: "# **Bold** [link](x) `code` #\n##\n\ntext\n",
    tree: `
      document 0 [0..38] 5
        section 0 "Bold link code" [0..29] 4
        section 1 "Bold link code > " [30..38] 1
          paragraph 0 "Bold link code > " [34..38] 1 "text"
    `,
  },
  {
    name: "what is no heading: in fences, indented, in quotes, in lists, without a space",
    text: "```sh\n# no\n```\n\n    # no\n\n> # no\n\n- # no\n\n#no\n\n####### no\n",
    tree: `
      document 0 [0..57] 7
        paragraph 0 [0..14] 2 "\`\`\`sh\\n# no\\n\`\`\`"
        paragraph 1 [16..24] 1 "    # no"
        paragraph 2 [26..32] 1 "> # no"
        paragraph 3 [34..40] 1 "- # no"
        paragraph 4 [42..45] 1 "#no"
        paragraph 5 [47..57] 1 "####### no"
    `,
  },
  {
    name: "a fence that is never closed",
    text: "# A\n~~~\ncode\n\n# no heading\n",
    tree: `
      document 0 [0..26] 4
        section 0 "A" [0..26] 4
          paragraph 0 "A" [4..26] 3 "~~~\\ncode\\n\\n# no heading"
    `,
  },
  {
    name: "a fence of four holds a fence of three",
    text: "````md\n```js\n# x\n```\n````\n# A",
    tree: `
      document 0 [0..29] 4
        paragraph 0 [0..25] 3 "\`\`\`\`md\\n\`\`\`js\\n# x\\n\`\`\`\\n\`\`\`\`"
        section 1 "A" [26..29] 1
    `,
  },
  {
    name: "tables: with and without outer bars, ended by a blank line or another block",
    text: "a | b\n--|--\n1 | 2\n\n| c |\n|---|\n| 3 |\n> quote\n",
    tree: `
      document 0 [0..44] 7
        paragraph 0 [0..17] 4 "a | b\\n--|--\\n1 | 2"
        paragraph 1 [19..36] 2 "| c |\\n|---|\\n| 3 |"
        paragraph 2 [37..44] 1 "> quote"
    `,
  },
  {
    name: "nested and loose lists are one block, another marker starts another",
    text: "- a\n  - b\n\n    text of b\n\n      code of b\n- c\nlazy\n* d\n1. e\n",
    tree: `
      document 0 [0..59] 13
        paragraph 0 [0..50] 10 "- a\\n  - b\\n\\n    text of b\\n\\n      code of b\\n- c\\nlazy"
        paragraph 1 [51..54] 1 "* d"
        paragraph 2 [55..59] 2 "1. e"
    `,
  },
  {
    name: "quotes with lazy lines and blocks inside",
    text: "> one\nlazy\n>\n> ```\n> code\n> ```\nafter\n",
    tree: `
      document 0 [0..37] 4
        paragraph 0 [0..31] 3 "> one\\nlazy\\n>\\n> \`\`\`\\n> code\\n> \`\`\`"
        paragraph 1 [32..37] 1 "after"
    `,
  },
  {
    name: "HTML blocks, comments over blank lines",
    text: "<div>\n# no\n</div>\n\n<!-- one\n\n# no\n-->\n# A\n",
    tree: `
      document 0 [0..41] 6
        paragraph 0 [0..17] 3 "<div>\\n# no\\n</div>"
        paragraph 1 [19..37] 2 "<!-- one\\n\\n# no\\n-->"
        section 2 "A" [38..41] 1
    `,
  },
  {
    name: "link definitions, which are not shown, are retained; a rule after them makes no heading",
    text: "# A\n\n[a]: http://a.b\n[c]: d\n  'title'\n---\ntext\n",
    tree: `
      document 0 [0..46] 8
        section 0 "A" [0..46] 8
          paragraph 0 "A" [5..41] 6 "[a]: http://a.b\\n[c]: d\\n  'title'\\n---"
          paragraph 1 "A" [42..46] 1 "text"
    `,
  },
  {
    name: "thematic breaks belong to the block before, else to the one after, else they are a paragraph",
    text: "a\n\n***\n\nb\n# A\n\n---\n\nc\n# B\n___\n",
    tree: `
      document 0 [0..29] 5
        paragraph 0 [0..6] 1 "a\\n\\n***"
        paragraph 1 [8..9] 1 "b"
        section 2 "A" [10..21] 2
          paragraph 0 "A" [15..21] 1 "---\\n\\nc"
        section 3 "B" [22..29] 1
          paragraph 0 "B" [26..29] 0 "___"
    `,
  },
  {
    name: "front matter",
    text: "---\ntitle: x # y\n\ntags: [a]\n---\n# A\ntext\n",
    tree: `
      document 0 [0..40] 7
        paragraph 0 [0..31] 5 "---\\ntitle: x # y\\n\\ntags: [a]\\n---"
        section 1 "A" [32..40] 2
          paragraph 0 "A" [36..40] 1 "text"
    `,
  },
  {
    name: "front matter and a rule after it",
    text: "---\na: b\n---  \n\n---\n\ntext",
    tree: `
      document 0 [0..25] 3
        paragraph 0 [0..14] 2 "---\\na: b\\n---  "
        paragraph 1 [16..25] 1 "---\\n\\ntext"
    `,
  },
  {
    name: "not front matter: a blank second line, no end, not at the start",
    text: "---\n\n# A\n\n---\n",
    tree: `
      document 0 [0..13] 1
        paragraph 0 [0..3] 0 "---"
        section 1 "A" [5..13] 1
          paragraph 0 "A" [10..13] 0 "---"
    `,
  },
  {
    name: "front matter that never ends",
    text: "---\na: b\n",
    tree: `
      document 0 [0..8] 2
        paragraph 0 [0..8] 2 "---\\na: b"
    `,
  },
  {
    name: "CRLF",
    text: "# A\r\n\r\na\r\nb\r\n\r\n- c\r\n\r\n",
    tree: `
      document 0 [0..18] 4
        section 0 "A" [0..18] 4
          paragraph 0 "A" [7..11] 2 "a\\r\\nb"
          paragraph 1 "A" [15..18] 1 "- c"
    `,
  },
  {
    name: "lone CR and mixed line endings",
    text: "# A\ra\r\r\nb\n\r# B\r\n",
    tree: `
      document 0 [0..14] 4
        section 0 "A" [0..9] 3
          paragraph 0 "A" [4..5] 1 "a"
          paragraph 1 "A" [8..9] 1 "b"
        section 1 "B" [11..14] 1
    `,
  },
  {
    name: "a byte order mark before a heading",
    text: "\ufeff# A\n\na\n",
    tree: `
      document 0 [0..7] 2
        section 0 "A" [1..7] 2
          paragraph 0 "A" [6..7] 1 "a"
    `,
  },
  {
    name: "a byte order mark before front matter",
    text: "\ufeff---\na: b\n---\nc",
    tree: `
      document 0 [0..15] 3
        paragraph 0 [1..13] 2 "---\\na: b\\n---"
        paragraph 1 [14..15] 1 "c"
    `,
  },
  {
    name: "NUL, form feed, no-break space and U+2028 are characters",
    text: "a\0b\n\n\f\n\n\u00a0\n\nc\u2028# d\n",
    tree: `
      document 0 [0..16] 4
        paragraph 0 [0..3] 2 "a\\u0000b"
        paragraph 1 [5..6] 0 "\\f"
        paragraph 2 [8..9] 0 "\u00a0"
        paragraph 3 [11..16] 2 "c\u2028# d"
    `,
  },
  {
    name: "characters of two units count two",
    text: "# 😀 𝒳\n\n日本語の見出し\n",
    tree: `
      document 0 [0..16] 5
        section 0 "😀 𝒳" [0..16] 5
          paragraph 0 "😀 𝒳" [9..16] 4 "日本語の見出し"
    `,
  },
  {
    name: "indent and trailing spaces belong to the block",
    text: "   # A   \n\n   text  \n   more  \n  \n",
    tree: `
      document 0 [0..30] 3
        section 0 "A" [0..30] 3
          paragraph 0 "A" [11..30] 2 "   text  \\n   more  "
    `,
  },
];

describe("chunkMarkdown", () => {
  test.each(EXAMPLES)("$name", ({ text, tree }) => {
    const drafts = chunkMarkdown(text);
    expectSound(text, drafts, 10_000);
    expect(outline(text, drafts)).toBe(dedent(tree));
  });

  test("only sections and their paragraphs have a heading text", () => {
    const drafts = chunkMarkdown("before\n\n# A\n\ntext");
    expect(drafts).toStrictEqual([
      {
        level: "document",
        parent: null,
        chunkIndex: 0,
        startIndex: 0,
        endIndex: 17,
        sectionPath: [],
        wordCount: 3,
      },
      {
        level: "paragraph",
        parent: 0,
        chunkIndex: 0,
        startIndex: 0,
        endIndex: 6,
        sectionPath: [],
        wordCount: 1,
      },
      {
        level: "section",
        parent: 0,
        chunkIndex: 1,
        startIndex: 8,
        endIndex: 17,
        headingText: "A",
        sectionPath: ["A"],
        wordCount: 2,
      },
      {
        level: "paragraph",
        parent: 2,
        chunkIndex: 0,
        startIndex: 13,
        endIndex: 17,
        headingText: "A",
        sectionPath: ["A"],
        wordCount: 1,
      },
    ]);
  });
});
