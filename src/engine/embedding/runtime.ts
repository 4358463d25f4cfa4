// The only file that names the model runtime's packages. transformers.js takes the ONNX runtime from a global symbol; its
// web build brings neither sharp nor a native binding of its own, so the same code runs from sources and from the binary.

import { join } from "node:path";

/** What transformers.js shall call the one model; its requests for files carry this name. */
export const MODEL_ALIAS = "embedder";

/** Loads the packages and ties their hands: every file they ask for comes from `modelDirectory`, nothing is fetched or kept. */
export async function loadRuntime(modelDirectory: string) {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  Reflect.set(globalThis, Symbol.for("onnxruntime"), { InferenceSession, Tensor });
  const { AutoModel, AutoTokenizer, env } = await import(
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
  return { AutoModel, AutoTokenizer, Tensor };
}

/** The file of the model that a cache key names: `/models/ALIAS/FILE` or `https://…/ALIAS/resolve/main/FILE`. */
function fileOf(key: string): string | undefined {
  const [, file] = key.split(`/${MODEL_ALIAS}/`);
  return file?.replace(/^resolve\/main\//, "");
}
