// The manifest of an MCP bundle: a desktop application installs it and runs `ctxrepo mcp`.

import type { Target } from "../targets.ts";

/**
 * The platforms of bundles, and their names in a manifest. The others have no desktop applications that read bundles.
 */
const PLATFORMS: Record<string, "darwin" | "win32" | "linux"> = {
  "darwin-arm64": "darwin",
  "darwin-x64": "darwin",
  "windows-x64": "win32",
  "linux-x64": "linux",
};

/** Whether a bundle is made for the target. */
export function hasBundle({ name }: Target): boolean {
  return name in PLATFORMS;
}

/** manifest.json of the bundle. The executable is in the folder `server` of the bundle. */
export function bundleManifest({ name, program }: Target, version: string): string {
  const manifest = {
    manifest_version: "0.3",
    name: "ctxrepo",
    display_name: "ctxrepo",
    version,
    description: "Prompts, documents and collections on your machine, searched by meaning",
    author: { name: "The ctxrepo authors" },
    license: "MIT",
    server: {
      type: "binary",
      entry_point: `server/${program}`,
      mcp_config: { command: `\${__dirname}/server/${program}`, args: ["mcp"] },
    },
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: [PLATFORMS[name]] },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
