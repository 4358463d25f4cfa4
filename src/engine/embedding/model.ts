// One embedding model in memory: tokenizer, ONNX session, and mean pooling of the token vectors. It reads the model's folder
// and nothing else; it must not know queues or threads.

import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { sha256Hex } from "../../kernel/hash.ts";
import { toUnitLength } from "../../kernel/vectors.ts";
import { loadRuntime, MODEL_ALIAS } from "./runtime.ts";
import type { TokenFrame } from "./windows.ts";

const WEIGHTS = join("onnx", "model_quantized.onnx");
const FILES = ["config.json", "tokenizer.json", "tokenizer_config.json", WEIGHTS];

/** More threads help only with larger runs than ours. */
const MAX_THREADS = 4;

/**
 * How long an idle thread of the pool spins before it sleeps. The runtime's default uses about 20 ms of a core after every
 * query and halves the speed beside a busy server; no spinning costs a tenth of the throughput.
 */
const SPIN_US = "20";

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
 * The number of threads of one run on a machine with `cores` cores: half of them, so that requests, searches and index writes
 * run beside indexing. Measured on two cores with one thread and two, medians of interleaved rounds (2026-11-22):
 *
 * | threads                            | 1      | 2      |
 * | bare runs, tokens/s                | 14,658 | 18,220 |
 * | import, tokens/s                   | 13,395 | 13,608 |
 * | import beside a busy process       | 10,520 |  9,899 |
 * | CPU of that, ms per 1,000 tokens   |     91 |    118 |
 * | CPU of a query of 18 tokens, ms    |    1.8 |    2.4 |
 *
 * Not settled: two workers of one thread each, 50 MB more. Document by document 13,061 tokens/s at twice the CPU time, with
 * windows of one length 25,941 at the same. More than two cores: not measured.
 */
export function threadsFor(cores: number): number {
  return Math.min(MAX_THREADS, Math.max(1, Math.floor(cores / 2)));
}

/**
 * Loads the model of a folder in 0.1 to 0.3 s. `threads` is the number of threads of one run.
 * Throws an Error that states what is wrong with the folder.
 */
export async function loadModel(
  directory: string,
  threads = threadsFor(availableParallelism()),
): Promise<Model> {
  for (const file of FILES) {
    if (!(await Bun.file(join(directory, file)).exists())) throw new Error(`${file} is missing`);
  }
  const { AutoTokenizer, InferenceSession, Tensor } = await loadRuntime(directory);
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL_ALIAS);
  // Read once for the session and the revision. Not passed as a path: the runtime cannot open files inside the executable.
  const weights = await Bun.file(join(directory, WEIGHTS)).bytes();
  const session = await InferenceSession.create(weights, {
    executionProviders: ["cpu"],
    intraOpNumThreads: threads,
    // Shapes change from run to run: a plan per shape only costs memory.
    enableMemPattern: false,
    extra: { session: { intra_op: { spin_duration_us: SPIN_US } } },
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

/** Mean of consecutive vectors, scaled to length 1. */
function meanVector(vectors: Float32Array, dimension: number): Float32Array {
  const mean = new Float32Array(dimension);
  for (let start = 0; start < vectors.length; start += dimension) {
    for (let i = 0; i < dimension; i++) mean[i]! += vectors[start + i]!;
  }
  return toUnitLength(mean);
}
