// Bundles the console for browsers: scripts/build.ts puts the files into the executable, and a server that runs from
// the repository bundles them when the first page is requested.

import { basename, join } from "node:path";
import { Failure } from "../../kernel/errors.ts";

/** One file of the bundle, compressed with gzip as most browsers get it. Names contain a hash of the content. */
export interface BundledFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Bundles src/console/ of the repository at `root`. Throws `unavailable` with the first problem. */
export async function bundleConsole(root: string): Promise<BundledFile[]> {
  const result = await Bun.build({
    entrypoints: [join(root, "src/console/main.tsx")],
    target: "browser",
    format: "esm",
    minify: true,
    splitting: true,
    define: { "process.env.NODE_ENV": '"production"' },
    naming: { entry: "[name]-[hash].[ext]", chunk: "part-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    throw: false,
  });
  const [problem] = result.logs;
  if (!result.success) throw new Failure("unavailable", `the console cannot be bundled: ${problem?.message}`);
  return Promise.all(
    result.outputs.map(async (output) => ({
      name: basename(output.path),
      bytes: Bun.gzipSync(await output.text(), { level: 9 }),
    })),
  );
}
