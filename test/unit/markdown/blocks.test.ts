// Block boundaries compared with markdown-it's own tokens: the scanner's optimizations must not change them.

import { describe, expect, test } from "bun:test";
import MarkdownIt, { type Token } from "markdown-it";
import { type Block, scanBlocks } from "../../../src/engine/markdown/blocks.ts";
import { generateMarkdown, randomFrom } from "../chunking/generate.ts";

const markdown = new MarkdownIt({ html: true, maxNesting: 100_000 });

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  scanBlocks(text, (block) => blocks.push(block));
  return blocks;
}

/** The first line of each block and its level, without link definitions and thematic breaks. */
function startsOf(text: string): string[] {
  const lineAt = new Map<number, number>();
  let line = 0;
  let offset = text.startsWith("\ufeff") ? 1 : 0;
  for (const content of text.slice(offset).split(/(?<=\r\n|\n|\r(?!\n))/)) {
    lineAt.set(offset, line++);
    offset += content.length;
  }
  return blocksOf(text)
    .filter(({ kind }) => kind !== "reference" && kind !== "rule")
    .map(({ start, level }) => `${lineAt.get(start)} ${level}`);
}

function expectedStarts(text: string): string[] {
  const tokens: Token[] = [];
  markdown.block.parse(text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"), markdown, {}, tokens);
  return tokens
    .filter(({ level, nesting, type }) => level === 0 && nesting >= 0 && type !== "reference_definition")
    .filter(({ type }) => type !== "hr")
    .map(({ map, type, tag }) => `${map![0]} ${type === "heading_open" ? tag.slice(1) : 0}`);
}

describe("scanBlocks", () => {
  test("starts its blocks where markdown-it does", () => {
    const random = randomFrom(4);
    for (let i = 0; i < 500; i++) {
      // The first line prevents front matter. Thematic breaks would move the start of the next block.
      const text = `# first\n${generateMarkdown(random, 1 + random(40)).replace(/^(\*\*\*|---)/gm, "break")}`;
      expect(startsOf(text)).toEqual(expectedStarts(text));
    }
  });

  test("also in documents longer than the parser's window", () => {
    const random = randomFrom(5);
    for (let i = 0; i < 3; i++) {
      const text = `# first\n${generateMarkdown(random, 12_000).replace(/^(\*\*\*|---)/gm, "break")}`;
      expect(startsOf(text)).toEqual(expectedStarts(text));
    }
  });

  test("a block of many windows is one block", () => {
    const list = "- item\n".repeat(30_000);
    expect(
      blocksOf(`before\n\n${list}\nafter\n\n# end`).map(({ kind, start }) => `${kind} ${start}`),
    ).toEqual(["prose 0", "list 8", `prose ${8 + list.length + 1}`, `heading ${8 + list.length + 8}`]);
  });

  test("a link definition whose title crosses into the next window is one block", () => {
    const definition = '[a]: b\n"a title\nof two lines"';
    for (let blanks = 4_085; blanks < 4_100; blanks++) {
      const text = `text${"\n".repeat(blanks)}${definition}\nmore`;
      const start = 4 + blanks;
      expect(blocksOf(text)).toEqual([
        { kind: "prose", level: 0, start: 0, end: 4 },
        { kind: "reference", level: 0, start, end: start + definition.length },
        { kind: "prose", level: 0, start: start + definition.length + 1, end: text.length },
      ]);
    }
  });

  test("nesting deeper than the limit ends with its outer block", () => {
    const quotes = `${">".repeat(300)} deep\n${">".repeat(300)} deep`;
    const list = Array.from({ length: 200 }, (_, depth) => `${"  ".repeat(depth)}- item`).join("\n");
    const text = `${quotes}\n\n${list}\n\n# heading\n\ntext`;
    expect(blocksOf(text).map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
      ["prose", quotes],
      ["list", list],
      ["heading", "# heading"],
      ["prose", "text"],
    ]);
  });
});
