// Builds dist/ctxrepo: one executable for this platform that contains the model, the migrations, the console and the native
// libraries. The same sources and the same Bun produce the same bytes. It needs only node_modules.

import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { BunPlugin } from "bun";
import { type NativeDigests, nativeSources } from "../src/assets.ts";
import { bundleConsole } from "../src/features/console/bundle.ts";
import { sha256Hex } from "../src/kernel/hash.ts";
import { VERSION } from "../src/version.ts";

const ROOT = join(import.meta.dir, "..");
const DIST = join(ROOT, "dist");
const STAGE = join(DIST, "stage");
const PROGRAM = process.platform === "win32" ? "ctxrepo.exe" : "ctxrepo";

/** The statement of onnxruntime-node that loads its addon by a relative path, which does not exist in an executable. */
const ADDON =
  /require\(`\.\.\/bin\/napi-v6\/\$\{process\.platform\}\/\$\{process\.arch\}\/onnxruntime_binding\.node`\)/;

let addonFound = false;

/** Loads the addon from the location where src/assets.ts extracts it. This leaves no copy in the temporary folder. */
const extractedAddon: BunPlugin = {
  name: "extracted-addon",
  setup(build) {
    build.onLoad({ filter: /onnxruntime-node[\\/]dist[\\/]binding\.js$/ }, async ({ path }) => {
      const source = await Bun.file(path).text();
      if (!ADDON.test(source))
        throw new Error(`${path} no longer loads its addon as expected: see scripts/build.ts`);
      addonFound = true;
      // Relative, because the source map contains this text, and builds in different folders must be equal.
      const assets = JSON.stringify(
        relative(dirname(path), join(ROOT, "src", "assets.ts")).replaceAll("\\", "/"),
      );
      const load = `(() => {
        const addon = { exports: {} };
        process.dlopen(addon, require(${assets}).nativeFile("onnxruntime"));
        return addon.exports;
      })()`;
      return { contents: source.replace(ADDON, () => load), loader: "js" };
    });
  },
};

/** Inference runs in onnxruntime-node. transformers.js also imports the WebAssembly build, which would load files from a CDN. */
const noWebRuntime: BunPlugin = {
  name: "no-web-runtime",
  setup(build) {
    build.onResolve({ filter: /^onnxruntime-web(\/|$)/ }, ({ path }) => ({ path, namespace: "absent" }));
    build.onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "export {};", loader: "js" }));
  },
};

/** Copies this platform's native files to `folder` and writes their digests into it. */
function stageNative(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const digestsOf = (sources: string[]) =>
    sources.map((source) => {
      const name = basename(source);
      cpSync(join(ROOT, source), join(folder, name));
      return { name, sha256: sha256Hex(readFileSync(join(folder, name))) };
    });
  const { vec0, onnxruntime } = nativeSources(process.platform, process.arch);
  const digests: NativeDigests = { vec0: digestsOf(vec0), onnxruntime: digestsOf(onnxruntime) };
  writeFileSync(join(folder, "digests.json"), JSON.stringify(digests));
}

/** Writes the files of the console to `folder`. */
async function stageConsole(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of await bundleConsole(ROOT)) writeFileSync(join(folder, name), text);
}

async function build(): Promise<string> {
  const native = join(STAGE, "native");
  const console = join(STAGE, "console");
  const assets = [join(ROOT, "models"), join(ROOT, "migrations"), native, console];
  stageNative(native);
  await stageConsole(console);
  const missing = assets.filter((folder) => !existsSync(folder));
  if (missing.length > 0) throw new Error(`missing: ${missing.join(", ")}`);
  const outfile = join(STAGE, PROGRAM);
  await Bun.build({
    entrypoints: [join(ROOT, "src", "main.ts"), join(ROOT, "src", "workers", "entry.ts")],
    target: "bun",
    format: "esm",
    minify: true,
    sourcemap: "linked",
    bytecode: true,
    // Without __dirname, transformers.js would contain the path of the build folder.
    define: { "process.env.NODE_ENV": '"production"', __dirname: '"/"' },
    plugins: [extractedAddon, noWebRuntime],
    compile: { outfile, assets, autoloadDotenv: false, autoloadBunfig: false },
  });
  if (!addonFound)
    throw new Error("onnxruntime-node/dist/binding.js is not in the bundle: see scripts/build.ts");
  renameSync(outfile, join(DIST, PROGRAM));
  return join(DIST, PROGRAM);
}

const startedAt = performance.now();
rmSync(STAGE, { recursive: true, force: true });
const program = await build().finally(() => rmSync(STAGE, { recursive: true, force: true }));
const bytes = readFileSync(program);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(`ctxrepo ${VERSION}  ${program}`);
console.log(`${(bytes.length / 1e6).toFixed(1)} MB  sha256 ${sha256Hex(bytes)}  built in ${seconds} s`);
