// The only file that imports the packages of the model runtime. transformers.js takes the ONNX runtime from a global symbol;
// its web build contains neither sharp nor a native binding, so the same code runs from sources and in the executable.

import { join } from "node:path";

/** The name of the model in transformers.js; its requests for files contain it. */
export const MODEL_ALIAS = "embedder";

/** Loads the packages, restricted to files of `modelDirectory`: nothing is downloaded or cached. */
export async function loadRuntime(modelDirectory: string) {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  Reflect.set(globalThis, Symbol.for("onnxruntime"), { InferenceSession, Tensor });
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
      const file = name === undefined ? undefined : Bun.file(join(modelDirectory, name));
      return file && (await file.exists()) ? new Response(file) : undefined;
    },
    put: async () => {},
  };
  env.fetch = async () => new Response(null, { status: 404 });
  return { AutoTokenizer, InferenceSession, Tensor };
}

/** The file of the model in a cache key: `/models/ALIAS/FILE` or `https://…/ALIAS/resolve/main/FILE`. */
function fileOf(key: string): string | undefined {
  const [, file] = key.split(`/${MODEL_ALIAS}/`);
  return file?.replace(/^resolve\/main\//, "");
}
