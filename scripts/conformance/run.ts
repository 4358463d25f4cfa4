// Runs the conformance suite of MCP against the endpoint of this program, with fixtures and without a key. Prints one
// line for each required scenario, or the details of the scenario that is the argument. Needs the network once, to
// install the suite.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApp } from "../../src/app.ts";
import { USER_SCOPES } from "../../src/auth/scopes.ts";
import { ensureUser } from "../../src/auth/users.ts";
import { readSettings } from "../../src/base/config.ts";
import { serve } from "../../src/server.ts";
import { createFixtureServer } from "./fixture.ts";

const REVISIONS = ["2026-07-28", "2025-11-25"];
const FOLDER = import.meta.dir;
const SUITE = join(FOLDER, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

async function run(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { cwd: FOLDER, stdout: "pipe", stderr: "pipe" });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  return output + errors;
}

if (!existsSync(SUITE)) console.error(await run([process.execPath, "install", "--frozen-lockfile"]));

const dataDir = mkdtempSync(join(tmpdir(), "ctxrepo-conformance-"));
const app = openApp(readSettings({ dataDir, port: "0", logLevel: "error" }, {}));
const { id, email } = app.store.write((write) => ensureUser(write, "owner@localhost"));
const caller = {
  kind: "session",
  userId: id,
  email,
  name: null,
  scopes: USER_SCOPES,
  credentialId: "none",
  isUnlimited: true,
} as const;
const server = serve({ ...app, mcp: { identify: async () => caller, createServer: createFixtureServer } });
const suite = (...args: string[]) =>
  run([process.execPath, SUITE, "server", "--url", `${server.url}/mcp`, ...args]);
try {
  const [scenario] = process.argv.slice(2);
  if (scenario !== undefined) {
    console.log(await suite("--scenario", scenario, "--verbose", "--spec-version", REVISIONS[0]!));
  } else {
    for (const revision of REVISIONS) {
      const output = await suite("--requirements", revision);
      console.log(`\n# Required by ${revision}\n`);
      // Before the summary, the suite prints each message.
      console.log(output.slice(Math.max(0, output.indexOf("=== SUMMARY"))));
    }
  }
} finally {
  await server.stop(0);
  await app.close();
  rmSync(dataDir, { recursive: true });
}
