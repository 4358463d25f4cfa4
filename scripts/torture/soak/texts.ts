// Texts of the soak: documents, prompts, pages and queries from the words of this repository's documentation.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../bench/random.ts";

const DOCS = join(import.meta.dir, "..", "..", "..", "docs");
const SOURCES = ["ranking.md", "answers.md", "operations.md", "api-notes.md", "backup.md"];
const WORD = /[a-z]{3,}/g;

const SECTIONS = 3;
const PARAGRAPHS = 3;
const SENTENCES = 3;
const WORDS = 12;
const QUERY_WORDS = 4;

export interface Texts {
  /** One of `items`. */
  pick<Item>(items: readonly Item[]): Item;
  /** A title of a few words. */
  title(): string;
  /** Markdown of about 320 words. */
  markdown(): string;
  /** The same as an HTML page. */
  page(): string;
  query(): string;
}

/** Random texts; the same for the same seed. */
export function createTexts(seed: number): Texts {
  const random = createRandom(seed);
  const text = SOURCES.map((name) => readFileSync(join(DOCS, name), "utf8")).join("\n");
  const words = [...new Set(text.toLowerCase().match(WORD))];
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
  const some = (count: number) => Array.from({ length: count }, () => pick(words)).join(" ");
  const repeat = (count: number, make: () => string) => Array.from({ length: count }, make);
  const paragraph = () => repeat(SENTENCES, () => `${some(WORDS)}.`).join(" ");
  return {
    pick,
    title: () => some(3),
    markdown: () =>
      repeat(SECTIONS, () => `## ${some(3)}\n\n${repeat(PARAGRAPHS, paragraph).join("\n\n")}`).join("\n\n"),
    page() {
      const title = some(3);
      const sections = repeat(
        SECTIONS,
        () =>
          `<h2>${some(3)}</h2>${repeat(PARAGRAPHS, paragraph)
            .map((one) => `<p>${one}</p>`)
            .join("")}`,
      );
      return `<!doctype html><html><head><title>${title}</title></head><body><article><h1>${title}</h1>${sections.join("")}</article></body></html>`;
    },
    query: () => some(QUERY_WORDS),
  };
}
