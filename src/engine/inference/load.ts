// One model in memory: its tokenizer and its ONNX session. It reads the model's folder and nothing else.

import { join } from "node:path";
import { readModelFile, readModelJson } from "./compressed.ts";
import { loadRuntime, type Runtime } from "./runtime.ts";
import { loadTokenizer } from "./tokenizer.ts";
import type { UnigramTables } from "./unigram.ts";
import { lookUp, openWordEmbeddings } from "./word-embeddings.ts";

/** The weights, in the folder of a model. */
export const WEIGHTS = join("onnx", "model_quantized.onnx");

/** The read-only parts of a loaded model that other threads can use instead of loading them again. */
export interface SharedParts {
  tables?: UnigramTables;
}

export interface LoadOptions {
  runtime: Runtime;
  threads: number;
  /** Of the same folder, loaded by another thread. */
  shared?: SharedParts;
}

/** The output that has one vector for each token, if a model has several outputs. */
const TOKEN_VECTORS = ["last_hidden_state", "token_embeddings"];

/** Loads the model of a folder. Throws an Error that states what is wrong with the folder. */
export async function loadModelFiles(directory: string, { runtime, threads, shared }: LoadOptions) {
  const { InferenceSession, Tensor, options } = await loadRuntime(runtime);
  const tokenizer = await loadTokenizer(directory, shared?.tables);
  // Read once for the session and the revision. Not passed as a path: the runtime cannot open files inside the
  // executable.
  const weights = await readModelFile(directory, WEIGHTS);
  if (!weights) throw new Error(`${WEIGHTS} is missing`);
  const session = await InferenceSession.create(weights, {
    ...options,
    intraOpNumThreads: threads,
    // Shapes change from run to run: a plan per shape only costs memory.
    enableMemPattern: false,
  });
  const words = session.inputNames.includes("inputs_embeds")
    ? await openWordEmbeddings(directory, await hiddenSizeOf(directory))
    : undefined;
  if (session.inputNames.includes("inputs_embeds") && !words)
    throw new Error("its word embeddings are missing");
  const outputName =
    TOKEN_VECTORS.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0]!;
  return {
    tokenizer,
    weights,
    shared: { tables: tokenizer.tables } satisfies SharedParts,
    /**
     * Runs the model on rows of tokens of the same length and returns its output. `inputs` hold one value per token;
     * those that the model does not have are ignored.
     */
    async run(
      inputs: { input_ids: BigInt64Array } & Record<string, BigInt64Array>,
      shape: readonly number[],
    ) {
      const feeds = Object.entries(inputs)
        .filter(([name]) => session.inputNames.includes(name))
        .map(([name, data]): [string, InstanceType<typeof Tensor>] => [
          name,
          new Tensor("int64", data, shape),
        ]);
      if (words) {
        const rows = await lookUp(words, Array.from(inputs.input_ids, Number));
        feeds.push(["inputs_embeds", new Tensor("float32", rows, [...shape, words.size])]);
      }
      const output = (await session.run(Object.fromEntries(feeds)))[outputName]!;
      return { data: output.data as Float32Array, dims: output.dims };
    },
  };
}

async function hiddenSizeOf(directory: string): Promise<number> {
  const { hidden_size: size } = ((await readModelJson(directory, "config.json")) ?? {}) as {
    hidden_size?: unknown;
  };
  if (typeof size !== "number") throw new Error("config.json does not name hidden_size");
  return size;
}
