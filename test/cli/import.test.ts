// ctxrepo import as a process, beside a running server and without one.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { runProgram, type ServingProgram, serveProgram, startProgram } from "../helpers/program.ts";
import { type Client, createClient, makeTempDir } from "../helpers/start.ts";

let server: ServingProgram;
let client: Client;
let root: string;
let dataDir: string;
let vault: string;
let counter = 0;
let user: string;

beforeAll(async () => {
  root = realpathSync(makeTempDir());
  dataDir = join(root, "data");
  server = await serveProgram(dataDir);
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(root, { recursive: true, force: true });
});
beforeEach(async () => {
  user = `user${++counter}@example.org`;
  vault = join(root, `vault${counter}`);
  mkdirSync(vault);
  const { stdout } = await runProgram(["keys", "create", "--user", user, "--data-dir", dataDir]);
  client = createClient(server.url, stdout.trim());
});

const write = (name: string, text: string | Uint8Array) => {
  const path = join(vault, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
async function importVault(...args: string[]) {
  const all = ["import", vault, "--json", "--user", user, "--data-dir", dataDir, ...args];
  const { code, stdout, stderr } = await runProgram(all);
  const outcomes: { path: string; status: string; id?: string; reason?: string }[] = JSON.parse(
    stdout || "[]",
  );
  const status = Object.fromEntries(
    outcomes.map((one) => [one.path.slice(vault.length + 1), one.status] as const),
  );
  return { code, stderr, outcomes, status };
}
const listed = async (kind = "documents") =>
  (await client("GET", `/v1/${kind}?includeMetadata=true&limit=100`)).body.data;
const documentOf = async (id: string | undefined) => (await client("GET", `/v1/documents/${id}`)).body.data;

describe("what a file becomes", () => {
  const FILES: [text: string, name: string, expected: Record<string, unknown>][] = [
    ["# First\n\ntext\n", "first.md", { title: "First", content: "# First\n\ntext\n", metadata: {} }],
    ["text without a heading", "My note.md", { title: "My note", content: "text without a heading" }],
    ["```\n# not a heading\n```\n\nSetext\n===\n", "setext.markdown", { title: "Setext" }],
    ["plain\n# text", "plain.txt", { title: "plain", content: "plain\n# text" }],
    ["", "empty.md", { title: "empty", content: "" }],
    [
      "\ufeff# With a mark\r\n\r\nand CRLF",
      "mark.mdx",
      { title: "With a mark", content: "# With a mark\r\n\r\nand CRLF" },
    ],
    ["a\0b", "nul.md", { content: "a\0b" }],
    [
      '---\ntitle: "A: b"\ntags: [x, "#y", x]\nauthor: Ada\nwhen: 2024-01-02\ndeep: {a: [1, null, 🫖]}\n---\n# Other\n',
      "members.md",
      {
        title: "A: b",
        tags: ["x", "y"],
        content: "# Other\n",
        metadata: { author: "Ada", when: "2024-01-02", deep: { a: [1, null, "🫖"] } },
      },
    ],
    ["---\ntags: one, two\n---\n", "comma.md", { title: "comma", tags: ["one", "two"], content: "" }],
    [
      "---\n{{broken}}: [\n---\ntext",
      "broken.md",
      { title: "broken", content: "---\n{{broken}}: [\n---\ntext" },
    ],
    ["---\n\na rule\n---\n", "rule.md", { content: "---\n\na rule\n---\n" }],
    ["[[Wiki link]] and [a](../b.md)", "links.md", { content: "[[Wiki link]] and [a](../b.md)" }],
  ];
  const byName: Record<string, Awaited<ReturnType<typeof documentOf>>> = {};

  test("all these files are created in one run", async () => {
    for (const [text, name] of FILES) write(name, text);
    const { code, outcomes } = await importVault();
    expect([code, new Set(outcomes.map(({ status }) => status))]).toEqual([0, new Set(["created"])]);
    for (const { path, id } of outcomes) byName[basename(path)] = { ...(await documentOf(id)), path };
    expect(Object.keys(byName)).toHaveLength(FILES.length);
  });

  test.each(FILES)("%j as %s", (_text, name, expected) => {
    const { metadata, path, ...document } = byName[name];
    const { importPath, importHash, importState, ...others } = metadata;
    expect(importPath).toBe(path);
    expect(importHash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(importState).toBeString();
    expect({ ...document, metadata: others }).toMatchObject({ sourceType: "import", ...expected });
  });

  test("an HTML page becomes Markdown, with the page beside it", async () => {
    const page = "<title>Tea</title><h1>Tea</h1><p>The <b>kettle</b> whistles.</p>";
    write("tea.html", page);
    const { outcomes } = await importVault();
    expect(await documentOf(outcomes[0]?.id)).toMatchObject({
      title: "Tea",
      content: expect.stringContaining("The **kettle** whistles."),
      rawHtml: page,
    });
  });

  test("type: prompt makes a prompt", async () => {
    write(
      "review.md",
      `---\ntype: prompt\ntitle: Review\ndescription: reviews\nvariables: [diff]\nparameters: {temperature: 0.5}\nteam: a\n---\nReview \${diff}`,
    );
    const { outcomes } = await importVault();
    expect((await client("GET", `/v1/prompts/${outcomes[0]?.id}`)).body.data).toMatchObject({
      title: "Review",
      description: "reviews",
      content: `Review \${diff}`,
      variables: [{ name: "diff", type: "string" }],
      parameters: { temperature: 0.5 },
      metadata: { team: "a" },
    });
    expect((await importVault()).status).toEqual({ "review.md": "unchanged" });
  });

  test("files that are not text, too large or unreadable fail alone, and the command exits with 1", async () => {
    write("good.md", "good");
    write("latin.md", new Uint8Array([0xe4, 0x20, 0xff]));
    write("large.md", "x".repeat(6 * 1024 * 1024));
    write("secret.md", "secret");
    chmodSync(join(vault, "secret.md"), 0);
    const { code, status, outcomes } = await importVault();
    const readable = process.getuid?.() === 0 ? "created" : "failed";
    expect(status).toEqual({
      "good.md": "created",
      "latin.md": "failed",
      "large.md": "failed",
      "secret.md": readable,
    });
    expect(code).toBe(1);
    expect(outcomes.find(({ path }) => path.endsWith("latin.md"))?.reason).toBe("is not UTF-8 text");
  });
});

test("hidden names, node_modules, ignored names and links are left out", async () => {
  const outside = join(root, `outside${counter}.md`);
  writeFileSync(outside, "outside");
  write(".gitignore", "drafts/\n*.tmp.md\n!keep.tmp.md\n");
  write("a.md", "a");
  write("keep.tmp.md", "kept");
  write("b.tmp.md", "b");
  write("drafts/c.md", "c");
  write("sub/.gitignore", "*.md\n!d.md\n");
  write("sub/d.md", "d");
  write("sub/e.md", "e");
  write(".hidden/f.md", "f");
  write("node_modules/g/README.md", "g");
  write("picture.png", "p");
  symlinkSync(outside, join(vault, "out.md"));
  symlinkSync(join(vault, "a.md"), join(vault, "in.md"));
  symlinkSync(vault, join(vault, "loop"));
  const { code, status } = await importVault();
  expect(status).toEqual({
    "a.md": "created",
    "keep.tmp.md": "created",
    "sub/d.md": "created",
    "picture.png": "skipped",
    loop: "skipped",
    "out.md": "skipped",
    "in.md": "skipped",
  });
  expect(code).toBe(0);
});

describe("the same path is the same record", () => {
  test("a second run changes nothing, a changed file is a new revision, and only that", async () => {
    write("a.md", "# A\n\none");
    write("b.md", "b");
    const first = await importVault();
    expect((await importVault()).status).toEqual({ "a.md": "unchanged", "b.md": "unchanged" });
    write("a.md", "# A\n\ntwo");
    const { status, outcomes } = await importVault();
    expect(status).toEqual({ "a.md": "updated", "b.md": "unchanged" });
    const id = first.outcomes.find(({ path }) => path.endsWith("a.md"))?.id;
    expect(outcomes.find(({ path }) => path.endsWith("a.md"))?.id).toBe(id);
    expect(await documentOf(id)).toMatchObject({ content: "# A\n\ntwo", revision: 1 });
    expect(await listed()).toHaveLength(2);
  });

  test("an edit in the store is a conflict when the file changes too, until --force", async () => {
    write("a.md", "one");
    const id = (await importVault()).outcomes[0]?.id;
    await client("PATCH", `/v1/documents/${id}`, { content: "edited" });
    expect((await importVault()).status).toEqual({ "a.md": "unchanged" });
    write("a.md", "two");
    const { code, status, stderr } = await importVault();
    expect([code, status]).toEqual([1, { "a.md": "conflict" }]);
    expect(stderr).toContain("ctxrepo: 1 conflict (--force overwrites edits made in the store)\n");
    expect((await documentOf(id)).content).toBe("edited");
    const forced = await importVault("--force");
    expect([forced.code, forced.status]).toEqual([0, { "a.md": "updated" }]);
    expect((await documentOf(id)).content).toBe("two");
  });

  test.each([
    ["title", { title: "renamed" }],
    ["tags", { tags: ["mine"] }],
    ["metadata", { metadata: { mine: true } }],
  ])("an edit of the %s in the store is a conflict, too", async (_name, change) => {
    write("a.md", "one");
    const id = (await importVault()).outcomes[0]?.id;
    const { metadata } = await documentOf(id);
    const merged = "metadata" in change ? { metadata: { ...metadata, ...change.metadata } } : change;
    await client("PATCH", `/v1/documents/${id}`, merged);
    write("a.md", "two");
    expect((await importVault()).status).toEqual({ "a.md": "conflict" });
  });

  test("the same edit on both sides is no conflict", async () => {
    write("a.md", "one");
    const id = (await importVault()).outcomes[0]?.id;
    await client("PATCH", `/v1/documents/${id}`, { content: "two" });
    write("a.md", "two");
    const { code, status } = await importVault();
    expect([code, status]).toEqual([0, { "a.md": "unchanged" }]);
  });

  test("a record that was deleted in the store is created again when its file changes", async () => {
    write("a.md", "one");
    const id = (await importVault()).outcomes[0]?.id;
    await client("DELETE", `/v1/documents/${id}`);
    expect((await importVault()).status).toEqual({ "a.md": "created" });
  });
});

describe("--prune", () => {
  test("deletes the records of files that are gone, and nothing else", async () => {
    await client("POST", "/v1/documents", { title: "written by hand", content: "x" });
    write("a.md", "a");
    write("sub/b.md", "b");
    write("c.md", "c");
    await importVault();
    rmSync(join(vault, "c.md"));
    rmSync(join(vault, "sub"), { recursive: true });
    expect((await importVault()).status).toEqual({ "a.md": "unchanged" });
    expect(await listed()).toHaveLength(4);
    const dry = await importVault("--prune", "--dry-run");
    expect(dry.status).toEqual({ "a.md": "unchanged", "c.md": "pruned", "sub/b.md": "pruned" });
    expect(await listed()).toHaveLength(4);
    const { code, status } = await importVault("--prune");
    expect([code, status]).toEqual([0, dry.status]);
    expect((await listed()).map(({ title }: { title: string }) => title).sort()).toEqual([
      "a",
      "written by hand",
    ]);
  });

  test("a folder that is missing is a failure and no reason to delete; an edited record is kept", async () => {
    write("a.md", "a");
    const id = (await importVault()).outcomes[0]?.id;
    renameSync(vault, `${vault}-away`);
    const missing = await importVault("--prune");
    expect([missing.code, missing.outcomes.map(({ status }) => status)]).toEqual([1, ["failed"]]);
    expect(await listed()).toHaveLength(1);
    renameSync(`${vault}-away`, vault);
    await client("PATCH", `/v1/documents/${id}`, { content: "edited" });
    rmSync(join(vault, "a.md"));
    expect((await importVault("--prune")).status).toEqual({ "a.md": "conflict" });
    expect((await importVault("--prune", "--force")).status).toEqual({ "a.md": "pruned" });
  });
});

test("--tag and --collection apply to every record; --dry-run writes nothing", async () => {
  write("a.md", "---\ntags: own\n---\na");
  write("p.md", "---\ntype: prompt\n---\np");
  const dry = await importVault("--dry-run", "--collection", "Vault");
  expect(dry.status).toEqual({ "a.md": "created", "p.md": "created" });
  expect([await listed(), await listed("prompts"), await listed("collections")]).toEqual([[], [], []]);
  await importVault("--tag", "one", "--tag", "two", "--collection", "Vault");
  await importVault("--collection", "Vault");
  expect((await listed())[0].tags).toEqual(["own", "one", "two"]);
  const [collection, ...others] = await listed("collections");
  expect([collection.name, collection.itemCount, others]).toEqual(["Vault", 2, []]);
});

test("wrong usage exits with 2 and writes nothing", async () => {
  for (const args of [[], ["--tag", "a,b", "."], ["--collection", " ", "."], ["--unknown", "."]]) {
    const { code } = await runProgram(["import", "--data-dir", join(root, "none"), ...args]);
    expect([args, code]).toEqual([args, 2]);
  }
});

test("an empty path is not the current folder", async () => {
  const { code, stdout } = await runProgram(["import", "", "--json", "--user", user, "--data-dir", dataDir]);
  expect(JSON.parse(stdout)).toEqual([{ path: "", status: "failed", reason: "does not exist" }]);
  expect(code).toBe(1);
});

test("a document that becomes a prompt is created once, and both are pruned with the file", async () => {
  write("a.md", "text");
  expect((await importVault()).status).toEqual({ "a.md": "created" });
  write("a.md", "---\ntype: prompt\n---\ntext");
  expect((await importVault()).status).toEqual({ "a.md": "created" });
  expect((await importVault()).status).toEqual({ "a.md": "unchanged" });
  write("a.md", "---\ntype: prompt\n---\nother");
  expect((await importVault()).status).toEqual({ "a.md": "updated" });
  expect([await listed(), await listed("prompts")].map((rows) => rows.length)).toEqual([1, 1]);
  rmSync(join(vault, "a.md"));
  expect((await importVault("--prune")).outcomes.map(({ status }) => status)).toEqual(["pruned", "pruned"]);
  expect([await listed(), await listed("prompts")]).toEqual([[], []]);
});

test("Ctrl-C ends an import that only waits for its index", async () => {
  const own = join(root, "interrupted");
  const paragraph =
    "The kettle whistles when the water boils, and the cat leaves the kitchen at once. ".repeat(8);
  for (let file = 0; file < 40; file++) {
    write(`${file}.md`, `# ${file}\n\n${`${paragraph}\n\n`.repeat(400)}`);
  }
  const importing = startProgram(["import", vault, "--data-dir", own]);
  const stored = async () => {
    const { code, stdout } = await runProgram(["list", "documents", "--json", "--data-dir", own]);
    return code === 0 ? JSON.parse(stdout).length : 0;
  };
  while ((await stored()) < 40);
  importing.kill("SIGINT");
  const { code, stderr } = await importing.finished;
  expect(code).toBe(1);
  expect(stderr).toContain("40 created");
  expect(stderr).toContain("interrupted");
  // The index is left to the next process.
  const store = new Database(join(own, "ctxrepo.db"), { readonly: true });
  const open = store.query("SELECT count(*) AS count FROM jobs").get() as { count: number };
  store.close();
  expect(open.count).toBeGreaterThan(0);
}, 60_000);

test("without a server it stores and indexes by itself, and titles cannot control the terminal", async () => {
  const own = join(root, "own");
  write("a.md", "# \u001b[31mred\u0007\n\nThe kettle whistles when the water boils.");
  write("bad\u001b[2J.md", new Uint8Array([0xff]));
  const { code, stderr } = await runProgram(["import", vault, "--data-dir", own]);
  expect(code).toBe(1);
  expect(stderr).not.toContain("\u001b");
  expect(stderr).toContain("1 created, 1 failed");
  expect(stderr).toEndWith("ctxrepo: 1 file failed\n");
  const found = await runProgram(["search", "whistling kettle", "--json", "--data-dir", own]);
  expect(JSON.parse(found.stdout).documents).toHaveLength(1);
});

test("--watch imports saves, replaced files, deletions and folders that return", async () => {
  write("a.md", "one");
  const args = ["import", vault, "--watch", "--prune", "--user", user, "--data-dir", dataDir];
  const watching = startProgram(args);
  const contents = async () => {
    const rows = await listed();
    const texts = await Promise.all(
      rows.map(async ({ id }: { id: string }) => (await documentOf(id)).content),
    );
    return texts.sort();
  };
  const until = async (expected: string[]) => {
    const deadline = performance.now() + 30_000;
    while (performance.now() < deadline) {
      if (JSON.stringify(await contents()) === JSON.stringify(expected)) return;
      await Bun.sleep(50);
    }
    expect(await contents()).toEqual(expected);
  };
  await until(["one"]);
  write("a.md", "two");
  await until(["two"]);
  write("a.md.swp", "three");
  renameSync(join(vault, "a.md.swp"), join(vault, "a.md"));
  write("sub/b.md", "four");
  await until(["four", "three"]);
  rmSync(join(vault, "a.md"));
  await until(["four"]);
  renameSync(vault, `${vault}-away`);
  write("sub/b.md", "five");
  await until(["five"]);
  rmSync(vault, { recursive: true });
  await Bun.sleep(300);
  expect(await contents()).toEqual(["five"]);
  watching.kill("SIGINT");
  const { code, stderr } = await watching.finished;
  // The folder that was missing for a while is reported as a failure.
  expect([code, stderr]).toEqual([1, expect.stringContaining("2 created, 3 updated, 1 pruned")]);
}, 60_000);
