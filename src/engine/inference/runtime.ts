// The only file that imports the packages of the model runtime. transformers.js takes the ONNX runtime from a global
// symbol; its web build contains neither sharp nor a native binding, so the same code runs from sources and in the
// executable.

import type { InferenceSession as Session } from "onnxruntime-node";
import { readModelFile, readPossiblyCompressed } from "./compressed.ts";

/**
 * What runs the model: the native library, or its WebAssembly build, whose module is the file `path` (plain or .zst).
 */
export type Runtime = { kind: "native" } | { kind: "wasm"; path: string };

/** The name of the model in transformers.js; its requests for files contain it. */
const MODEL_ALIAS = "model";

const NATIVE_OPTIONS: Session.SessionOptions = {
  executionProviders: ["cpu"],
  // KleidiAI's kernels return nearly the same vector for every text on arm64 processors with SME, such as Apple's M4.
  extra: { mlas: { disable_kleidiai: "1" } },
};
/** Threads of the WebAssembly build do not work in Bun. */
const WASM_OPTIONS: Session.SessionOptions = { executionProviders: ["wasm"] };

/** Loads the package that runs models. `options` are those of every session. */
export async function loadRuntime(runtime: Runtime) {
  const { InferenceSession, Tensor } =
    runtime.kind === "native" ? await import("onnxruntime-node") : await loadWasm(runtime.path);
  Reflect.set(globalThis, Symbol.for("onnxruntime"), { InferenceSession, Tensor });
  const options = runtime.kind === "native" ? NATIVE_OPTIONS : WASM_OPTIONS;
  return { InferenceSession, Tensor, options };
}

/**
 * The tokenizer of transformers.js, restricted to files of `modelDirectory`: nothing is downloaded or cached. Call
 * `loadRuntime` before: the package looks for the runtime when it is imported.
 */
export async function loadAutoTokenizer(modelDirectory: string) {
  const { AutoTokenizer, env } = await import(
    "../../../node_modules/@huggingface/transformers/dist/transformers.web.js"
  );
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.useFS = false;
  env.useFSCache = false;
  env.useBrowserCache = false;
  env.useWasmCache = false;
  env.useCustomCache = true;
  env.customCache = {
    match: async (request) => {
      const name = fileOf(request);
      const bytes = name === undefined ? undefined : await readModelFile(modelDirectory, name);
      return bytes && new Response(bytes);
    },
    put: async () => {},
  };
  env.fetch = async () => new Response(null, { status: 404 });
  return AutoTokenizer.from_pretrained(MODEL_ALIAS);
}

async function loadWasm(path: string) {
  const { env, InferenceSession, Tensor } = await import("onnxruntime-web/wasm");
  env.wasm.numThreads = 1;
  env.wasm.wasmBinary = await readPossiblyCompressed(path);
  // Without it, the package asks a CDN for the module.
  env.wasm.wasmPaths = {};
  return { InferenceSession, Tensor };
}

/** The file of the model in a cache key: `/models/ALIAS/FILE` or `https://…/ALIAS/resolve/main/FILE`. */
function fileOf(key: string): string | undefined {
  const [, file] = key.split(`/${MODEL_ALIAS}/`);
  return file?.replace(/^resolve\/main\//, "");
}
