// Lints the OpenAPI document, generates a client from it and type-checks test/openapi-client/calls.ts against that client.
// It needs no network, and the tools send nothing.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openApiDocument } from "../src/features/openapi/document.ts";
import { DESCRIBED } from "../src/operations.ts";

const ROOT = join(import.meta.dir, "..");
const CACHE = join(ROOT, ".cache");
const DOCUMENT = join(CACHE, "openapi.json");
/** Where calls.ts imports the generated client from. */
const CLIENT = join(CACHE, "openapi-client");

const BIN = {
  redocly: "node_modules/@redocly/cli/bin/cli.js",
  generator: "node_modules/@hey-api/openapi-ts/bin/run.js",
};
const QUIET = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

/** Runs a command with the pinned Bun in the repository. Throws with its output if it fails. */
function bun(...args: string[]): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET },
  });
  if (exitCode !== 0) throw new Error(`bun ${args.join(" ")} failed:\n${stdout}${stderr}`);
}

/** Writes the document and generates the client. */
export async function generateClient(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  await Bun.write(DOCUMENT, JSON.stringify(openApiDocument(DESCRIBED, "http://127.0.0.1:4817"), null, 2));
  bun(BIN.generator, "-i", DOCUMENT, "-o", CLIENT, "--no-log-file");
}

if (import.meta.main) {
  await generateClient();
  bun(BIN.redocly, "lint", DOCUMENT, "--config", "redocly.yaml");
  bun("check", "-p", "test/openapi-client/tsconfig.json");
  console.log("The OpenAPI document is valid, and the generated client compiles.");
}
