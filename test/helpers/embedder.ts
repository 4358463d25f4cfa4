// An embedder without a model: each word votes for a few of the 1536 dimensions, so texts that share words are near.

import type { Embedder } from "../../src/engine/embedding/embedder.ts";
import { EMBEDDING_DIMENSION } from "../../src/kernel/limits.ts";
import { fold, WORD } from "../../src/kernel/text.ts";

function embed(text: string): Float32Array {
  const vector = new Float32Array(EMBEDDING_DIMENSION);
  for (const [word] of fold(text).matchAll(WORD)) {
    for (let vote = 0; vote < 24; vote++) {
      const hash = Bun.hash.wyhash(`${vote} ${word}`);
      vector[Number(hash % BigInt(EMBEDDING_DIMENSION))] += hash & 0x8000_0000n ? 1 : -1;
    }
  }
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return vector.map((value) => value / norm);
}

export interface FakeEmbedder extends Embedder {
  /** Passages embedded so far. */
  embedded: number;
  /** While set, embedding fails with this message. */
  failure: string | undefined;
}

/** `revision` names the model: another one makes another space. */
export function fakeEmbedder(revision = "words-1"): FakeEmbedder {
  return {
    embedded: 0,
    failure: undefined,
    async describe() {
      return { name: "words", revision, dimension: EMBEDDING_DIMENSION, directory: "/nowhere" };
    },
    score: (cosine) => Math.max(0, Math.min(1, cosine)),
    async embedQuery(text) {
      if (this.failure) throw new Error(this.failure);
      return embed(text);
    },
    async embedPassages(passages) {
      if (this.failure) throw new Error(this.failure);
      this.embedded += passages.length;
      return { windows: passages.map(({ context, text }) => [embed(`${context} ${text}`)]), tokens: 0 };
    },
    state: () => "ok",
    close() {},
  };
}
