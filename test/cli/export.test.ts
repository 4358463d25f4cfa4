// ctxrepo export and the import of what it wrote: into the same store, and into an empty one.

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runProgram, type ServingProgram, serveProgram } from "../helpers/program.ts";
import { type Client, createClient, makeTempDir } from "../helpers/start.ts";
import { walkPages } from "../helpers/walk.ts";

let server: ServingProgram;
let root: string;
let dataDir: string;
let ada: Client;
let folder: string;

const program = (...args: string[]) => runProgram([...args, "--data-dir", dataDir]);
async function clientFor(user: string): Promise<Client> {
  const { stdout } = await program("keys", "create", "--user", user);
  return createClient(server.url, stdout.trim());
}

function manyMembers(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, i]));
}
const nested = (depth: number): object => (depth === 0 ? {} : { in: nested(depth - 1) });

const DOCUMENTS: Record<string, unknown>[] = [
  {
    title: 'Quotes " and : colons',
    content: "# A\n\nb\n",
    tags: ["a: b", "🫖", "no"],
    metadata: { "1": "x", deep: [{ y: null }] },
  },
  { title: "a/b", content: "" },
  { title: "A/B", content: "no final newline" },
  { title: "a/b", content: "---\nfront: matter\n---\r\nCRLF\r\n\r\n" },
  { title: "x".repeat(200), content: "\ufeffwith a mark\0 and NUL", workspaceId: "w" },
  {
    title: "html",
    content: "c",
    contentHtml: "<p>c</p>",
    rawHtml: "<html>\r\n</html>",
    sourceUrl: "https://example.org/a?b#c",
  },
  { title: "long", content: `${"long text. ".repeat(250_000)}end` },
  { title: "empty metadata", content: " \n\n ", metadata: {} },
  // More than front matter may have.
  { title: "many members", content: "m", tags: ["t"], metadata: manyMembers(3_000), rawHtml: "<p>m</p>" },
  { title: "large members", content: "l", metadata: { text: "é: \n".repeat(40_000) } },
  { title: "deep members", content: "d", metadata: nested(50) },
];
const MANY_VARIABLES = Array.from({ length: 600 }, (_, i) => ({
  name: `v${i}`,
  type: "string",
  description: "",
}));
const PROMPT = {
  title: `Review \${diff}`,
  description: "two\nlines: and more",
  content: `Review \${diff}\n`,
  variables: [{ name: "diff", type: "string", description: "" }],
  parameters: { temperature: 0.1 },
  isPublic: true,
  tags: ["p"],
  metadata: { team: "a" },
};

beforeAll(async () => {
  root = makeTempDir();
  dataDir = join(root, "data");
  folder = join(root, "out");
  server = await serveProgram(dataDir);
  ada = await clientFor("ada@example.org");
  const post = async (path: string, body: object) => (await ada("POST", path, body)).body.data.id as string;
  const ids: string[] = [];
  for (const document of DOCUMENTS) ids.push(await post("/v1/documents", document));
  await ada("PATCH", `/v1/documents/${ids[1]}`, { status: "archived" });
  await ada("PATCH", `/v1/documents/${ids[2]}`, { content: "no final newline, second" });
  const prompt = await post("/v1/prompts", PROMPT);
  await post("/v1/prompts", { ...PROMPT, title: "many variables", variables: MANY_VARIABLES });
  const outer = await post("/v1/collections", { name: "Outer", color: "#abc", icon: "🍳", tags: ["c"] });
  const inner = await post("/v1/collections", {
    name: "Outer",
    description: "inside",
    parentCollectionId: outer,
  });
  const add = (id: string, itemType: string, ...itemIds: string[]) =>
    ada("POST", `/v1/collections/${id}/items`, { itemType, itemIds });
  await add(outer, "document", ids[3]!, ids[0]!);
  await add(outer, "prompt", prompt);
  await add(inner, "document", ids[0]!, ids[1]!);
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(root, { recursive: true, force: true });
});

/** Everything of a user that an export keeps, without ids and times. */
async function contentsOf(client: Client) {
  const dropped = [
    "id",
    "createdAt",
    "updatedAt",
    "lastChangedAt",
    "revision",
    "currentVersion",
    "stats",
    "source",
  ];
  const withoutMembers = (record: object, names: readonly string[]) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
  const without = (record: { metadata?: object }) => ({
    ...withoutMembers(record, dropped),
    metadata: withoutMembers(record.metadata ?? {}, [
      "importPath",
      "importRoot",
      "importHash",
      "importState",
      "importRules",
      "importNotes",
    ]),
  });
  const titles = new Map<string, string>();
  const read = async (kind: string, query = "") => {
    const rows = await walkPages(client, `/v1/${kind}?limit=100${query}`);
    const records = [];
    for (const { id } of rows) {
      const { data } = (await client("GET", `/v1/${kind}/${id}`)).body;
      titles.set(id, data.title ?? data.name);
      records.push({ id, ...data });
    }
    return records;
  };
  const documents = await read("documents", "&includeArchived=true");
  const prompts = await read("prompts");
  const collections = [];
  for (const { lastActivityAt, parentCollectionId, ...collection } of await read("collections")) {
    const items = await walkPages(client, `/v1/collections/${collection.id}/items?limit=100`);
    const parent = parentCollectionId && titles.get(parentCollectionId);
    collections.push({ ...without(collection), parent, items: items.map(({ title }) => title) });
  }
  const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort();
  return {
    documents: sorted(documents.map(without)),
    prompts: sorted(prompts.map(without)),
    collections: sorted(collections),
  };
}

test("records are written as Markdown with front matter, with safe and unique names", async () => {
  const { code, stdout, stderr } = await program(
    "export",
    folder,
    "--user",
    "ada@example.org",
    "--versions",
    "--json",
  );
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { folder, documents: DOCUMENTS.length, prompts: 2, collections: 2 },
  ]);
  expect(stderr).toContain("11 documents, 2 prompts and 2 collections");
  expect(readdirSync(folder).sort()).toEqual([
    "collections.json",
    "documents",
    "front-matter",
    "html",
    "prompts",
    "versions",
  ]);
  const names = readdirSync(join(folder, "documents"));
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(DOCUMENTS.length);
  const quotes = names.find((name) => name.startsWith("Quotes"))!;
  const text = readFileSync(join(folder, "documents", quotes), "utf8");
  expect(text).toMatch(/^---\nctxrepo: 1\nid: \w{27}\ntitle: 'Quotes " and : colons'\n/);
  expect(text).toEndWith("\n---\n# A\n\nb\n");
  const versions = readdirSync(join(folder, "versions/documents"));
  const edited = versions.find((name) => readdirSync(join(folder, "versions/documents", name)).length === 2)!;
  expect(readFileSync(join(folder, "versions/documents", edited, "00000.md"), "utf8")).toEndWith(
    "no final newline",
  );
});

test("import into the same store changes nothing", async () => {
  const before = await contentsOf(ada);
  const { code, stdout } = await program("import", folder, "--user", "ada@example.org", "--json");
  const statuses = JSON.parse(stdout).map(({ status }: { status: string }) => status);
  expect([code, new Set(statuses), statuses.length]).toEqual([
    0,
    new Set(["unchanged"]),
    DOCUMENTS.length + 2,
  ]);
  expect(await contentsOf(ada)).toEqual(before);
  const { body } = await ada("GET", "/v1/documents?includeMetadata=true&includeArchived=true");
  expect(JSON.stringify(body)).not.toContain("importPath");
});

test("import into an empty store restores the same records; a second one changes nothing", async () => {
  const bob = await clientFor("bob@example.org");
  for (const expected of ["created", "unchanged"]) {
    const { code, stdout, stderr } = await program("import", folder, "--user", "bob@example.org", "--json");
    const statuses = JSON.parse(stdout).map(({ status }: { status: string }) => status);
    expect([code, new Set(statuses), stderr]).toEqual([0, new Set([expected]), expect.any(String)]);
    expect(await contentsOf(bob)).toEqual(await contentsOf(ada));
  }
});

test("a file that was edited after the export is an update; an edit on both sides is a conflict", async () => {
  const other = join(root, "other");
  const eva = await clientFor("eva@example.org");
  const { data } = (await eva("POST", "/v1/documents", { title: "t", content: "one" })).body;
  expect((await program("export", other, "--user", "eva@example.org")).code).toBe(0);
  const file = join(other, "documents/t.md");
  const edit = (from: string, to: string) =>
    writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
  edit("one", "two");
  const imported = async () =>
    JSON.parse((await program("import", other, "--user", "eva@example.org", "--json")).stdout)[0];
  expect(await imported()).toMatchObject({ status: "updated", id: data.id });
  expect((await eva("GET", `/v1/documents/${data.id}`)).body.data.content).toBe("two");
  await eva("PATCH", `/v1/documents/${data.id}`, { content: "theirs" });
  edit("two", "three");
  expect(await imported()).toMatchObject({ status: "conflict", id: data.id });
});

test("an export of the same records has the same bytes, so that git shows no change", async () => {
  const again = join(root, "again");
  await program("export", again, "--user", "ada@example.org", "--versions");
  const filesOf = (path: string) =>
    Object.fromEntries(
      [...new Bun.Glob("**/*").scanSync({ cwd: path })].map((name) => [
        name,
        readFileSync(join(path, name), "base64"),
      ]),
    );
  expect(filesOf(again)).toEqual(filesOf(folder));
});

test("without a database nothing is created", async () => {
  const target = join(root, "never");
  expect((await runProgram(["export", target, "--data-dir", join(root, "none")])).code).toBe(1);
  expect(existsSync(target)).toBe(false);
});

test("a folder that is not empty is rejected; --force replaces an earlier export and keeps other files", async () => {
  const again = await program("export", folder, "--user", "ada@example.org");
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("--force")]);
  writeFileSync(join(folder, "documents", "mine.md"), "my own notes");
  writeFileSync(
    join(folder, "documents", "deleted.md"),
    "---\nctxrepo: 1\nid: 000000000000000000000000000\ntitle: deleted\n---\n",
  );
  expect((await program("export", folder, "--user", "ada@example.org", "--force")).code).toBe(0);
  const names = readdirSync(join(folder, "documents"));
  expect([names.includes("mine.md"), names.includes("deleted.md")]).toEqual([true, false]);
  expect(existsSync(join(folder, "versions"))).toBe(false);
});

test.skipIf(process.platform === "win32")(
  "nothing is written or removed through links in the folder",
  async () => {
    const away = join(root, "away");
    const [other, mine] = [join(root, "linked"), join(away, "mine.md")];
    const export_ = (...args: string[]) => program("export", other, "--user", "ada@example.org", ...args);
    mkdirSync(away);
    writeFileSync(mine, "---\nctxrepo: 1\n---\nmine");
    expect((await export_()).code).toBe(0);
    const [record] = readdirSync(join(other, "documents")).filter((name) => name.startsWith("Quotes"));
    const link = (name: string, target: string) => {
      rmSync(join(other, name), { recursive: true, force: true });
      symlinkSync(target, join(other, name));
    };
    for (const name of [`documents/${record}`, "collections.json"]) {
      const text = readFileSync(join(other, name), "utf8");
      link(name, mine);
      const { code, stderr } = await export_("--force");
      expect([name, code, stderr]).toEqual([
        name,
        1,
        expect.stringContaining(`${join(other, name)}: is a link`),
      ]);
      rmSync(join(other, name));
      writeFileSync(join(other, name), text);
    }
    link("documents", away);
    expect((await export_("--force")).stderr).toContain(
      `${join(other, "documents")} is not a folder: remove it`,
    );
    rmSync(join(other, "documents"));
    // A folder of parts is replaced, and its target stays.
    link("html", away);
    expect((await export_("--force")).code).toBe(0);
    expect(readdirSync(away)).toEqual(["mine.md"]);
    expect(readFileSync(mine, "utf8")).toEndWith("mine");
  },
);

test("imported records keep their folders and file names; an import and an export again, too", async () => {
  const [notes, out, copy] = ["notes", "out-folders", "out-copy"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(notes, "deep/er"), { recursive: true });
  writeFileSync(join(notes, "deep/er/tea.md"), "---\ntitle: Another title\n---\ntea");
  writeFileSync(join(notes, "deep/page.html"), "<title>Page</title><p>A paragraph of the page.</p>");
  writeFileSync(join(notes, "deep/ask.md"), "---\ntype: prompt\n---\nask");
  writeFileSync(join(notes, "many.md"), `---\ntags: [t]\n---\nmany`);
  const carl = await clientFor("carl@example.org");
  await program("import", notes, "--collection", "Notes", "--user", "carl@example.org");
  const many = (await carl("GET", "/v1/documents?search=many&includeMetadata=true")).body.data[0];
  await carl("PATCH", `/v1/documents/${many.id}`, { metadata: { ...many.metadata, ...manyMembers(3_000) } });
  const filesIn = (path: string) => [...new Bun.Glob("**/*").scanSync({ cwd: path })].sort();
  const expected = [
    "collections.json",
    "documents/notes/deep/er/tea.md",
    "documents/notes/deep/page.md",
    "documents/notes/many.md",
    "front-matter/documents/notes/many.json",
    "html/notes/deep/page.raw.html",
    "prompts/notes/deep/ask.md",
  ];
  expect((await program("export", out, "--user", "carl@example.org")).code).toBe(0);
  expect(filesIn(out)).toEqual(expected);
  const again = await program("import", out, "--user", "carl@example.org", "--json");
  expect(new Set(JSON.parse(again.stdout).map(({ status }: { status: string }) => status))).toEqual(
    new Set(["unchanged"]),
  );
  const dora = await clientFor("dora@example.org");
  const { code, stderr } = await program("import", out, "--user", "dora@example.org");
  expect([code, stderr]).toEqual([0, expect.stringContaining("4 created")]);
  expect(await contentsOf(dora)).toEqual(await contentsOf(carl));
  await program("export", copy, "--user", "dora@example.org");
  expect(filesIn(copy)).toEqual(expected);
  // A file that is gone from the store is gone from the next export, with its empty folders.
  const { id } = (await carl("GET", "/v1/documents?search=Another")).body.data[0];
  await carl("DELETE", `/v1/documents/${id}`);
  expect((await program("export", out, "--force", "--user", "carl@example.org")).code).toBe(0);
  expect(existsSync(join(out, "documents/notes/deep/er"))).toBe(false);
});

test.skipIf(process.platform === "win32")("no folder of records is made through a link", async () => {
  const [out, away] = [join(root, "out-linked"), join(root, "away-folders")];
  const finn = await clientFor("finn@example.org");
  const metadata = { importPath: "/n/sub/x.md", importRoot: "/n" };
  await finn("POST", "/v1/documents", { title: "x", content: "x", metadata });
  mkdirSync(join(out, "documents"), { recursive: true });
  mkdirSync(away);
  symlinkSync(away, join(out, "documents/n"));
  const { code, stderr } = await program("export", out, "--force", "--user", "finn@example.org");
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`${join(out, "documents/n")} is not a folder: remove it`),
  ]);
  expect(readdirSync(away)).toEqual([]);
});

test("a record reads no part outside of its own exported folder", async () => {
  const [outer, inner] = [join(root, "outer"), join(root, "outer/documents/inner")];
  for (const folder of [outer, inner]) {
    mkdirSync(join(folder, "documents"), { recursive: true });
    writeFileSync(join(folder, "collections.json"), '{"ctxrepo":1,"collections":[]}');
  }
  mkdirSync(join(outer, "html"));
  writeFileSync(join(outer, "html/secret.raw.html"), "<p>secret</p>");
  const write = (name: string, part: string) =>
    writeFileSync(join(inner, "documents", name), `---\nctxrepo: 1\ntitle: t\nrawHtml: ${part}\n---\ntext`);
  write("a.md", "../../../html/secret.raw.html");
  write("b.md", "../html/../../../html/secret.raw.html");
  await clientFor("gil@example.org");
  const { stdout } = await program("import", outer, "--json", "--user", "gil@example.org");
  expect(
    JSON.parse(stdout)
      .filter(({ status }: { status: string }) => status === "failed")
      .map(({ reason }: { reason: string }) => reason)
      .sort(),
  ).toEqual(["rawHtml names a file that no export contains", "rawHtml: html/secret.raw.html does not exist"]);
});

test("without a database there is nothing to export", async () => {
  const none = join(root, "none");
  mkdirSync(join(root, "empty"));
  const { code, stderr } = await runProgram(["export", join(root, "empty"), "--data-dir", none]);
  expect([code, existsSync(none)]).toEqual([1, false]);
  expect(stderr).toContain("there is no database");
});
