// The manifest of an MCP bundle: a desktop application installs it and runs `ctxrepo mcp`.

import type { Target } from "../targets.ts";

/** manifest.json of the bundle. The executable is in the folder `server` of the bundle. */
export function bundleManifest({ npm, program }: Target, version: string): string {
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
    compatibility: { platforms: [npm.os] },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
