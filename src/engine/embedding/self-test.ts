// Tests whether a loaded model computes correct vectors on this machine: the cosines between fixed sentences must be
// those stored in the model's folder. A defect of a processor's kernels gives plausible vectors that are nearly the
// same for all texts.

import { join } from "node:path";
import { Failure } from "../../kernel/errors.ts";
import type { Model } from "./model.ts";
import { cutWindows } from "./windows.ts";

/** `self-test.json` in a model's folder. */
interface SelfTest {
  /** Each fits into one window. */
  readonly sentences: readonly string[];
  /** The cosine of each pair: first with second, first with third, …, second with third, …. */
  readonly cosines: readonly number[];
  /** Maximum difference of a cosine. */
  readonly tolerance: number;
}

/** What callers are told of a model that has failed its self-test. */
export const WRONG_VECTORS =
  "semantic search is degraded: the embedding model computes wrong vectors on this machine";

/**
 * Embeds the sentences of the model's folder, which takes about 10 ms. Throws `unavailable` with the cosines if one is
 * outside of the tolerance. A folder without self-test.json is not tested. Throws RangeError if the file is malformed.
 */
export async function testModel(
  model: Pick<Model, "embed" | "tokenize" | "frames">,
  directory: string,
): Promise<void> {
  const file = Bun.file(join(directory, "self-test.json"));
  if (!(await file.exists())) return;
  const { sentences, cosines, tolerance } = checked(await file.json());
  const vectors: Float32Array[] = [];
  for (const sentence of sentences) {
    const [window] = cutWindows(model.tokenize(sentence), [], model.frames.passage);
    vectors.push(await model.embed(window!));
  }
  const computed = pairsOf(vectors).map(([a, b]) => dotProduct(a, b));
  // A comparison with NaN is false.
  if (computed.every((cosine, i) => Math.abs(cosine - cosines[i]!) <= tolerance)) return;
  throw new Failure(
    "unavailable",
    `it computes wrong vectors on this machine: the cosines of its self-test are ${listed(computed)} instead of ${listed(cosines)}`,
    { publicMessage: WRONG_VECTORS },
  );
}

function checked(content: unknown): SelfTest {
  const { sentences, cosines, tolerance } = (content ?? {}) as Partial<SelfTest>;
  const isComplete =
    Array.isArray(sentences) &&
    sentences.length >= 2 &&
    sentences.every((sentence) => typeof sentence === "string") &&
    Array.isArray(cosines) &&
    cosines.length === pairsOf(sentences).length &&
    cosines.every(Number.isFinite) &&
    typeof tolerance === "number";
  if (!isComplete)
    throw new RangeError(
      "self-test.json does not contain sentences, the cosine of each pair and a tolerance",
    );
  return { sentences, cosines, tolerance };
}

function pairsOf<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((a, i) => items.slice(i + 1).map((b): [Item, Item] => [a, b]));
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function listed(cosines: readonly number[]): string {
  return cosines.map((cosine) => cosine.toFixed(4)).join(", ");
}
