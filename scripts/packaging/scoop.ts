// A manifest for Scoop on Windows.

import type { Download, Downloads } from "./downloads.ts";

/** The manifest as JSON text. Without an address it names the archive only: Scoop needs its whole address there. */
export function scoopManifest({ version, address }: Downloads, archive: Download): string {
  const { target, file, sha256, folder } = archive;
  const manifest = {
    version,
    description: "A Context Repository in one file: prompts and documents for AI agents",
    homepage: address,
    license: "MIT",
    // Without it, semantic search is off.
    suggest: { "Visual C++ Redistributable": "extras/vcredist2022" },
    architecture: {
      "64bit": {
        url: [address, file].filter((part) => part !== "").join("/"),
        hash: sha256,
        extract_dir: folder,
      },
    },
    bin: target.program,
  };
  return `${JSON.stringify(manifest, null, 4)}\n`;
}
