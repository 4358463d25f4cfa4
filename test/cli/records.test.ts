// The commands that change records, and the names that records have there: path, title, start of an id.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { commandOf, MAIN, plainEnvironment } from "../helpers/processes.ts";
import { runProgram, type ServingProgram, serveProgram } from "../helpers/program.ts";
import { createClient, createWith, makeTempDir } from "../helpers/start.ts";

let root: string;
let dir: string;
let server: ServingProgram;
let key: string;
let client: ReturnType<typeof createClient>;
let create: ReturnType<typeof createWith>;

beforeAll(async () => {
  root = makeTempDir();
  dir = join(root, "data");
  const { stdout } = await runProgram(["keys", "create", "--data-dir", dir]);
  server = await serveProgram(dir);
  key = stdout.trim();
  client = createClient(server.url, key);
  create = createWith(client);
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(root, { recursive: true, force: true });
});

const run = (...args: string[]) => runProgram([...args, "--data-dir", dir]);
const contentOf = async (id: string) => (await client("GET", `/v1/documents/${id}`)).body.data.content;
/** An editor that writes this text into the file. */
const editorOf = (text: string) => {
  const path = join(root, `editor-${crypto.randomUUID()}.sh`);
  writeFileSync(path, `printf '%s' '${text}' > "$1"\n`);
  return { EDITOR: `sh ${path}`, VISUAL: "" };
};

describe("a record is found by", () => {
  let id: string;
  let file: string;
  beforeAll(async () => {
    mkdirSync(join(root, "notes", "trips"), { recursive: true });
    file = join(root, "notes", "trips", "Lisbon plan.md");
    writeFileSync(file, "# Lisbon in May\n\nThe tram starts at noon.\n");
    const imported = await run("import", join(root, "notes"), "--json");
    id = JSON.parse(imported.stdout)[0].id;
    await create("/v1/documents", { title: "Twin", content: "one" });
    await create("/v1/documents", { title: "twin", content: "two" });
  });

  test("its id, the start of its id, its path, the end of its path, and its title in any case", async () => {
    const names = [id, id.slice(0, 24), file, "trips/Lisbon plan.md", "lisbon plan", "LISBON in may"];
    for (const name of names) {
      const { code, stdout } = await run("get", name);
      expect([name, code, stdout]).toEqual([name, 0, expect.stringContaining("The tram starts at noon.")]);
    }
  });

  test("a name of several records is wrong usage that lists them", async () => {
    const { code, stderr } = await run("get", "twin");
    expect(code).toBe(2);
    expect(stderr).toContain('"twin" names more than one');
    expect(stderr.match(/ {2}document {2}[Tt]win/g)).toHaveLength(2);
  });

  test("an unknown name is wrong usage that lists similar ones", async () => {
    const { code, stderr } = await run("get", "lisbon");
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${id}  document  `)]);
    expect((await run("ask", "when?", "--collection", "nope")).code).toBe(2);
    expect((await run("search", "tram", "--collection", "nope")).code).toBe(2);
  });

  test("no other user", async () => {
    expect((await run("get", "LISBON in may", "--user", "other@example.org")).code).not.toBe(0);
    const named = await runProgram(["keys", "create", "--user", "other@example.org", "--data-dir", dir]);
    const other = createClient(server.url, named.stdout.trim());
    const reply = await other("GET", `/console/api/named?name=${id}`);
    expect([reply.status, reply.body.data]).toEqual([200, { matches: [], similar: [] }]);
  });

  test("a collection's name in search and ask", async () => {
    const collection = await create("/v1/collections", { name: "Journeys" });
    const found = () => run("search", "tram", "--literal", "--collection", "journeys", "--json");
    expect(JSON.parse((await found()).stdout).documents).toEqual([]);
    await client("POST", `/v1/collections/${collection}/items`, { itemType: "document", itemIds: [id] });
    expect(JSON.parse((await found()).stdout).documents).toMatchObject([{ id }]);
  });
});

describe("add", () => {
  test("stores stdin with title, tags and collection, and prints the id", async () => {
    const command = `printf 'Buy milk.\\n' | "$0" "$@"`;
    const args = ["add", "--title", "Errand", "--tag", "home", "--collection", "Chores", "--data-dir", dir];
    const child = Bun.spawn(["sh", "-c", command, ...commandOf(MAIN, ...args)], {
      env: plainEnvironment(),
      stdout: "pipe",
      stderr: "ignore",
    });
    const id = (await new Response(child.stdout).text()).trim();
    const { data } = (await client("GET", `/v1/documents/${id}`)).body;
    expect(data).toMatchObject({ title: "Errand", content: "Buy milk.\n", tags: ["home"] });
    expect((await run("get", "Chores")).stdout).toContain(id);
  });

  test("takes the title from a heading, else from the name of the file", async () => {
    writeFileSync(join(root, "plain.txt"), "No heading.");
    writeFileSync(join(root, "headed.md"), "# The heading\n\ntext");
    for (const [name, title] of [
      ["plain.txt", "plain"],
      ["headed.md", "The heading"],
    ]) {
      expect(JSON.parse((await run("add", join(root, name!), "--json")).stdout).title).toBe(title);
    }
  });

  test("an empty text is wrong usage, and a missing file is a failure with its path", async () => {
    writeFileSync(join(root, "empty.md"), " \n");
    expect((await run("add", join(root, "empty.md"))).code).toBe(2);
    const missing = await run("add", join(root, "none.md"));
    expect([missing.code, missing.stderr]).toEqual([
      1,
      `ctxrepo: ${join(root, "none.md")}: no such file or directory\n`,
    ]);
  });
});

describe("edit", () => {
  test("stores what the editor wrote as a new version", async () => {
    const id = await create("/v1/documents", { title: "Draft", content: "old" });
    const { code } = await runProgram(["edit", "draft", "--data-dir", dir], editorOf("new text"));
    expect([code, await contentOf(id)]).toEqual([0, "new text"]);
    expect((await run("history", id, "--diff")).stdout).toMatch(
      /version 1 [\s\S]*- old\n {2}\+ new text\nversion 0/,
    );
  });

  test("starts the editor without variables that change the runtime of this program", async () => {
    const id = await create("/v1/documents", { title: "Environment", content: "old" });
    const EDITOR = `env > "$1" #`;
    const runtime = { BUN_OPTIONS: "--smol", KEPT: "yes" };
    expect((await runProgram(["edit", id, "--data-dir", dir], { EDITOR, VISUAL: "", ...runtime })).code).toBe(
      0,
    );
    const written = await contentOf(id);
    expect(written).toContain("KEPT=yes");
    expect(written).not.toContain("BUN_OPTIONS");
  });

  test("stores nothing if the editor changes nothing or fails", async () => {
    const id = await create("/v1/documents", { title: "Kept", content: "same" });
    expect((await runProgram(["edit", id, "--data-dir", dir], editorOf("same"))).stderr).toContain(
      "nothing was changed",
    );
    const failing = await runProgram(["edit", id, "--data-dir", dir], { EDITOR: "false", VISUAL: "" });
    expect([failing.code, failing.stderr]).toEqual([
      1,
      expect.stringContaining("the editor false ended with 1"),
    ]);
    expect((await client("GET", `/v1/documents/${id}`)).body.data.revision).toBe(0);
  });

  test("a change made meanwhile is shown, not overwritten, and the own text is kept", async () => {
    const id = await create("/v1/documents", { title: "Shared", content: "first" });
    const editor = editorOf("mine");
    // The editor also runs a program that changes the document.
    const headers = {
      Authorization: `API-Key ${key}`,
      "Content-Type": "application/json",
      "User-Agent": "test/1",
    };
    const init = JSON.stringify({ method: "PATCH", headers, body: '{"content":"theirs"}' });
    writeFileSync(join(root, "theirs.mjs"), `await fetch("${server.url}/v1/documents/${id}", ${init})`);
    appendFileSync(editor.EDITOR.slice(3), `"${process.execPath}" "${join(root, "theirs.mjs")}"\n`);
    const { code, stderr } = await runProgram(["edit", id, "--data-dir", dir], editor);
    expect([code, stderr]).toEqual([1, expect.stringContaining("- first\n+ theirs\n")]);
    expect(await contentOf(id)).toBe("theirs");
    const kept = /your text is in (\S+)/.exec(stderr)![1]!;
    expect(readFileSync(kept, "utf8")).toBe("mine");
    rmSync(join(kept, ".."), { recursive: true });
  });
});

test("mv, tag and archive change one member and keep the rest", async () => {
  const id = await create("/v1/documents", { title: "Before", content: "text", tags: ["a", "b"] });
  await run("mv", "before", "After the move");
  expect((await run("tag", id, "+c", "-a")).stdout).toBe("b\nc\n");
  expect((await run("tag", id)).stdout).toBe("b\nc\n");
  expect((await run("tag", id, "c")).code).toBe(2);
  await run("archive", id);
  const { data } = (await client("GET", `/v1/documents/${id}`)).body;
  expect(data).toMatchObject({
    title: "After the move",
    content: "text",
    tags: ["b", "c"],
    status: "archived",
  });
  const found = await run("search", "--literal", "After the move");
  expect(found.stdout).toContain("After the move (archived)");
  await run("archive", id, "--undo");
  expect((await client("GET", `/v1/documents/${id}`)).body.data.status).toBe("published");
});

test("rm deletes one record, and several only after a yes", async () => {
  const ids = [];
  for (const title of ["Gone 1", "Gone 2", "Gone 3"])
    ids.push(await create("/v1/documents", { title, content: "" }));
  expect((await run("rm", "gone 1")).code).toBe(0);
  const asked = await run("rm", "gone 2", "gone 3");
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("--yes")]);
  expect((await client("GET", `/v1/documents/${ids[1]}`)).status).toBe(200);
  expect((await run("rm", "gone 2", "gone 3", "--yes")).code).toBe(0);
  for (const id of ids) expect((await client("GET", `/v1/documents/${id}`)).status).toBe(404);
  // Nothing is deleted if one of the names is wrong.
  const left = await create("/v1/documents", { title: "Stays", content: "" });
  expect((await run("rm", "stays", "no such record", "--yes")).code).toBe(2);
  expect((await client("GET", `/v1/documents/${left}`)).status).toBe(200);
});

test("rm says that a file of the record is imported again", async () => {
  const file = join(root, "again.md");
  writeFileSync(file, "Once more.\n");
  await run("import", file);
  const { stderr } = await run("rm", file);
  expect(stderr).toBe(`deleted the document "again"; the next import of ${file} stores it again\n`);
});

describe("prompt", () => {
  let id: string;
  beforeAll(async () => {
    const content = "Review ${diff} with ${constructor} in mind.";
    id = await create("/v1/prompts", { title: "Review", description: "", content });
  });

  test("prints the text with the values of --var; @FILE is the text of a file", async () => {
    writeFileSync(join(root, "diff.txt"), "${diff} +1 -1\n");
    const given = ["--var", `diff=@${join(root, "diff.txt")}`, "--var", "constructor=speed=1"];
    expect((await run("prompt", "review", ...given)).stdout).toBe(
      "Review ${diff} +1 -1 with speed=1 in mind.\n",
    );
  });

  test("names missing and unknown variables", async () => {
    const missing = await run("prompt", id, "--var", "diff=x");
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('"constructor"')]);
    const unknown = await run("prompt", id, "--var", "diff=x", "--var", "constructor=y", "--var", "dif=z");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('does not have "dif"')]);
  });

  test("add, list, edit and history work on prompts", async () => {
    writeFileSync(join(root, "summary.md"), "Summarize ${text}.");
    const added = (
      await run("prompt", "add", join(root, "summary.md"), "--description", "Short")
    ).stdout.trim();
    expect((await run("prompt", "list")).stdout).toContain(`${added}\t`);
    await runProgram(["prompt", "edit", "summary", "--data-dir", dir], editorOf("Sum up."));
    expect((await run("prompt", "history", added)).stdout).toMatch(/^version 2 .*\nversion 1 /);
    const { body } = await client("GET", `/v1/prompts/${added}/versions`);
    const label = { label: "production", versionId: body.data.at(-1).id };
    await client("PUT", `/console/api/prompts/${added}/labels`, label);
    const labelled = await run("prompt", added, "--label", "production", "--var", "text=it");
    expect(labelled.stdout).toBe("Summarize it.\n");
    expect((await run("prompt", added)).stdout).toContain("Sum up.");
    expect((await run("prompt", added, "--label", "staging")).code).toBe(1);
    expect((await run("prompt", "edit", "shared")).code).toBe(2);
  });
});

test("refresh says which documents have no page", async () => {
  await create("/v1/documents", { title: "Handwritten", content: "" });
  const { code, stderr } = await run("refresh", "handwritten");
  expect([code, stderr]).toEqual([1, expect.stringContaining("is not scraped from a page")]);
  expect((await run("refresh")).code).toBe(2);
});

test("collection creates one, adds records and takes them out; refresh leaves out what is no page", async () => {
  const id = await create("/v1/documents", { title: "Handwritten page", content: "" });
  const prompt = await create("/v1/prompts", { title: "Handwriting", description: "", content: "Read." });
  const collectionId = (await run("collection", "create", "Mixed")).stdout.trim();
  const itemsOf = async () =>
    (await client("GET", `/v1/collections/${collectionId}/items`)).body.data.map(
      ({ itemId }: { itemId: string }) => itemId,
    );
  const added = await run("collection", "add", "mixed", "handwritten page", prompt);
  expect([added.code, added.stderr]).toEqual([0, expect.stringContaining('"Handwriting" is in "Mixed"')]);
  expect((await itemsOf()).sort()).toEqual([id, prompt].sort());
  expect(await run("refresh", "--collection", "mixed")).toMatchObject({ code: 0, stderr: "" });
  const kept = await run("rm", "mixed", "--yes");
  expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining("still has 2 items")]);
  expect((await run("collection", "add", "none", id)).code).toBe(2);
  expect((await run("collection", "remove", "mixed", id, prompt)).code).toBe(0);
  expect(await itemsOf()).toEqual([]);
  expect((await run("rm", "mixed", "--yes")).code).toBe(0);
});

describe("search and list select", () => {
  const titlesOf = (stdout: string) => JSON.parse(stdout).map(({ title }: { title: string }) => title);
  beforeAll(async () => {
    mkdirSync(join(root, "vault", "plans"), { recursive: true });
    writeFileSync(join(root, "vault", "plans", "Oslo.md"), "# Oslo\n\nThe ferry leaves at six.\n");
    writeFileSync(join(root, "vault", "Bergen.md"), "# Bergen\n\nThe ferry to the fjord.\n");
    await run("import", join(root, "vault"), "--collection", "Norway", "--wait");
  });
  const search = async (...args: string[]) =>
    titlesOf(JSON.stringify(JSON.parse((await run("search", "--json", ...args)).stdout).documents));

  test("by the operators of the query, quoted or as words", async () => {
    expect(await search("ferry", "path:plans")).toEqual(["Oslo"]);
    expect(await search('"the fjord"')).toEqual(["Bergen"]);
    expect(await search("--literal", "ferry -fjord in:norway")).toEqual(["Oslo"]);
  });

  test("by --path: part of a path, or a path from this folder", async () => {
    expect(await search("ferry", "--path", "plans")).toEqual(["Oslo"]);
    const plans = relative(process.cwd(), join(root, "vault", "plans"));
    const { stdout } = await run("list", "documents", "--path", plans, "--json");
    expect(titlesOf(stdout)).toEqual(["Oslo"]);
    expect((await run("search", "ferry", "--path", 'a"b')).code).toBe(2);
  });

  test("list by --collection", async () => {
    const { stdout } = await run("list", "documents", "--collection", "norway", "--json");
    expect(titlesOf(stdout).sort()).toEqual(["Bergen", "Oslo"]);
    expect((await run("list", "documents", "--collection", "nope")).code).toBe(2);
    expect((await run("list", "prompts", "--collection", "norway")).code).toBe(2);
  });

  test("ask by --path and --tag", async () => {
    const answer = async (...args: string[]) =>
      JSON.parse((await run("ask", "When does the ferry leave?", "--json", ...args)).stdout).citations.length;
    expect(await answer("--path", "plans")).toBeGreaterThan(0);
    expect(await answer("--path", "nowhere")).toBe(0);
    expect(await answer("--tag", "nothing")).toBe(0);
  });

  test("a day that cannot be read is searched as text, and said", async () => {
    const { code, stderr } = await run("search", "ferry after:yesterday");
    expect([code, stderr]).toEqual([0, expect.stringContaining("after:yesterday is searched as text")]);
  });
});
