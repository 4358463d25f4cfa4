// ctxrepo search, get and list: on a terminal and in a pipe, as JSON, with hostile texts, with and without a server.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { LOCAL_OWNER } from "../../src/auth/users.ts";
import { openClient } from "../../src/cli/client.ts";
import { commandOf, MAIN, plainEnvironment } from "../helpers/processes.ts";
import {
  runOnTerminal,
  runProgram,
  type ServingProgram,
  serveProgram,
  untilIndexed,
} from "../helpers/program.ts";
import { createClient, createWith, makeTempDir } from "../helpers/start.ts";
import { runHere } from "./usage.ts";

/** Sets the title of the window, clears the screen, reverses the direction of the text, and uses 8-bit controls. */
const HOSTILE = "\u001b]0;owned\u0007\u001b[2J\u202e\u009b31mred";
const NOTES = 130;

let root: string;
let dir: string;
let server: ServingProgram;
let documentId: string;
let promptId: string;
let collectionId: string;

beforeAll(async () => {
  root = makeTempDir();
  dir = join(root, "data");
  const { stdout } = await runProgram(["keys", "create", "--data-dir", dir]);
  server = await serveProgram(dir);
  const client = createClient(server.url, stdout.trim());
  const create = createWith(client);
  const note = (i: number) => create("/v1/documents", { title: `Note ${i}`, content: "", tags: ["many"] });
  await Promise.all(Array.from({ length: NOTES }, (_, i) => note(i)));
  const content = `# Tea\n\nThe kettle whistles when the water boils. ${HOSTILE}`;
  documentId = await create("/v1/documents", { title: `Kitchen ${HOSTILE}`, content, tags: ["home"] });
  await client("PATCH", `/v1/documents/${documentId}`, { content: `${content}\n\nSecond.` });
  promptId = await create("/v1/prompts", {
    title: "Explain",
    description: "a noise",
    content: "Explain $1.",
  });
  collectionId = await create("/v1/collections", { name: "Home" });
  await client("POST", `/v1/collections/${collectionId}/items`, {
    itemType: "document",
    itemIds: [documentId],
  });
  await untilIndexed(server.url);
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(root, { recursive: true, force: true });
});

const run = (...args: string[]) => runProgram([...args, "--data-dir", dir]);
const onTerminal = (args: string[], environment: Record<string, string> = {}) =>
  runOnTerminal([...args, "--data-dir", dir], environment);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);

describe("search", () => {
  test("numbers the results and shows where they match", async () => {
    const { code, stdout } = await run("search", "when does the kettle whistle?", "--type", "documents");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Documents\n {1}1\. Kitchen red\n {4}The kettle whistles when the water boils\./);
    expect(stdout).toContain(documentId);
  });

  test("--json is the API's data; --literal, --tag, --limit and --threshold are passed on", async () => {
    const found = await json("search", "KETTLE whistles", "--literal", "--tag", "home", "--limit", "1");
    expect(Object.keys(found)).toEqual(["documents", "prompts", "collections"]);
    expect(found.documents).toMatchObject([{ id: documentId, title: `Kitchen ${HOSTILE}` }]);
    expect((await json("search", "kettle", "--tag", "none")).documents).toEqual([]);
    expect((await json("search", "kettle", "--threshold", "1")).documents).toEqual([]);
  });

  test("words need no quotes, and a type may be in the singular", async () => {
    const found = await json("search", "when", "does", "the", "kettle", "whistle", "--type", "document");
    expect(found.documents).toMatchObject([{ id: documentId }]);
    expect(found.prompts).toEqual([]);
    expect((await run("list", "collection")).stdout).toContain(collectionId);
  });

  test("nothing found is a message, and the exit code is 0", async () => {
    const { code, stdout, stderr } = await run("search", "zzzz", "--literal");
    expect([code, stdout, stderr]).toEqual([0, "", "nothing found\n"]);
  });

  test("marks the words on a terminal, unless NO_COLOR is set, and fits into 80 columns", async () => {
    const marked = await onTerminal(["search", "kettle whistle"]);
    expect(marked.screen).toContain("The \u001b[33mkettle\u001b[39m \u001b[33mwhistles\u001b[39m when");
    const plain = await onTerminal(["search", "kettle whistle"], { NO_COLOR: "1" });
    expect(plain.screen).not.toContain("\u001b");
    expect(Math.max(...plain.screen.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe("get", () => {
  test.each([
    ["document", () => documentId, /^# Tea\n\nThe kettle whistles when the water boils\. red\n\nSecond\.\n$/],
    ["prompt", () => promptId, /^Explain \$1\.\n$/],
    ["collection", () => collectionId, /^\w{27} {2}document {2}Kitchen red\n$/],
  ])("shows a %s: its text on stdout, what describes it on stderr", async (kind, id, text) => {
    const { code, stdout, stderr } = await run("get", id());
    expect(code).toBe(0);
    expect(stdout).toMatch(text);
    expect(stderr).toContain(`${kind} ${id()}`);
    expect((await json("get", id())).id).toBe(id());
  });

  test("shows a paragraph", async () => {
    const [{ chunkId }] = (await json("ask", "When does the kettle whistle?")).citations;
    const { stdout, stderr } = await run("get", chunkId);
    expect(stdout).toStartWith("The kettle whistles");
    expect(stderr).toContain(`paragraph ${chunkId}, document ${documentId}`);
  });

  test("--version shows an earlier version", async () => {
    expect((await run("get", documentId, "--version", "0")).stdout).toEndWith("boils. red\n");
    expect((await run("get", documentId, "--version", "0")).stderr).toContain(
      `document ${documentId}, version 0`,
    );
    expect(await json("get", promptId, "--version", "1")).toMatchObject({ version: 1 });
    const missing = await run("get", documentId, "--version", "7");
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("version 7")]);
    expect((await run("get", collectionId, "--version", "1")).code).toBe(2);
  });

  test("hostile text does not reach the terminal, and is escaped in JSON", async () => {
    const { screen } = await onTerminal(["get", documentId], { NO_COLOR: "1" });
    expect(screen).toMatch(/^[\n -~]+$/);
    expect(screen).toStartWith("Kitchen red\ndocument ");
    const { stdout } = await run("get", documentId, "--json");
    expect(stdout).toMatch(/^[\n -~]+$/);
    expect(JSON.parse(stdout).title).toBe(`Kitchen ${HOSTILE}`);
  });

  test("an unknown id fails, another user's record too", async () => {
    expect((await run("get", "0".repeat(27))).code).toBe(1);
    await run("keys", "create", "--user", "ada@example.org");
    const { code, stderr } = await run("get", documentId, "--user", "ada@example.org");
    expect([code, stderr]).toEqual([1, expect.stringContaining("not found")]);
  });
});

describe("list", () => {
  test("walks all pages: lines in a pipe, the API's items as JSON", async () => {
    const lines = (await run("list", "documents")).stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^\w{27}\t\d{4}-\d\d-\d\dT[\d:.]+Z\tKitchen red$/);
    expect(new Set(lines.map((line) => line.slice(0, 27))).size).toBe(NOTES + 1);
    const items = await json("list", "documents", "--tag", "many");
    expect(items.map(({ title }: { title: string }) => title)).toHaveLength(NOTES);
    expect(await json("list", "prompts")).toMatchObject([{ id: promptId, title: "Explain" }]);
    expect(await json("list", "collections")).toMatchObject([{ id: collectionId, itemCount: 1 }]);
    expect(await json("list", "prompts", "--tag", "none")).toEqual([]);
    expect(await json("list", "documents", "--limit", "3")).toHaveLength(3);
  });

  test("long output goes through $PAGER on a terminal, and the command ends when that is closed", async () => {
    const { code, screen } = await onTerminal(["list", "documents"], {
      PAGER: "sed -e 's/^/PAGED /' -e 2q",
      NO_COLOR: "1",
    });
    expect(code).toBe(0);
    expect(screen).toMatch(/^PAGED .*TITLE.*\nPAGED \w{27} {2}[\d-]{10} {2}Kitchen red\n$/);
    const short = await onTerminal(["list", "prompts"], { PAGER: "sed 's/^/PAGED /'", NO_COLOR: "1" });
    expect(short.screen).toStartWith("ID ");
  });

  test("output that cannot be written is a failure", () => {
    const program = commandOf(MAIN)
      .map((part) => `'${part}'`)
      .join(" ");
    for (const command of [
      "list prompts",
      "list prompts --json",
      "search explain",
      "search explain --json",
    ]) {
      const shell = `${program} ${command} --data-dir '${dir}' > /dev/full`;
      const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", shell], {
        env: plainEnvironment(root),
      });
      expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining("cannot be written")]);
    }
  });

  test("a reader that stops early is no failure", async () => {
    const program = commandOf(MAIN)
      .map((part) => `'${part}'`)
      .join(" ");
    const shell = `${program} list documents --json --data-dir '${dir}' | head -c 10; echo " \${PIPESTATUS[0]}"`;
    const { stdout, stderr } = Bun.spawnSync(["bash", "-c", shell], {
      env: plainEnvironment(root),
    });
    expect([stdout.toString(), stderr.toString()]).toEqual(["[\n  {\n     0\n", ""]);
  });
});

test.each([
  [["search"]],
  [["search", " "]],
  [["search", "a", "--type", "users"]],
  [["search", "a", "--limit", "51"]],
  [["search", "a", "--threshold", "2"]],
  [["search", "a", "--threshold", "-1"]],
  [["search", "a", "--user", "bob"]],
  [["get", "0".repeat(27), "--version", "x"]],
  [["list", "users"]],
  [["list", "documents", "--limit", "0"]],
])("%j is wrong usage", async (args) => {
  expect((await runHere([...args, "--data-dir", dir])).code).toBe(2);
});

test("a word that begins with - needs --", async () => {
  const { code, stderr } = await runHere(["search", "-kettle", "--data-dir", dir]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("write -- before words that begin with -")]);
});

test("without a server the commands print the same", async () => {
  const commands = [
    ["search", "kettle", "--json"],
    ["get", documentId],
    ["list", "documents"],
  ];
  const withServer = await Promise.all(commands.map((args) => run(...args)));
  await server.kill("SIGTERM");
  for (const [index, args] of commands.entries()) expect(await run(...args)).toEqual(withServer[index]!);
  const missing = await runProgram(["list", "documents", "--data-dir", join(root, "none")]);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("there is no database")]);
});

test("the client sends unusual tags and questions unchanged", async () => {
  const client = await openClient({ dataDir: dir, user: LOCAL_OWNER });
  const reply = await client.request("GET", "/v1/search", { query: { q: "a&b=c %20 +é", semantic: false } });
  expect(reply.body.meta.query).toBe("a&b=c %20 +é");
  await client.close();
});
