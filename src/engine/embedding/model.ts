// One embedding model in memory: tokens to unit vectors, pooled as its folder says.

import { basename } from "node:path";
import { sha256Hex } from "../../kernel/hash.ts";
import { toUnitLength } from "../../kernel/vectors.ts";
import { readModelFile } from "../inference/compressed.ts";
import { loadModelFiles, type SharedParts } from "../inference/load.ts";
import type { Runtime } from "../inference/runtime.ts";
import { type Conventions, readConventions } from "./conventions.ts";
import type { TokenFrame } from "./windows.ts";

export interface ModelInfo {
  name: string;
  /**
   * SHA-256 of the weights, hex, and what else of the folder changes vectors: vectors of two revisions must not be
   * compared.
   */
  revision: string;
  /** Dimensions of the model's own vectors. */
  dimension: number;
  directory: string;
}

export interface Model {
  readonly info: ModelInfo;
  /** What surrounds the text of a query, and of a stored passage. */
  readonly frames: Record<keyof Conventions["prompts"], TokenFrame>;
  /** Parts that other threads may use to load the same model. */
  readonly shared: SharedParts;
  /** Token ids of the whole text, without special tokens. Linear time, about 1 ms per 1,000 tokens. */
  tokenize(text: string): number[];
  /**
   * A unit vector of `info.dimension` for a window. One run of the model per window: int8 models scale their
   * activations over all rows of a run, so beside others or padding the same window gets another vector
   * (all-MiniLM-L6-v2: cosine 0.987 to 0.995).
   */
  embed(window: readonly number[]): Promise<Float32Array>;
}

/**
 * Loads the model of a folder in 0.1 to 0.3 s. It runs in one thread: a second one makes no query faster, and two
 * workers with one thread each index more than one worker with two. Measured on two cores with windows of documents,
 * one per run (2026-11-22), tokens/s: one thread 13,200, two threads 18,200, two workers 26,100; 8 rows of 100 tokens
 * per run in two threads 26,900. Throws an Error that states what is wrong with the folder.
 */
export async function loadModel(directory: string, runtime: Runtime, shared?: SharedParts): Promise<Model> {
  if (!(await readModelFile(directory, "config.json"))) throw new Error("config.json is missing");
  const conventions = await readConventions(directory);
  const files = await loadModelFiles(directory, { runtime, threads: 1, shared });
  const { tokenizer, weights, run } = files;
  const { pooling, dense, prompts, maxTokens, mean, removed } = conventions;

  const embed = async (window: readonly number[]) => {
    const length = window.length;
    const inputs = {
      input_ids: BigInt64Array.from(window, BigInt),
      attention_mask: new BigInt64Array(length).fill(1n),
      token_type_ids: new BigInt64Array(length),
      position_ids: BigInt64Array.from({ length }, (_, position) => BigInt(position)),
    };
    const output = await run(inputs, [1, length]);
    if (output.dims.length !== 3) throw new Error("its first output does not contain one vector per token");
    const pooled = pool(output.data, output.dims.at(-1)!, pooling);
    const vector = toUnitLength(dense.reduce((input, layer) => layer(input), pooled));
    if (mean.length === 0) return vector;
    if (mean.length !== vector.length) throw new Error("the mean in vectors.json has another length");
    const centred = vector.map((value, i) => value - mean[i]!);
    for (const direction of removed) {
      const length = direction.reduce((sum, value, i) => sum + value * centred[i]!, 0);
      for (const [i, value] of direction.entries()) centred[i]! -= length * value;
    }
    return toUnitLength(centred);
  };
  const { before, after, continuesWord } = tokenizer;
  const frameOf = (prompt: string): TokenFrame => ({
    before: [...before, ...tokenizer.encode(prompt)],
    after,
    continuesWord,
    maxTokens,
  });
  const frames = { query: frameOf(prompts.query), passage: frameOf(prompts.passage) };
  const probe = await embed([...frames.query.before, ...frames.query.after]);
  return {
    info: {
      name: basename(directory),
      revision: revisionOf(weights, conventions),
      dimension: probe.length,
      directory,
    },
    frames,
    shared: files.shared,
    tokenize: tokenizer.encode,
    embed,
  };
}

/** The digest of the weights; a model with conventions of its own also has their digest. */
function revisionOf(weights: Uint8Array, model: Conventions): string {
  const { pooling, dense, prompts, mean, removed } = model;
  const own = sha256Hex(weights);
  const conventions = JSON.stringify([pooling, dense.length, prompts, mean, removed]);
  return conventions === PLAIN ? own : `${own}:${sha256Hex(conventions).slice(0, 16)}`;
}

const PLAIN = JSON.stringify(["mean", 0, { query: "", passage: "" }, [], []]);

/** One vector of those of all tokens. */
function pool(vectors: Float32Array, dimension: number, pooling: Conventions["pooling"]): Float32Array {
  if (pooling === "cls") return vectors.slice(0, dimension);
  if (pooling === "last-token") return vectors.slice(-dimension);
  const mean = new Float32Array(dimension);
  for (let start = 0; start < vectors.length; start += dimension) {
    for (let i = 0; i < dimension; i++) mean[i]! += vectors[start + i]!;
  }
  return mean.map((sum) => (sum * dimension) / vectors.length);
}
