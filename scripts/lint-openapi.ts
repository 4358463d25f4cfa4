// Lints the OpenAPI document, generates a client from it and type-checks test/openapi-client/calls.ts against that
// client. It also checks that the console's types are those of the document; --write writes them. It needs no network,
// and the tools send nothing.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openApiDocument } from "../src/site/openapi/document.ts";
import { DESCRIBED } from "../src/operations.ts";

const ROOT = join(import.meta.dir, "..");
const CACHE = join(ROOT, ".cache");
const DOCUMENT = join(CACHE, "openapi.json");
/** Where calls.ts imports the generated client from. */
const CLIENT = join(CACHE, "openapi-client");

/** The types of the console: those of the generated client that describe records. */
const CONSOLE_TYPES = join(ROOT, "src/console/api/openapi.d.ts");
/** The first type that describes an operation and not a record. */
const FIRST_OPERATION = "export type McpCapabilitiesData";

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

/** The text that src/console/api/openapi.d.ts must have, by the client that was generated last. */
async function consoleTypes(): Promise<string> {
  const text = await Bun.file(join(CLIENT, "types.gen.ts")).text();
  const end = text.indexOf(FIRST_OPERATION);
  if (end < 0) throw new Error(`the generated types do not contain ${FIRST_OPERATION}`);
  return `// Generated from the OpenAPI document: bun run types:console\n\n${text.slice(text.indexOf("export type Identity"), end)}`;
}

if (import.meta.main) {
  await generateClient();
  if (process.argv.includes("--write")) {
    await Bun.write(CONSOLE_TYPES, await consoleTypes());
    process.exit();
  }
  if ((await Bun.file(CONSOLE_TYPES).text()) !== (await consoleTypes()))
    throw new Error("the console's types are stale: run `bun run types:console`");
  bun(BIN.redocly, "lint", DOCUMENT, "--config", "redocly.yaml");
  bun("check", "-p", "test/openapi-client/tsconfig.json");
  console.log("The OpenAPI document is valid, and the generated client compiles.");
}
