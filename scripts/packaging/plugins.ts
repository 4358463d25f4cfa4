// Plugins of the bundler: what the sources and packages must do differently inside an executable.

import { cpSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { BunPlugin } from "bun";

/** The statement of onnxruntime-node that loads its addon by a relative path, which does not exist in an executable. */
const ADDON =
  /require\(`\.\.\/bin\/napi-v6\/\$\{process\.platform\}\/\$\{process\.arch\}\/onnxruntime_binding\.node`\)/;

/** Lets onnxruntime-node load its addon with `loadAddon` of the module `loader` (an absolute path). */
export function extractedAddon(loader: string): BunPlugin {
  return {
    name: "extracted-addon",
    setup(build) {
      build.onLoad({ filter: /onnxruntime-node[\\/]dist[\\/]binding\.js$/ }, async ({ path }) => {
        const source = await Bun.file(path).text();
        if (!ADDON.test(source))
          throw new Error(`${path} no longer loads its addon as expected: see scripts/packaging/plugins.ts`);
        // Relative, so that builds in different folders are equal.
        const module = JSON.stringify(relative(dirname(path), loader).replaceAll("\\", "/"));
        return { contents: source.replace(ADDON, () => `require(${module}).loadAddon()`), loader: "js" };
      });
    },
  };
}

/**
 * Leaves modules out. `isAbsent` gets the name of an import and the path of the importing file; such an import finds a
 * module in which everything is undefined.
 */
export function without(isAbsent: (name: string, importer: string) => boolean): BunPlugin {
  return {
    name: "without-modules",
    setup(build) {
      build.onResolve({ filter: /^onnxruntime-|^file-type$|\/ajvProvider-/ }, ({ path, importer }) =>
        isAbsent(path, importer) ? { path, namespace: "absent" } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: "absent" }, () => ({
        // Imports by name are not checked against the exports of a CommonJS module.
        contents: "module.exports = {};",
        loader: "js",
      }));
    },
  };
}

/**
 * Copies imported .wasm and .zip files into `folder`, the one of the bundle. The bundler's own paths are relative to
 * the current folder.
 */
export function filesBeside(folder: string): BunPlugin {
  return {
    name: "files-beside",
    setup(build) {
      build.onLoad({ filter: /\.(?:wasm|zip)$/ }, ({ path }) => {
        const name = basename(path);
        cpSync(path, join(folder, name));
        return { contents: `export default import.meta.dir + ${JSON.stringify(`/${name}`)};`, loader: "js" };
      });
    },
  };
}
