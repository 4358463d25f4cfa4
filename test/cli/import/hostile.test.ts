// ctxrepo import of a folder that somebody else has made: content names no file to read, and no file stops the others.

import { describe, expect, test } from "bun:test";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { useVault } from "../../helpers/vault.ts";

const vault = useVault();
const INDEX = JSON.stringify({ ctxrepo: 1, collections: [] });
const SECRET = "the secret of this machine";

/** A file as `export` writes it. */
const exported = (members: Record<string, string>) =>
  `---\nctxrepo: 1\ntitle: Innocent\n${Object.entries(members)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("")}---\nHi\n`;

/** Writes a secret beside the folder, and returns its path. */
function secret(): string {
  const path = join(dirname(vault.folder), "secret.raw.html");
  writeFileSync(path, SECRET);
  return path;
}

/** A pipe at a path in the folder. False, with a message, where none can be made. */
function makePipe(name: string): boolean {
  const path = vault.path(name);
  mkdirSync(dirname(path), { recursive: true });
  const made = Bun.which("mkfifo") !== null && Bun.spawnSync(["mkfifo", path]).exitCode === 0;
  if (!made) console.log("skipped: there is no mkfifo on this machine");
  return made;
}

const isLinux = process.platform === "linux";

describe("a part of an exported record is read only where export writes it", () => {
  test("front matter that names another file fails alone", async () => {
    const outside = secret();
    vault.write("collections.json", INDEX);
    vault.write("html/a.raw.html", "<p>a");
    vault.write("notes/secret.raw.html", SECRET);
    const names = [
      outside,
      `../../${outside.split("/").at(-1)}`,
      "../html/../../secret.raw.html",
      "../html/../notes/secret.raw.html",
      "../notes/secret.raw.html",
      "../html//etc/passwd",
      "../html/a.raw.html/.",
      "../../../../../../../../../../etc/passwd",
      "/etc/passwd",
      "file:///etc/passwd",
      "html/a.raw.html",
      "./a.raw.html",
      "../html/a.content.html",
      "../html/..",
      "'../html/\\secret.raw.html'",
    ];
    for (const [index, name] of names.entries()) {
      vault.write(`documents/${index}.md`, exported({ rawHtml: name }));
      vault.write(`documents/members${index}.md`, exported({ members: name }));
    }
    vault.write("documents/good.md", exported({ rawHtml: "../html/a.raw.html" }));
    const { code, status, outcomes } = await vault.import();
    const { "documents/good.md": good, "notes/secret.raw.html": plain, ...others } = status;
    expect([code, good, plain]).toEqual([1, "created", "created"]);
    expect(Object.keys(others)).toHaveLength(2 * names.length);
    expect(new Set(Object.values(others))).toEqual(new Set(["failed"]));
    for (const { status: of, reason } of outcomes)
      if (of === "failed") expect(reason).toEndWith("names a file that no export contains");
  });

  test.skipIf(process.platform === "win32")(
    "links, folders and files that are missing fail alone",
    async () => {
      const outside = secret();
      vault.write("collections.json", INDEX);
      mkdirSync(vault.path("html"));
      symlinkSync(outside, vault.path("html/link.raw.html"));
      mkdirSync(vault.path("html/folder.raw.html"));
      for (const name of ["link", "folder", "missing"]) {
        vault.write(`documents/${name}.md`, exported({ rawHtml: `../html/${name}.raw.html` }));
      }
      const { outcomes } = await vault.import();
      const reasons = outcomes.map(({ path, reason }) => [path.split("/").at(-1), reason]);
      expect(reasons).toEqual([
        ["folder.md", "rawHtml: html/folder.raw.html is not a regular file"],
        ["link.md", "rawHtml: html/link.raw.html is a link"],
        ["missing.md", "rawHtml: html/missing.raw.html does not exist"],
      ]);
    },
  );

  test.skipIf(process.platform === "win32")("a folder of parts that is a link leads nowhere", async () => {
    const outside = secret();
    vault.write("collections.json", INDEX);
    symlinkSync(dirname(outside), vault.path("html"));
    vault.write("documents/a.md", exported({ rawHtml: "../html/secret.raw.html" }));
    const { outcomes } = await vault.import();
    expect(outcomes).toMatchObject([
      { status: "failed", reason: expect.stringContaining("a link leads elsewhere") },
    ]);
  });

  test("outside of an exported folder no part is read", async () => {
    vault.write("html/a.raw.html", SECRET);
    vault.write("documents/a.md", exported({ rawHtml: "../html/a.raw.html" }));
    const { status, outcomes } = await vault.import();
    expect(status).toEqual({ "documents/a.md": "failed", "html/a.raw.html": "created" });
    expect(outcomes[0]?.reason).toContain("is read only in a folder that ctxrepo export has written");
  });

  test("a part that is larger than a text can be fails alone", async () => {
    vault.write("collections.json", INDEX);
    vault.write("html/a.raw.html", "x".repeat(6 * 1024 * 1024));
    vault.write("documents/a.md", exported({ rawHtml: "../html/a.raw.html" }));
    vault.write("documents/b.md", exported({}));
    const { status, outcomes } = await vault.import();
    expect(status).toEqual({ "documents/a.md": "failed", "documents/b.md": "created" });
    expect(outcomes[0]?.reason).toContain("is larger than 5 MB");
  });

  test("members beside a record are an object", async () => {
    vault.write("collections.json", INDEX);
    for (const [name, json] of Object.entries({
      list: "[]",
      text: '"x"',
      broken: "{",
      good: '{"tags":["a"]}',
    })) {
      vault.write(`front-matter/documents/${name}.json`, json);
      vault.write(`documents/${name}.md`, exported({ members: `../front-matter/documents/${name}.json` }));
    }
    const { status } = await vault.import();
    expect(status).toEqual({
      "documents/list.md": "failed",
      "documents/text.md": "failed",
      "documents/broken.md": "failed",
      "documents/good.md": "created",
    });
    expect((await vault.listed())[0].tags).toEqual(["a"]);
  });
});

describe.skipIf(process.platform === "win32")("what is no regular file is not waited for", () => {
  test("pipes in the place of parts, of the index and of rules", async () => {
    if (!makePipe("html/a.raw.html")) return;
    makePipe(".gitignore");
    makePipe("sub/.gitignore");
    makePipe("sub/collections.json");
    makePipe("sub/note.md");
    vault.write("collections.json", INDEX);
    vault.write("documents/a.md", exported({ rawHtml: "../html/a.raw.html" }));
    vault.write("sub/b.md", "b");
    const { status } = await vault.import();
    expect(status).toEqual({
      "documents/a.md": "failed",
      "sub/b.md": "created",
      "sub/note.md": "skipped",
      "sub/collections.json": "skipped",
    });
  });

  test.skipIf(!isLinux)("rules and an index that are links to an endless device", async () => {
    symlinkSync("/dev/zero", vault.path(".gitignore"));
    symlinkSync("/dev/zero", vault.path("collections.json"));
    vault.write("a.md", "a");
    expect((await vault.import()).status["a.md"]).toBe("created");
  });
});

test("an index that export did not write is a failure, and its records are imported nevertheless", async () => {
  for (const collections of [
    [null],
    [{ id: "x", name: "n" }],
    [{ id: "x", name: "n", items: [1] }],
    [{ id: "x", name: 1, items: [] }],
    [{ id: "x", name: "n", parent: {}, items: [] }],
  ]) {
    vault.write("collections.json", JSON.stringify({ ctxrepo: 1, collections }));
    vault.write("documents/a.md", exported({}));
    const { code, outcomes } = await vault.import();
    expect(code).toBe(1);
    expect(outcomes[0]).toEqual({
      path: join(realpathSync(vault.folder), "collections.json"),
      status: "failed",
      reason: "is no index of collections as `ctxrepo export` writes it",
    });
    expect(outcomes[1]?.status).not.toBe("failed");
  }
});

test("collections of an index may name themselves and each other as parents", async () => {
  const of = (id: string, parent?: string) => ({ id, name: id, parent, items: ["documents/a.md"] });
  const collections = [
    of("child", "top"),
    of("self", "self"),
    of("a", "b"),
    of("b", "a"),
    of("top"),
    of("lost", "x"),
  ];
  vault.write("collections.json", JSON.stringify({ ctxrepo: 1, collections }));
  vault.write("documents/a.md", exported({}));
  expect((await vault.import()).code).toBe(0);
  const rows = await vault.listed("collections");
  expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual([
    "a",
    "b",
    "child",
    "lost",
    "self",
    "top",
  ]);
});

test("a file says nothing about what imports remember", async () => {
  const members = "importPath: /etc/passwd\nimportRoot: /\nimportHash: x\nimportDuplicateOf: y\nmine: 1\n";
  vault.write("a.md", `---\n${members}---\n`);
  vault.write(
    "b.md",
    `---\nctxrepo: 1\nid: ../../x\nmetadata:\n  ${members.trimEnd().replaceAll("\n", "\n  ")}\n---\n`,
  );
  const { outcomes } = await vault.import();
  for (const { id, path } of outcomes) {
    const { metadata } = await vault.document(id);
    expect(metadata).toEqual({
      mine: 1,
      importPath: path,
      importRoot: vault.folder,
      importHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      importState: expect.any(String),
      importRules: expect.any(Number),
    });
  }
});

test("front matter beyond its limits fails alone, at once", async () => {
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join("");
  const attacks: Record<string, [yaml: string, reason: string]> = {
    bytes: [lines(700, (i) => `k${i}: ${"x".repeat(100)}\n`), "is larger than 64 kB"],
    lines: [`a: 1\n${"#\n".repeat(20_000)}`, "has more than 4000 lines"],
    keys: [lines(3_000, (i) => `k${i}: 1\n`), "has more than 1000 members"],
    list: [`a:\n${"- x\n".repeat(1_500)}`, "has more than 1000 members"],
    flow: [`a: {${"? ".repeat(30_000)}}\n`, "has more than 1000 members"],
    commas: [`a: [${",".repeat(60_000)}]\n`, "has more than 1000 members"],
    open: [`a: ${"[".repeat(60_000)}\n`, "has more than 1000 members"],
    braces: [`${"}".repeat(60_000)}\n`, "has more than 1000 members"],
    brackets: [`${"]".repeat(60_000)}\n`, "has more than 1000 members"],
    quotes: [`${`"" `.repeat(20_000)}\n`, "has more than 1000 members"],
    anchors: [`a:\n${lines(3_000, (i) => `- &a${i} 1\n`)}`, "has more than 1000 members"],
    aliases: [`a: &a 1\nb: [${"*a , ".repeat(3_000)}]\n`, "has more than 1000 members"],
    questions: ["?\n".repeat(3_000), "has more than 1000 members"],
    deep: [`a: ${"[".repeat(40)}${"]".repeat(40)}\n`, "is nested deeper than 32 levels"],
    blocks: [lines(40, (i) => `${" ".repeat(i)}a:\n`), "is nested deeper than 32 levels"],
  };
  for (const [name, [yaml]] of Object.entries(attacks)) vault.write(`${name}.md`, `---\n${yaml}---\ntext`);
  vault.write("exported.md", `---\nctxrepo: 1\n${attacks.keys![0]}---\ntext`);
  vault.write("good.md", `---\n${lines(900, (i) => `k${i}: 1\n`)}---\ntext`);
  const { code, outcomes } = await vault.import();
  expect([code, outcomes.filter(({ status }) => status === "created").length]).toEqual([1, 1]);
  for (const { path, status, reason } of outcomes) {
    const name = path.split("/").at(-1)!.replace(".md", "");
    if (status === "failed")
      expect([name, reason]).toEqual([name, expect.stringContaining(attacks[name]?.[1] ?? "members")]);
  }
});
