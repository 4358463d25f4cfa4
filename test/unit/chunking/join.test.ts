// Documents with more chunks than the maximum.

import { describe, expect, test } from "bun:test";
import { chunkMarkdown } from "../../../src/engine/chunking/tree.ts";
import { expectSound } from "./invariants.ts";
import { dedent, outline } from "./outline.ts";

function expectTree(text: string, most: number, tree: string): void {
  const drafts = chunkMarkdown(text, most);
  expectSound(text, drafts, most);
  expect(outline(text, drafts)).toBe(dedent(tree));
}

describe("above the maximum", () => {
  test("neighbouring paragraphs are joined evenly", () => {
    expectTree(
      "one\n\ntwo\n\nthree\n\nfour\n\nfive\n\nsix\n",
      4,
      `
      document 0 [0..32] 6
        paragraph 0 [0..8] 2 "one\\n\\ntwo"
        paragraph 1 [10..21] 2 "three\\n\\nfour"
        paragraph 2 [23..32] 2 "five\\n\\nsix"
      `,
    );
  });

  test("paragraphs are joined only within their section", () => {
    expectTree(
      "in\n\ntro\n\n# A\n\na\n\nb\n\n# B\n\nc\n\nd\n",
      6,
      `
      document 0 [0..29] 8
        paragraph 0 [0..7] 2 "in\\n\\ntro"
        section 1 "A" [9..18] 3
          paragraph 0 "A" [14..18] 2 "a\\n\\nb"
        section 2 "B" [20..29] 3
          paragraph 0 "B" [25..29] 2 "c\\n\\nd"
      `,
    );
  });

  test("sections are joined if joining paragraphs is not enough; the inner headings become text", () => {
    expectTree(
      "# A\n\na\n\n## B\n\nb\n\n# C\n\nc\n\n## D\n\nd\n",
      5,
      `
      document 0 [0..32] 8
        section 0 "A" [0..15] 4
          paragraph 0 "A" [5..15] 3 "a\\n\\n## B\\n\\nb"
        section 1 "C" [17..32] 4
          paragraph 0 "C" [22..32] 3 "c\\n\\n## D\\n\\nd"
      `,
    );
  });

  test("a remaining section retains its path", () => {
    const text = "# A\n\n## B\n\n### C\n\n## D with a longer text\n\nand more than the others have\n";
    expectTree(
      text,
      5,
      `
      document 0 [0..72] 14
        section 0 "A" [0..16] 3
          paragraph 0 "A" [5..16] 2 "## B\\n\\n### C"
        section 1 "A > D with a longer text" [18..72] 11
          paragraph 0 "A > D with a longer text" [43..72] 6 "and more than the others have"
      `,
    );
  });

  test("exactly the maximum number of chunks is not changed", () => {
    const text = "# A\n\na\n\n# B\n\nb\n";
    expect(chunkMarkdown(text, 5)).toEqual(chunkMarkdown(text));
    expect(chunkMarkdown(text).length).toBe(5);
    expect(chunkMarkdown(text, 4).length).toBe(4);
  });

  test("nearly the maximum is used", () => {
    const many = Array.from({ length: 30_000 }, (_, i) => `paragraph ${i}`).join("\n\n");
    const sections = Array.from({ length: 30_000 }, (_, i) => `# heading ${i}\n\ntext ${i}`).join("\n\n");
    for (const text of [many, sections]) {
      const drafts = chunkMarkdown(text);
      expectSound(text, drafts, 10_000);
      expect(drafts.length).toBeGreaterThan(9_000);
      const last = drafts.filter(({ level }) => level === "paragraph");
      const lengths = last.map(({ startIndex, endIndex }) => endIndex - startIndex);
      expect(Math.max(...lengths)).toBeLessThan(200);
    }
  });
});
