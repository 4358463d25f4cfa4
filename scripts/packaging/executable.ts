// Builds the executable of one target: the program with bytecode, the code of the worker threads in chunks that are loaded on
// demand, and the staged files. The same sources and the same Bun produce the same bytes.

import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Target } from "../targets.ts";
import { extractedAddon, filesBeside, without } from "./plugins.ts";
import { stageConsole, stageModels, stageNatives } from "./stage.ts";

const ROOT = join(import.meta.dir, "../..");
const SRC = join(ROOT, "src");

/** A file in the metafile of the bundler. */
export type BundledInputs = NonNullable<Bun.BuildOutput["metafile"]>["inputs"];

export interface BuildOptions {
  target: Target;
  /** The Bun that the executable consists of; default: the one that runs this. */
  runtime?: string;
  /** Path of the executable. */
  outfile: string;
}

/** Builds `outfile`. Resolves with the source files that it contains. */
export async function buildExecutable({ target, runtime, outfile }: BuildOptions): Promise<BundledInputs> {
  const stage = join(dirname(outfile), `stage-${target.name}`);
  const inStage = (name: string) => join(stage, name);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  try {
    stageNatives(target, inStage("native"));
    stageModels(inStage("models"));
    await stageConsole(inStage("console"));
    const workers = await bundleWorkers(target, inStage("workers"));
    const built = await Bun.build({
      ...bundleOptions(target),
      entrypoints: [join(SRC, "main.ts")],
      bytecode: true,
      compile: {
        target: target.bun,
        ...(runtime && { executablePath: runtime }),
        outfile: inStage(target.program),
        assets: [join(ROOT, "migrations"), ...["native", "models", "workers", "console"].map(inStage)],
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
    });
    renameSync(inStage(target.program), outfile);
    return { ...built.metafile!.inputs, ...workers };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * Writes the code of the worker threads to `folder`: a thread loads only the chunks of its role. Without bytecode, which
 * would be four times the size of the code and which nobody waits for: threads start beside the program.
 */
async function bundleWorkers(target: Target, folder: string): Promise<BundledInputs> {
  mkdirSync(folder);
  const options = bundleOptions(target);
  const built = await Bun.build({
    ...options,
    plugins: [...options.plugins, filesBeside(folder)],
    entrypoints: [join(SRC, "workers", "entry.ts")],
    splitting: true,
    outdir: folder,
  });
  const inputs = built.metafile!.inputs;
  const runtime =
    target.natives.onnxruntime.length > 0 ? "onnxruntime-node/dist/binding.js" : "onnxruntime-web/dist/";
  if (!Object.keys(inputs).some((path) => path.includes(runtime)))
    throw new Error(`${runtime} is not in the bundle: see scripts/packaging/executable.ts`);
  return inputs;
}

function bundleOptions(target: Target) {
  const isNative = target.natives.onnxruntime.length > 0;
  return {
    target: "bun",
    format: "esm",
    minify: true,
    metafile: true,
    // Without __dirname, transformers.js would contain the path of the build folder.
    define: { "process.env.NODE_ENV": '"production"', __dirname: '"/"' },
    plugins: [
      extractedAddon(join(SRC, "addon.ts")),
      // transformers.js imports the WebAssembly build, too, and would load files from a CDN. We give it the runtime to use.
      without((name, importer) =>
        /[\\/]@huggingface[\\/]/.test(importer)
          ? name.startsWith("onnxruntime-web")
          : name.startsWith(isNative ? "onnxruntime-web" : "onnxruntime-node"),
      ),
    ],
  } satisfies Partial<Bun.BuildConfig>;
}
