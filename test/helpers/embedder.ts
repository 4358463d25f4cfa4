// An embedder without a model: each word adds to a few of the 1536 dimensions, so texts that share words have near
// vectors.

import type { CalibrationPoint } from "../../src/engine/embedding/calibration.ts";
import { type Embedder, openEmbedder } from "../../src/engine/embedding/embedder.ts";
import { EMBEDDING_DIMENSION } from "../../src/kernel/limits.ts";
import { fold } from "../../src/kernel/text.ts";
import { findModelDirectory } from "../../src/base/models.ts";

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

function embed(text: string): Float32Array {
  const vector = new Float32Array(EMBEDDING_DIMENSION);
  for (const [word] of fold(text).matchAll(WORD)) {
    for (let vote = 0; vote < 24; vote++) {
      const hash = Bun.hash.wyhash(`${vote} ${word}`);
      vector[Number(hash % BigInt(EMBEDDING_DIMENSION))]! += hash & 0x8000_0000n ? 1 : -1;
    }
  }
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return vector.map((value) => value / norm);
}

const IDENTITY: readonly CalibrationPoint[] = [
  [0, 0],
  [1, 1],
];

/** Scores with which one word in common with a long paragraph is a hit, as with the real model. */
export const GENEROUS: readonly CalibrationPoint[] = [
  [0, 0],
  [0.1, 0.45],
  [0.5, 0.95],
  [1, 1],
];

export interface FakeEmbedder extends Embedder {
  /** Passages embedded so far. */
  embedded: number;
  /** While set, embedding fails with this message. */
  failure: string | undefined;
}

/** `revision` names the model: another one has other vectors. `points` map its cosines to scores. */
export function fakeEmbedder(revision = "words-1", points = IDENTITY): FakeEmbedder {
  return {
    embedded: 0,
    failure: undefined,
    async describe() {
      const calibration = { points };
      return { name: "words", revision, dimension: EMBEDDING_DIMENSION, directory: "/nowhere", calibration };
    },
    async embedQuery(text) {
      if (this.failure) throw new Error(this.failure);
      return embed(text);
    },
    hasQuery: () => false,
    async embedPassages(passages) {
      if (this.failure) throw new Error(this.failure);
      this.embedded += passages.length;
      return { windows: passages.map(({ context, text }) => [embed(`${context} ${text}`)]), tokens: 0 };
    },
    state: () => "ok",
    problem: () => undefined,
    usage: () => ({ queries: 0, passages: 0, tokens: 0, busyMs: 0, waitingCalls: 0 }),
    close: async () => {},
  };
}

let shared: Embedder | undefined;

/** The shipped model, loaded once per test process; the servers that use it do not close it. */
export function sharedRealEmbedder(): Embedder {
  shared ??= openEmbedder({ modelDirectory: findModelDirectory(null), runtime: { kind: "native" } });
  return { ...shared, close: async () => {} };
}
