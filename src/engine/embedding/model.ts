// One embedding model in memory: tokenizer, ONNX session, and mean pooling of the token vectors. It reads the model's folder
// and nothing else; it must not know queues or threads.

import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import type { InferenceSession } from "onnxruntime-node";
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
  /** One unit vector of `info.dimension` per window: the mean of its token vectors. One run of the model. */
  embed(windows: readonly (readonly number[])[]): Promise<Float32Array[]>;
}

/**
 * Loads the model of a folder in 0.1 to 0.3 s. `threads` is the number of threads of one run; default: one per core, maximum 4.
 * Throws an Error that states what is wrong with the folder.
 */
export async function loadModel(
  directory: string,
  threads = Math.min(MAX_THREADS, availableParallelism()),
): Promise<Model> {
  for (const file of FILES) {
    if (!(await Bun.file(join(directory, file)).exists())) throw new Error(`${file} is missing`);
  }
  const { AutoTokenizer, AutoModel, Tensor } = await loadRuntime(directory);
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL_ALIAS);
  const model = await AutoModel.from_pretrained(MODEL_ALIAS, {
    dtype: "q8",
    device: "auto",
    session_options: {
      executionProviders: ["cpu"],
      intraOpNumThreads: threads,
      // Shapes change from run to run: a plan per shape only costs memory.
      enableMemPattern: false,
      extra: { session: { intra_op: { spin_duration_us: SPIN_US } } },
    },
  });
  const session: InferenceSession = model.sessions.model;
  const [outputName] = session.outputNames;

  const specials = tokenizer.encode("");
  const [first, last] = specials;
  if (specials.length !== 2 || first === undefined || last === undefined) {
    throw new Error("its tokenizer does not add exactly one special token before and after a text");
  }
  const continuing = new Set<number>();
  for (const [token, id] of tokenizer.get_vocab()) if (token.startsWith("##")) continuing.add(id);

  /** Calls the session directly: AutoModel's own call adds 20 % to a short query. */
  const run = async (windows: readonly (readonly number[])[]) => {
    const width = Math.max(...windows.map((window) => window.length));
    const shape = [windows.length, width];
    const ids = new BigInt64Array(windows.length * width);
    const mask = new BigInt64Array(ids.length);
    for (const [row, window] of windows.entries()) {
      for (let i = 0; i < window.length; i++) {
        ids[row * width + i] = BigInt(window[i]!);
        mask[row * width + i] = 1n;
      }
    }
    const inputs: Record<string, BigInt64Array> = { input_ids: ids, attention_mask: mask };
    if (session.inputNames.includes("token_type_ids")) inputs.token_type_ids = new BigInt64Array(ids.length);
    const feeds = Object.entries(inputs).map(([name, data]) => [name, new Tensor("int64", data, shape)]);
    const output = (await session.run(Object.fromEntries(feeds)))[outputName!]!;
    if (output.dims.length !== 3) throw new Error("its first output does not contain one vector per token");
    return { data: output.data as Float32Array, width, dimension: output.dims.at(-1)! };
  };

  const embed = async (windows: readonly (readonly number[])[]) => {
    const { data, width, dimension } = await run(windows);
    return windows.map((window, row) =>
      meanVector({ data, offset: row * width * dimension, count: window.length, dimension }),
    );
  };
  const [probe] = await embed([[first, last]]);
  return {
    info: {
      name: basename(directory),
      revision: sha256Hex(await Bun.file(join(directory, WEIGHTS)).bytes()),
      dimension: probe!.length,
      directory,
    },
    frame: { first, last, continuesWord: (token) => continuing.has(token) },
    tokenize: (text) => tokenizer.encode(text, { add_special_tokens: false }),
    embed,
  };
}

/** The token vectors of one window within the output of a run. */
interface TokenVectors {
  data: Float32Array;
  /** Index of the first number. */
  offset: number;
  count: number;
  dimension: number;
}

/** Mean of consecutive token vectors, scaled to length 1. */
function meanVector({ data, offset, count, dimension }: TokenVectors): Float32Array {
  const mean = new Float32Array(dimension);
  for (let token = 0; token < count; token++) {
    const start = offset + token * dimension;
    for (let i = 0; i < dimension; i++) mean[i]! += data[start + i]!;
  }
  return toUnitLength(mean);
}
