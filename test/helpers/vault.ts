// A folder to import, of its own user, beside one server that runs for all tests of a file.

import { afterAll, beforeAll, beforeEach } from "bun:test";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProgram, type ServingProgram, serveProgram } from "./program.ts";
import { type Client, createClient, makeTempDir } from "./start.ts";

export interface Outcome {
  path: string;
  status: string;
  id?: string;
  reason?: string;
}

export interface Imported {
  code: number;
  stderr: string;
  outcomes: Outcome[];
  /** The status of each file, by its path in the folder. */
  status: Record<string, string>;
}

/** Registers the hooks. All members but `root` and `dataDir` are those of the current test. */
export function useVault() {
  let server: ServingProgram;
  let counter = 0;
  const vault = {
    /** Where tests may put other files. */
    root: "",
    dataDir: "",
    folder: "",
    user: "",
    client: undefined as unknown as Client,
    path: (name: string) => join(vault.folder, name),
    write(name: string, text: string | Uint8Array) {
      const path = vault.path(name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    async import(...args: string[]): Promise<Imported> {
      const own = ["--json", "--user", vault.user, "--data-dir", vault.dataDir];
      const { code, stdout, stderr } = await runProgram(["import", vault.folder, ...own, ...args]);
      const outcomes: Outcome[] = JSON.parse(stdout || "[]");
      const inFolder = outcomes.map((one) => [one.path.slice(vault.folder.length + 1), one.status]);
      return { code, stderr, outcomes, status: Object.fromEntries(inFolder) };
    },
    /** The user's records of a kind. */
    async listed(kind = "documents") {
      return (await vault.client("GET", `/v1/${kind}?includeMetadata=true&limit=100`)).body.data;
    },
    async document(id: string | undefined) {
      return (await vault.client("GET", `/v1/documents/${id}`)).body.data;
    },
  };
  beforeAll(async () => {
    vault.root = realpathSync(makeTempDir());
    vault.dataDir = join(vault.root, "data");
    server = await serveProgram(vault.dataDir);
  });
  afterAll(async () => {
    await server.kill("SIGTERM");
    rmSync(vault.root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    vault.user = `user${++counter}@example.org`;
    vault.folder = join(vault.root, `vault${counter}`);
    mkdirSync(vault.folder);
    const args = ["keys", "create", "--user", vault.user, "--data-dir", vault.dataDir];
    vault.client = createClient(server.url, (await runProgram(args)).stdout.trim());
  });
  return vault;
}
