// Renders the blocks of an answer to the wire format: what answers first, then further passages, gaps and conflicts.

import type { Block } from "../../engine/answers/8-blocks.ts";

/** The members of a reply that are text; citations are `[[chunkId]]`. */
export interface Rendered {
  answer: string;
  gaps: string[];
  conflicts: string[];
}

const NOTHING = "The documents do not answer this question.";

/** Every text of the reply. */
export function render(blocks: readonly Block[]): Rendered {
  const of = (...kinds: Block["kind"][]) => blocks.filter(({ kind }) => kinds.includes(kind));
  const section = (title: string, texts: readonly string[]) => (texts.length === 0 ? [] : [title, ...texts]);
  const textsOf = (...kinds: Block["kind"][]) => of(...kinds).map(({ text }) => text);
  const answers = of("direct", "computed");
  const gaps = textsOf("gap");
  const isOpen = answers.length === 0;
  const unanswered = isOpen ? [NOTHING] : gaps.map((text) => `The documents do not say: “${text}”.`);
  return {
    answer: [
      ...(isOpen ? [] : answers.map(({ text }) => text)),
      ...unanswered,
      ...section(
        "But another document states:",
        of("conflict").flatMap(({ other }) => other ?? []),
      ),
      ...section("Also:", textsOf("support")),
      ...section("Related, but not an answer:", textsOf("related")),
    ].join("\n\n"),
    gaps: gaps.map((text) => `The documents do not establish: ${text === "" ? "what was asked" : text}`),
    conflicts: textsOf("conflict"),
  };
}
