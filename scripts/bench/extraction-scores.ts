// Similarity of an extracted page and its annotation. Text is read from Markdown with markdown-it.

import MarkdownIt from "markdown-it";

const parser = new MarkdownIt({ html: true });

/** Tokens of one page, as in the published scores. */
function tokensOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function wordsOf(text: string): string[] {
  return tokensOf(text.toLowerCase());
}

export interface Overlap {
  precision: number;
  recall: number;
}

/** Overlap of 4-gram shingles of tokens; 1 if both pages have none. */
export function shingleOverlap(found: string, gold: string): Overlap {
  return overlap(shingles(tokensOf(found)), shingles(tokensOf(gold)));
}

/** F1 of the two multisets of words in lower case. */
export function wordF1(found: string, gold: string): number {
  return f1(overlap(wordsOf(found), wordsOf(gold)));
}

/** F1 of two lists of items, which are compared by their words. */
export function itemF1(found: readonly string[], gold: readonly string[]): number {
  const normal = (items: readonly string[]) => items.map((item) => wordsOf(item).join(" "));
  return f1(overlap(normal(found), normal(gold)));
}

/**
 * Whether the text contains the words of the snippet in a row (the last may be a prefix); null for a snippet without
 * words.
 */
export function holds(text: string, snippet: string): boolean | null {
  const wanted = wordsOf(snippet);
  if (wanted.length === 0) return null;
  return ` ${wordsOf(text).join(" ")} `.includes(` ${wanted.join(" ")}`);
}

/** Harmonic mean of precision and recall. */
export function f1({ precision, recall }: Overlap): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** The text that a reader of the rendered Markdown sees, without texts of images. */
export function textOf(markdown: string): string {
  const out: string[] = [];
  for (const token of parser.parse(markdown, {})) {
    if (token.type === "inline") out.push(inlineText(token.children ?? []));
    else out.push(token.type === "fence" || token.type === "code_block" ? `\n${token.content}\n` : "\n");
  }
  return out.join("");
}

/** The structure of a Markdown text: each kind as a list of items to compare. */
export interface Structure {
  headings: string[];
  /** The words of the code, and the language in lower case or "". */
  fences: { code: string; language: string }[];
  /** The cells of one row. */
  rows: string[];
  items: string[];
}

/** Reads the structure of a Markdown text. */
export function structureOf(markdown: string): Structure {
  const found: Structure = { headings: [], fences: [], rows: [], items: [] };
  const open: { kind: "headings" | "rows" | "items"; text: string }[] = [];
  for (const token of parser.parse(markdown, {})) {
    if (token.type === "fence")
      found.fences.push({ code: wordsOf(token.content).join(" "), language: token.info.toLowerCase() });
    const kind = { heading: "headings", tr: "rows", list_item: "items" }[
      token.type.replace(/_(?:open|close)$/, "")
    ] as "headings" | "rows" | "items" | undefined;
    if (kind && token.nesting === 1) open.push({ kind, text: kind === "headings" ? `${token.tag} ` : "" });
    else if (kind && token.nesting === -1) {
      const { text } = open.pop()!;
      if (wordsOf(text).length > 0) found[kind].push(text);
    } else if (token.type === "inline" && open.length > 0) {
      open.at(-1)!.text += `${inlineText(token.children ?? [])} `;
    }
  }
  return found;
}

type Token = ReturnType<typeof parser.parse>[number];

function inlineText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content }) => {
      if (type === "text" || type === "code_inline") return content;
      return type === "softbreak" || type === "hardbreak" || type === "html_inline" ? " " : "";
    })
    .join("");
}

function shingles(tokens: readonly string[]): string[] {
  if (tokens.length === 0) return [];
  const count = Math.max(1, tokens.length - 3);
  return Array.from({ length: count }, (_, i) => tokens.slice(i, i + 4).join(" "));
}

/** Overlap of two multisets; 1 if both are empty. */
function overlap(found: readonly string[], gold: readonly string[]): Overlap {
  if (found.length === 0 && gold.length === 0) return { precision: 1, recall: 1 };
  const left = new Map<string, number>();
  for (const item of gold) left.set(item, (left.get(item) ?? 0) + 1);
  let shared = 0;
  for (const item of found) {
    const count = left.get(item) ?? 0;
    if (count === 0) continue;
    left.set(item, count - 1);
    shared++;
  }
  return {
    precision: found.length === 0 ? 0 : shared / found.length,
    recall: gold.length === 0 ? 0 : shared / gold.length,
  };
}
