// Renders the blocks of an answer to the wire format: what answers first, then further passages, gaps and conflicts.

import type { Block } from "../../engine/answers/8-blocks.ts";
import { type Frames, filled, framesFor } from "../../kernel/answer-frames.ts";

/** The members of a reply that are text; citations are `[[chunkId]]`. */
export interface Rendered {
  answer: string;
  gaps: string[];
  conflicts: string[];
}

/** Every text of the reply, with these frames around the quotations. */
export function render(blocks: readonly Block[], frames: Frames = framesFor("en")): Rendered {
  const of = (...kinds: Block["kind"][]) => blocks.filter(({ kind }) => kinds.includes(kind));
  const section = (title: string, texts: readonly string[]) => (texts.length === 0 ? [] : [title, ...texts]);
  const textsOf = (...kinds: Block["kind"][]) => of(...kinds).map(({ text }) => text);
  const answers = of("direct", "computed");
  const gaps = textsOf("gap");
  const isOpen = answers.length === 0;
  const unanswered = isOpen ? [frames.nothing] : gaps.map((text) => filled(frames.unsaid, text));
  return {
    answer: [
      ...(isOpen ? [] : answers.map(({ text }) => text)),
      ...unanswered,
      ...section(
        frames.disagreement,
        of("conflict").flatMap(({ other }) => other ?? []),
      ),
      ...section(frames.also, textsOf("support")),
      ...section(frames.related, textsOf("related")),
    ].join("\n\n"),
    gaps: gaps.map((text) => filled(frames.gap, text === "" ? frames.asked : text)),
    conflicts: textsOf("conflict"),
  };
}
