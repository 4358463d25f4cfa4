// The clients in docs/agents.md work as they are printed there: each one stores, searches, reads, asks and updates.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type ServingProgram, runProgram, serveProgram } from "../helpers/program.ts";
import { type Client, createClient, makeTempDir } from "../helpers/start.ts";

const PAGE = await Bun.file(join(import.meta.dir, "../../docs/agents.md")).text();

interface Example {
  name: string;
  file: string;
  /** The program that runs the file. */
  program: string;
  title: string;
  /** A part of what it prints. */
  prints: string[];
  /** What its update adds. */
  adds: string;
}

const EXAMPLES: Example[] = [
  {
    name: "curl",
    file: "agent.sh",
    program: "sh",
    title: "Rain barrel",
    prints: ['"sectionPath":"Winter"', "Empty the barrel before the first frost. [[", '"revision":1'],
    adds: "Store the tap indoors.",
  },
  {
    name: "typescript",
    file: "agent.ts",
    program: process.execPath,
    title: "Bicycle",
    prints: ["Bicycle > Chain: Oil the chain every 300 kilometres.", "paragraphs around it", "chunkId"],
    adds: "Pump them up every month.",
  },
  {
    name: "python",
    file: "agent.py",
    program: "python3",
    title: "Piano",
    prints: ["Piano > Tuning: The piano is tuned in October", "paragraphs around it", "chunkId"],
    adds: "Keep it closed in summer.",
  },
];

/** The code block behind `<!-- tested: NAME -->`. */
function codeOf(name: string): string {
  const [, code] = new RegExp(`<!-- tested: ${name} -->\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\``).exec(PAGE) ?? [];
  if (code === undefined) throw new Error(`docs/agents.md has no tested block named ${name}`);
  return `${code}\n`;
}

/** Whether a program is installed: a shim without the program behind it is not. */
const canRun = (program: string) => {
  try {
    return Bun.spawnSync([program, ...(program === "sh" ? ["-c", "curl --version"] : ["--version"])]).success;
  } catch {
    return false;
  }
};

let root: string;
let server: ServingProgram;

beforeAll(async () => {
  root = makeTempDir();
  server = await serveProgram(join(root, "data"));
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(root, { recursive: true, force: true });
});

async function newKey(user: string): Promise<string> {
  const args = ["keys", "create", "--user", user, "--data-dir", join(root, "data")];
  return (await runProgram(args)).stdout.trim();
}

async function runExample({ file, program, name }: Example, key: string) {
  const path = join(root, file);
  await Bun.write(path, codeOf(name));
  const child = Bun.spawn([program, path], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", HOME: root, CTXREPO_URL: server.url, CTXREPO_KEY: key },
    stdout: "pipe",
    stderr: "pipe",
  });
  const outputs = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const [stdout = "", stderr = "", code] = await Promise.all([...outputs, child.exited]);
  return { code, stdout, stderr };
}

async function documentsOf(client: Client) {
  const { data } = (await client("GET", "/v1/documents")).body;
  return Promise.all(
    data.map(async ({ id }: { id: string }) => (await client("GET", `/v1/documents/${id}`)).body.data),
  );
}

for (const example of EXAMPLES) {
  const isInstalled = canRun(example.program);
  if (!isInstalled)
    console.warn(`skipped: the ${example.name} client, because ${example.program} cannot be run`);
  test.skipIf(!isInstalled)(`the ${example.name} client`, async () => {
    const key = await newKey(`${example.name}@example.org`);
    const { code, stdout, stderr } = await runExample(example, key);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const part of example.prints) expect(stdout).toContain(part);
    const client = createClient(server.url, key);
    const stored = await documentsOf(client);
    expect(stored).toMatchObject([{ title: example.title, revision: 1 }]);
    expect(stored[0].content).toContain(example.adds);
  });
}

test("every tested block is one of these", () => {
  const marked = [...PAGE.matchAll(/<!-- tested: (\w+) -->/g)].map(([, name = ""]) => name);
  expect(marked).toEqual(EXAMPLES.map(({ name }) => name));
});
