// One embedding model in memory: tokenizer, ONNX session, and mean pooling of the token vectors. It reads the model's folder
// and nothing else; it must not know queues or threads.

import { basename, join } from "node:path";
import { sha256Hex } from "../../kernel/hash.ts";
import { toUnitLength } from "../../kernel/vectors.ts";
import { readPossiblyCompressed } from "./compressed.ts";
import { loadRuntime, MODEL_ALIAS, type Runtime } from "./runtime.ts";
import type { TokenFrame } from "./windows.ts";

const WEIGHTS = join("onnx", "model_quantized.onnx");
const FILES = ["config.json", "tokenizer.json", "tokenizer_config.json"];

export interface ModelInfo {
  name: string;
  /** SHA-256 of the weights, hex: vectors of two revisions must not be compared. */
  revision: string;
  /** Dimensions of the model's own vectors. */
  dimension: number;
  directory: string;
}

export interface Model {
  readonly info: ModelInfo;
  readonly frame: TokenFrame;
  /** Token ids of the whole text, without special tokens. Linear time, about 1 ms per 1,000 tokens. */
  tokenize(text: string): number[];
  /**
   * A unit vector of `info.dimension`: the mean of the window's token vectors. One run of the model per window: int8 models
   * scale their activations over all rows of a run, so beside others or padding the same window gets another vector
   * (all-MiniLM-L6-v2: cosine 0.987 to 0.995).
   */
  embed(window: readonly number[]): Promise<Float32Array>;
}

/**
 * Loads the model of a folder in 0.1 to 0.3 s. It runs in one thread: a second one makes no query faster, and two workers
 * with one thread each index more than one worker with two. Measured on two cores with windows of documents, one per run
 * (2026-11-22), tokens/s: one thread 13,200, two threads 18,200, two workers 26,100; 8 rows of 100 tokens per run in two
 * threads 26,900.
 * Throws an Error that states what is wrong with the folder.
 */
export async function loadModel(directory: string, runtime: Runtime): Promise<Model> {
  for (const file of FILES) {
    if (!(await Bun.file(join(directory, file)).exists())) throw new Error(`${file} is missing`);
  }
  const { AutoTokenizer, InferenceSession, Tensor, options } = await loadRuntime(directory, runtime);
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL_ALIAS);
  // Read once for the session and the revision. Not passed as a path: the runtime cannot open files inside the executable.
  const weights = await readWeights(directory);
  const session = await InferenceSession.create(weights, {
    ...options,
    intraOpNumThreads: 1,
    // Shapes change from run to run: a plan per shape only costs memory.
    enableMemPattern: false,
  });
  const [outputName] = session.outputNames;

  const specials = tokenizer.encode("");
  const [first, last] = specials;
  if (specials.length !== 2 || first === undefined || last === undefined) {
    throw new Error("its tokenizer does not add exactly one special token before and after a text");
  }
  const continuing = new Set<number>();
  for (const [token, id] of tokenizer.get_vocab()) if (token.startsWith("##")) continuing.add(id);

  const embed = async (window: readonly number[]) => {
    const inputs: Record<string, BigInt64Array> = {
      input_ids: BigInt64Array.from(window, BigInt),
      attention_mask: new BigInt64Array(window.length).fill(1n),
    };
    if (session.inputNames.includes("token_type_ids"))
      inputs.token_type_ids = new BigInt64Array(window.length);
    const shape = [1, window.length];
    const feeds = Object.entries(inputs).map(([name, data]) => [name, new Tensor("int64", data, shape)]);
    const output = (await session.run(Object.fromEntries(feeds)))[outputName!]!;
    if (output.dims.length !== 3) throw new Error("its first output does not contain one vector per token");
    return meanVector(output.data as Float32Array, output.dims.at(-1)!);
  };
  const probe = await embed([first, last]);
  return {
    info: {
      name: basename(directory),
      revision: sha256Hex(weights),
      dimension: probe.length,
      directory,
    },
    frame: { first, last, continuesWord: (token) => continuing.has(token) },
    tokenize: (text) => tokenizer.encode(text, { add_special_tokens: false }),
    embed,
  };
}

/** The shipped model's weights are compressed in an executable. */
async function readWeights(directory: string): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(directory, WEIGHTS);
  for (const file of [path, `${path}.zst`]) {
    if (await Bun.file(file).exists()) return readPossiblyCompressed(file);
  }
  throw new Error(`${WEIGHTS} is missing`);
}

/** Mean of consecutive vectors, scaled to length 1. */
function meanVector(vectors: Float32Array, dimension: number): Float32Array {
  const mean = new Float32Array(dimension);
  for (let start = 0; start < vectors.length; start += dimension) {
    for (let i = 0; i < dimension; i++) mean[i]! += vectors[start + i]!;
  }
  return toUnitLength(mean);
}
