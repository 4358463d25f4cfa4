// Evidence for tests of the answering engine: chunks as search returns them.

import type { ChunkHit, Evidence } from "../../../src/engine/answers/2-passages/passages.ts";
import { partsOf } from "../../../src/engine/answers/1-question/question.ts";
import type { Input } from "../../../src/engine/answers/3-rank/rank.ts";

/** A chunk with this text. */
export function chunk(id: string, text: string, more: Partial<Evidence> = {}): Evidence {
  return {
    id,
    documentId: `document-of-${id}`,
    title: "Notes",
    path: [],
    index: 0,
    text,
    opening: "",
    ...more,
  };
}

const FIRST: ChunkHit = { score: 0.7, cosine: 0.6, lexical: 0.6, rank: 0 };

/** A question and its evidence, of which search found each chunk first for every part, or as `hit` says. */
export function inputOf(
  question: string,
  evidence: readonly Evidence[],
  { near = [], hit = FIRST }: { near?: readonly string[]; hit?: ChunkHit } = {},
): Input {
  const hits = new Map(evidence.map(({ id }) => [id, hit]));
  return { parts: partsOf(question).map((part) => ({ ...part, hits })), evidence, near };
}
