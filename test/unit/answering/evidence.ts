// Evidence for tests of the answering engine: chunks as search returns them.

import type { Evidence } from "../../../src/engine/answering/passages.ts";

/** A chunk with this text that search found first for every part of the question. */
export function chunk(id: string, text: string, more: Partial<Evidence> = {}): Evidence {
  const hit = { score: 0.7, cosine: 0.6, lexical: 0.6, rank: 0 };
  return {
    id,
    documentId: `document-of-${id}`,
    title: "Notes",
    path: [],
    text,
    hits: [hit, hit, hit],
    opening: "",
    ...more,
  };
}
