// Realistic vectors in any number: both collections are embedded once per run; further vectors are copies of them with
// noise, at about the distance of neighbouring chunks.

import { createLift } from "../../src/engine/embedding/lift.ts";
import type { EmbedderInfo } from "../../src/engine/embedding/worker.ts";
import { EMBEDDING_DIMENSION } from "../../src/kernel/limits.ts";
import { toUnitLength } from "../../src/kernel/vectors.ts";
import type { Bench } from "./bench.ts";
import { readCollections } from "./collections.ts";
import { openLocalEmbedder } from "./local-embedder.ts";
import { createRandom, gaussianVector } from "./random.ts";

export interface RealVectors {
  model: EmbedderInfo;
  /** For each document, its text and the vector of its first window. */
  passages: { title: string; text: string; vector: Float32Array }[];
  queries: { text: string; vector: Float32Array }[];
}

/** Every n-th query is used. */
const QUERY_STEP = 7;
const PASSAGES_A_CALL = 64;

/** Embeds both collections and some of their queries, once per run; takes about half a minute. */
export function realVectors(bench: Bench): Promise<RealVectors> {
  return bench.once("real vectors", async () => {
    const collections = readCollections();
    bench.note("embedding both collections");
    const embedder = openLocalEmbedder();
    const documents = collections.flatMap(({ documents }) => documents);
    const passages: RealVectors["passages"] = [];
    for (let from = 0; from < documents.length; from += PASSAGES_A_CALL) {
      const group = documents.slice(from, from + PASSAGES_A_CALL);
      const { windows } = await embedder.embedPassages(
        group.map(({ title, text }) => ({ context: title, text })),
      );
      for (const [index, { title, text }] of group.entries())
        passages.push({ title, text, vector: windows[index]![0]! });
    }
    const asked = collections
      .flatMap(({ queries }) => queries)
      .filter((_, index) => index % QUERY_STEP === 0);
    const queries: RealVectors["queries"] = [];
    for (const { text } of asked) queries.push({ text, vector: await embedder.embedQuery(text) });
    const model = await embedder.describe();
    embedder.close();
    return { model, passages, queries };
  });
}

/** Number of noise directions. Each copy mixes two of them, so that hardly any two copies get the same noise. */
const DIRECTIONS = 1_024;
/** Length of the noise relative to the vector: the cosine of copy and original is then about 0.85. */
const DISTANCE = 0.62;

/**
 * Returns the n-th vector of an endless series: first `originals`, then copies with Gaussian noise, normalized again.
 * The noise is made in the model's own dimensions and lifted like any vector: the lift is linear.
 */
export function createVectorSeries(
  originals: readonly Float32Array[],
  nativeDimension: number,
): (index: number) => Float32Array {
  const random = createRandom(11);
  const lift = createLift(nativeDimension);
  const directions = Array.from({ length: DIRECTIONS }, () =>
    lift(toUnitLength(gaussianVector(nativeDimension, random))),
  );
  const anyDirection = () => directions[Math.floor(random() * DIRECTIONS)]!;
  return (index) => {
    const original = originals[index % originals.length]!;
    if (index < originals.length) return original;
    const [one, other] = [anyDirection(), anyDirection()];
    const moved = new Float32Array(EMBEDDING_DIMENSION);
    for (let i = 0; i < moved.length; i++)
      moved[i] = original[i]! + (DISTANCE * (one[i]! + other[i]!)) / Math.SQRT2;
    return toUnitLength(moved);
  };
}
