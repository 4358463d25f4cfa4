// How blocks that are too long for one paragraph are split.

import { describe, expect, test } from "bun:test";
import { chunkMarkdown } from "../../../src/engine/chunking/tree.ts";
import { expectSound } from "./invariants.ts";
import { contentOf } from "./outline.ts";

/** The contents of the paragraphs of a document. */
function paragraphs(text: string): string[] {
  const drafts = chunkMarkdown(text);
  expectSound(text, drafts, 10_000);
  return drafts.filter(({ level }) => level === "paragraph").map((draft) => contentOf(text, draft));
}

const sentence = (i: number) => `Sentence number ${i} has exactly eight words, e.g. here.`;
const sentences = (count: number) => Array.from({ length: count }, (_, i) => sentence(i));

describe("prose", () => {
  test("400 words are one paragraph, even long words", () => {
    const text = `${"Schifffahrt ".repeat(199)}end. ${"Schifffahrt ".repeat(199)}end.`;
    expect(paragraphs(text)).toEqual([text]);
  });

  test("more are split evenly at sentence ends, not at abbreviations", () => {
    const all = sentences(61);
    expect(paragraphs(all.join(" "))).toEqual([all.slice(0, 31).join(" "), all.slice(31).join(" ")]);
  });

  test("no piece has more than 400 words, even if the pieces are uneven", () => {
    const all = [100, 390, 390].map((count) => `${"Word ".repeat(count - 1)}end.`);
    expect(paragraphs(all.join(" "))).toEqual(all);
  });

  test("sentences that run over lines stay whole", () => {
    const wrapped = sentences(60).map((one) => one.replace("exactly ", "exactly\n"));
    const pieces = paragraphs(wrapped.join(" "));
    expect(pieces).toEqual([wrapped.slice(0, 30).join(" "), wrapped.slice(30).join(" ")]);
  });

  test("quotes are split at sentence ends too", () => {
    const all = sentences(60).map((one) => `> ${one}`);
    expect(paragraphs(all.join("\n"))).toEqual([all.slice(0, 30).join("\n"), all.slice(30).join("\n")]);
  });

  test("Japanese and Chinese sentences end without spaces", () => {
    const text = "これは十二文字の文です。".repeat(100);
    expect(paragraphs(text)).toEqual([
      "これは十二文字の文です。".repeat(50),
      "これは十二文字の文です。".repeat(50),
    ]);
    const quoted = "「本当？」と聞いた！".repeat(120);
    expect(
      paragraphs(quoted).every((piece) => piece.startsWith("「本当？」") && piece.endsWith("！")),
    ).toBeTrue();
  });

  test("text without sentence ends is cut at 2,400 characters at most, between words", () => {
    const pieces = paragraphs("word ".repeat(2_000));
    expect(pieces.length).toBe(5);
    for (const piece of pieces) expect(piece).toMatch(/^(word )*word$/);
    for (const piece of paragraphs("Donaudampfschifffahrt ".repeat(1_000))) {
      expect(piece.length).toBeLessThanOrEqual(2_400);
    }
    expect(paragraphs("x".repeat(5_000)).map((piece) => piece.length)).toEqual([2_400, 2_400, 200]);
    expect(paragraphs("語".repeat(2_000)).map((piece) => piece.length)).toEqual([800, 800, 400]);
  });

  test("no cut falls inside a character", () => {
    for (const character of ["𝒳", "e\u0301\u0323", "👩‍👩‍👧", "👍🏽", "❤️"]) {
      const text = `x${character.repeat(2_000)}`;
      const pieces = paragraphs(text);
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.join("")).toBe(text);
      for (const piece of pieces) expect(piece.replace("x", "").length % character.length).toBe(0);
    }
  });
});

describe("blocks of lines", () => {
  test("a table is split between rows", () => {
    const rows = Array.from({ length: 200 }, (_, i) => `| row ${i} | with five words |`);
    const pieces = paragraphs(["| a | b |", "|---|---|", ...rows].join("\n"));
    expect(pieces.length).toBe(3);
    expect(pieces.join("\n")).toBe(["| a | b |", "|---|---|", ...rows].join("\n"));
  });

  test("a list is split between items", () => {
    const items = Array.from({ length: 100 }, (_, i) => `- item ${i}\n  of a list\n\n  of three lines`);
    const pieces = paragraphs(items.join("\n"));
    expect(pieces.length).toBe(2);
    expect(pieces.join("\n")).toBe(items.join("\n"));
    for (const piece of pieces) expect(piece).toMatch(/^- item \d+\n.*of three lines$/s);
  });

  test("a long item is split inside, its neighbours stay whole", () => {
    const long = `- ${sentences(60).join(" ")}`;
    const pieces = paragraphs(`- before\n- before\n${long}\n- after`);
    expect(pieces).toEqual([
      "- before\n- before",
      `- ${sentences(60).slice(0, 30).join(" ")}`,
      sentences(60).slice(30).join(" "),
      "- after",
    ]);
  });

  test("code is split between lines and retains its indent", () => {
    const lines = Array.from({ length: 290 }, (_, i) => `    call(${i}, "two words");`);
    const text = ["```js", ...lines, "```"].join("\n");
    const pieces = paragraphs(text);
    expect(pieces.length).toBe(3);
    expect(pieces.join("\n")).toBe(text);
    expect(pieces[1]).toStartWith("    call(");
  });

  test("long front matter is split between lines", () => {
    const text = `---\n${"key: three more words\n".repeat(150)}---`;
    expect(paragraphs(text).join("\n")).toBe(text);
    expect(paragraphs(text).length).toBe(2);
  });
});
