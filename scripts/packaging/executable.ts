// Builds the executable of one target: the program with bytecode, the code of the worker threads in chunks that are
// loaded on demand, and the staged files. The same sources and the same Bun produce the same bytes.

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Target } from "../targets.ts";
import { type Component, componentsOf, licensesFile } from "./components.ts";
import { extractedAddon, filesBeside, without } from "./plugins.ts";
import { stageConsole, stageModels, stageNatives } from "./stage.ts";

const ROOT = join(import.meta.dir, "../..");
const SRC = join(ROOT, "src");
const STAGED = ["native", "models", "workers", "console", "licenses"];
/** Only for the list of its packages. */
const CONSOLE: Bun.BuildConfig = {
  entrypoints: [join(SRC, "console", "main.tsx")],
  target: "browser",
  metafile: true,
};

export interface BuildOptions {
  target: Target;
  /** The Bun that the executable consists of; default: the one that runs this. */
  runtime?: string;
  /** Path of the executable. */
  outfile: string;
  /** The level of zstd for the native libraries. */
  level: number;
}

/** Builds `outfile`. Resolves with what it contains of others. */
export async function buildExecutable({
  target,
  runtime,
  outfile,
  level,
}: BuildOptions): Promise<Component[]> {
  const stage = join(dirname(outfile), `stage-${target.name}`);
  const inStage = (name: string) => join(stage, name);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  try {
    stageNatives(target, { folder: inStage("native"), level });
    stageModels(inStage("models"));
    await stageConsole(inStage("console"));
    const program = { ...bundleOptions(target), entrypoints: [join(SRC, "main.ts")] };
    const files = [
      ...(await bundleWorkers(target, inStage("workers"))),
      // The licences are in the executable, so what it contains must be known before.
      ...filesOf(await Bun.build(program)),
      ...filesOf(await Bun.build(CONSOLE)),
    ];
    const components = componentsOf(target, files);
    stageLicenses(components, inStage("licenses"));
    await Bun.build({
      ...program,
      bytecode: true,
      compile: {
        target: target.bun,
        ...(runtime && { executablePath: runtime }),
        outfile: inStage(target.program),
        assets: [join(ROOT, "migrations"), ...STAGED.map(inStage)],
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
    });
    renameSync(inStage(target.program), outfile);
    return components;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * Writes the code of the worker threads to `folder`: a thread loads only the chunks of its role. Without bytecode,
 * which would be four times the size of the code and which nobody waits for: threads start beside the program.
 */
async function bundleWorkers(target: Target, folder: string): Promise<string[]> {
  mkdirSync(folder);
  const options = bundleOptions(target);
  const built = await Bun.build({
    ...options,
    plugins: [...options.plugins, filesBeside(folder)],
    entrypoints: [join(SRC, "workers", "entry.ts")],
    splitting: true,
    outdir: folder,
  });
  const files = filesOf(built);
  const runtime =
    target.natives.onnxruntime.length > 0 ? "onnxruntime-node/dist/binding.js" : "onnxruntime-web/dist/";
  if (!files.some((path) => path.includes(runtime)))
    throw new Error(`${runtime} is not in the bundle: see scripts/packaging/executable.ts`);
  return files;
}

/** The source files in a bundle, relative to the repository. */
function filesOf({ metafile }: Bun.BuildOutput): string[] {
  return Object.entries(metafile!.outputs).flatMap(({ 1: output }) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}

function stageLicenses(components: Component[], folder: string): void {
  mkdirSync(folder);
  writeFileSync(
    join(folder, "licenses.json.zst"),
    Bun.zstdCompressSync(JSON.stringify(licensesFile(components))),
  );
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
      extractedAddon(join(SRC, "base", "addon.ts")),
      without((name, importer) => {
        // transformers.js imports the WebAssembly build, too, and would load files from a CDN. We give it the runtime
        // to use.
        if (/[\\/]@huggingface[\\/]/.test(importer)) return name.startsWith("onnxruntime-web");
        if (name.startsWith("onnxruntime-"))
          return name.startsWith(`onnxruntime-${isNative ? "web" : "node"}`);
        // Elysia's checks of uploaded files, and the validator of the MCP SDK: src/mcp/protocol.ts passes its own.
        return true;
      }),
    ],
  } satisfies Partial<Bun.BuildConfig>;
}
