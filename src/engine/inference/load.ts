// One model in memory: its tokenizer and its ONNX session. It reads the model's folder and nothing else.

import { join } from "node:path";
import { readPossiblyCompressed } from "./compressed.ts";
import { loadRuntime, MODEL_ALIAS, type Runtime } from "./runtime.ts";

/** The weights, in the folder of a model. */
export const WEIGHTS = join("onnx", "model_quantized.onnx");
const TOKENIZER_FILES = ["tokenizer.json", "tokenizer_config.json"];

/** Loads the model of a folder. Throws an Error that states what is wrong with the folder. */
export async function loadModelFiles(directory: string, runtime: Runtime, threads: number) {
  for (const file of TOKENIZER_FILES) {
    if (!(await Bun.file(join(directory, file)).exists())) throw new Error(`${file} is missing`);
  }
  const { AutoTokenizer, InferenceSession, Tensor, options } = await loadRuntime(directory, runtime);
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL_ALIAS);
  // Read once for the session and the revision. Not passed as a path: the runtime cannot open files inside the
  // executable.
  const weights = await readWeights(directory);
  const session = await InferenceSession.create(weights, {
    ...options,
    intraOpNumThreads: threads,
    // Shapes change from run to run: a plan per shape only costs memory.
    enableMemPattern: false,
  });
  const specials = tokenizer.encode("");
  const [first, last] = specials;
  if (specials.length !== 2 || first === undefined || last === undefined) {
    throw new Error("its tokenizer does not add exactly one special token before and after a text");
  }
  const [outputName] = session.outputNames;
  return {
    tokenizer,
    weights,
    /** The special tokens before and after a text. */
    specials: { first, last },
    /** Token ids of the whole text, without special tokens. Linear time, about 1 ms per 1,000 tokens. */
    tokenize: (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false }),
    /**
     * Runs the model and returns its first output. `inputs` hold one value per token; those that the model does not
     * have are ignored.
     */
    async run(inputs: Record<string, BigInt64Array>, shape: readonly number[]) {
      const feeds = Object.entries(inputs)
        .filter(([name]) => session.inputNames.includes(name))
        .map(([name, data]) => [name, new Tensor("int64", data, shape)]);
      const output = (await session.run(Object.fromEntries(feeds)))[outputName!]!;
      return { data: output.data as Float32Array, dims: output.dims };
    },
  };
}

/** The shipped models' weights are compressed in an executable. */
async function readWeights(directory: string): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(directory, WEIGHTS);
  for (const file of [path, `${path}.zst`]) {
    if (await Bun.file(file).exists()) return readPossiblyCompressed(file);
  }
  throw new Error(`${WEIGHTS} is missing`);
}
