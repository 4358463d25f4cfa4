// ctxrepo import: what a file becomes, and which files are left out.

import { describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { paragraph, run, wordFile } from "../../helpers/office-files.ts";
import { runProgram } from "../../helpers/program.ts";
import { useVault } from "../../helpers/vault.ts";

const vault = useVault();

describe("what a file becomes", () => {
  const FILES: [text: string, name: string, expected: Record<string, unknown>][] = [
    ["# First\n\ntext\n", "first.md", { title: "First", content: "# First\n\ntext\n", metadata: {} }],
    [
      "# Tea [![Downloads](https://a.example/b.svg)](https://a.example) [![c][d]][e]\n",
      "badges.md",
      { title: "Tea" },
    ],
    [
      '[![a](b.svg)](c)\n\n<div align="center">\n<img src="x.png">\n<h1>The <b>kettle</b>\n</h1></div>\n\n## Usage\n',
      "html.md",
      { title: "The kettle" },
    ],
    ["<p>no heading</p>\n\n# Second\n", "none.md", { title: "none" }],
    ["## Settings\n\ntext\n", "Cards view.md", { title: "Cards view" }],
    ["Introduction\n\n# Later\n", "Refund policy.md", { title: "Refund policy" }],
    ["text without a heading", "My note.md", { title: "My note", content: "text without a heading" }],
    ["```\n# not a heading\n```\n\nSetext\n===\n", "code.markdown", { title: "code" }],
    ["Setext\n===\n", "setext.markdown", { title: "Setext" }],
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
  const byName: Record<string, Awaited<ReturnType<typeof vault.document>>> = {};

  test("all these files are created in one run", async () => {
    for (const [text, name] of FILES) vault.write(name, text);
    const { code, outcomes } = await vault.import();
    expect([code, new Set(outcomes.map(({ status }) => status))]).toEqual([0, new Set(["created"])]);
    for (const { path, id } of outcomes) byName[basename(path)] = { ...(await vault.document(id)), path };
    expect(Object.keys(byName)).toHaveLength(FILES.length);
  });

  test.each(FILES)("%j as %s", (_text, name, expected) => {
    const { metadata, path, ...document } = byName[name];
    const { importPath, importRoot, importHash, importState, ...others } = metadata;
    expect([importPath, importRoot]).toEqual([path, dirname(path)]);
    expect(importHash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(importState).toBeString();
    expect({ ...document, metadata: others }).toMatchObject({ sourceType: "import", ...expected });
  });

  test("an HTML page becomes Markdown, with the page beside it", async () => {
    const page = "<title>Tea</title><h1>Tea</h1><p>The <b>kettle</b> whistles.</p>";
    vault.write("tea.html", page);
    const { outcomes } = await vault.import();
    expect(await vault.document(outcomes[0]?.id)).toMatchObject({
      title: "Tea",
      content: expect.stringContaining("The **kettle** whistles."),
      rawHtml: page,
    });
  });

  test("type: prompt makes a prompt", async () => {
    vault.write(
      "review.md",
      `---\ntype: prompt\ntitle: Review\ndescription: reviews\nvariables: [diff]\nparameters: {temperature: 0.5}\nteam: a\n---\nReview \${diff}`,
    );
    const { outcomes } = await vault.import();
    expect((await vault.client("GET", `/v1/prompts/${outcomes[0]?.id}`)).body.data).toMatchObject({
      title: "Review",
      description: "reviews",
      content: `Review \${diff}`,
      variables: [{ name: "diff", type: "string" }],
      parameters: { temperature: 0.5 },
      metadata: { team: "a" },
    });
    expect((await vault.import()).status).toEqual({ "review.md": "unchanged" });
  });

  test("files that are not text, too large or unreadable fail alone, and the command exits with 1", async () => {
    vault.write("good.md", "good");
    vault.write("latin.md", new Uint8Array([0xe4, 0x20, 0xff]));
    vault.write("large.md", "x".repeat(6 * 1024 * 1024));
    vault.write("secret.md", "secret");
    chmodSync(vault.path("secret.md"), 0);
    const { code, status, outcomes } = await vault.import();
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

test("front matter in an unusable form is kept in the metadata, with a note", async () => {
  vault.write("title.md", "---\ntitle: [x]\ntags: {a: 1}\nempty:\n---\n# Heading\n");
  vault.write("tags.md", "---\ntitle:\ntags: [a, {b: 1}, null, 7]\n---\ntext");
  vault.write(
    "prompt.md",
    "---\ntype: prompt\ndescription: [d]\nvariables: {v: 1}\nparameters: [p]\n---\ntext",
  );
  const { code, outcomes } = await vault.import();
  expect(code).toBe(0);
  const [prompt, tags, title] = outcomes;
  expect(title?.reason).toBe(
    "title is not text: it is kept in the metadata; tags is not text or a list: it is kept in the metadata",
  );
  expect(await vault.document(title?.id)).toMatchObject({
    title: "Heading",
    tags: [],
    metadata: { title: ["x"], tags: { a: 1 }, empty: null },
  });
  expect(tags?.reason).toBe("1 tag cannot be stored");
  expect(await vault.document(tags?.id)).toMatchObject({ title: "tags", tags: ["a", "7"] });
  expect(prompt?.reason).toContain("description is not text");
  expect((await vault.client("GET", `/v1/prompts/${prompt?.id}`)).body.data).toMatchObject({
    variables: [],
    parameters: {},
    metadata: { description: ["d"], variables: { v: 1 }, parameters: ["p"] },
  });
  expect(new Set(Object.values((await vault.import()).status))).toEqual(new Set(["unchanged"]));
});

test.skipIf(process.platform !== "linux")("a name that is not UTF-8 fails alone", async () => {
  vault.write("good.md", "good");
  vault.write("\ufffd.md", "a name may contain this character");
  const bytes = Buffer.concat([Buffer.from(`${vault.folder}/caf`), Buffer.from([0xe9]), Buffer.from(".md")]);
  writeFileSync(bytes, "text");
  const { code, outcomes } = await vault.import();
  expect(code).toBe(1);
  expect(outcomes.map(({ status, reason }) => [status, reason])).toEqual([
    ["failed", "its name is not valid UTF-8: rename it"],
    ["created", undefined],
    ["created", undefined],
  ]);
});

test("hidden names, node_modules, ignored names and links are left out", async () => {
  const outside = join(vault.root, "outside.md");
  writeFileSync(outside, "outside");
  vault.write(".gitignore", "drafts/\n*.tmp.md\n!keep.tmp.md\n");
  vault.write("a.md", "a");
  vault.write("keep.tmp.md", "kept");
  vault.write("b.tmp.md", "b");
  vault.write("drafts/c.md", "c");
  vault.write("sub/.gitignore", "*.md\n!d.md\n");
  vault.write("sub/d.md", "d");
  vault.write("sub/e.md", "e");
  vault.write(".hidden/f.md", "f");
  vault.write("node_modules/g/README.md", "g");
  vault.write("picture.png", "p");
  symlinkSync(outside, vault.path("out.md"));
  symlinkSync(vault.path("a.md"), vault.path("in.md"));
  symlinkSync(vault.folder, vault.path("loop"));
  const { code, status } = await vault.import();
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

test("what cannot be stored of a file is printed, kept, listed and counted", async () => {
  const comment = paragraph(`${run("Text.")}<w:r><w:commentReference w:id="1"/></w:r>`);
  vault.write("a.docx", await wordFile(comment));
  vault.write("b.docx", await wordFile(paragraph(run("Whole."))));
  const { stderr, outcomes } = await vault.import();
  expect(stderr).toContain("a.docx: left out: 1 comment");
  const leftOut = [{ kind: "comment", count: 1 }];
  expect(outcomes.map((one) => [one.status, "leftOut" in one ? one.leftOut : undefined])).toEqual([
    ["created", leftOut],
    ["created", undefined],
  ]);
  const [first, second] = outcomes;
  expect((await vault.document(first?.id)).metadata.importNotes).toEqual(leftOut);
  expect((await vault.document(second?.id)).metadata).not.toHaveProperty("importNotes");
  const doctor = await runProgram(["doctor", "--data-dir", vault.dataDir, "--json"]);
  const check = JSON.parse(doctor.stdout).find(({ name }: { name: string }) => name === "left-out");
  expect(check.detail).toContain("comment: 1");
  // Files that were read by earlier rules are read again, once.
  await vault.client("PATCH", `/v1/documents/${second?.id}`, {
    metadata: { ...(await vault.document(second?.id)).metadata, importRules: 2 },
  });
  expect((await vault.import()).status).toEqual({ "a.docx": "unchanged", "b.docx": "unchanged" });
  expect((await vault.document(second?.id)).metadata.importRules).toBeGreaterThan(2);
});

test("a .gitignore compares letter case as the file system does; what it leaves out is counted", async () => {
  vault.write(".gitignore", "notes.md\nbuild/\n");
  vault.write("Notes.md", "a");
  vault.write("Build/plan.md", "b");
  vault.write("notes.md", "c");
  const isCaseSensitive = readdirSync(vault.folder).length === 4;
  const { status, stderr } = await vault.import();
  expect(status).toEqual(isCaseSensitive ? { "Notes.md": "created", "Build/plan.md": "created" } : {});
  expect(stderr).toContain(`left out ${isCaseSensitive ? 1 : 2}: .gitignore or --exclude`);
});

test("lock files of office programs are skipped with a word", async () => {
  vault.write("report.md", "a");
  vault.write("~$report.docx", new Uint8Array([1, 2, 3]));
  const { code, status, stderr } = await vault.import();
  expect([code, status]).toEqual([0, { "report.md": "created", "~$report.docx": "skipped" }]);
  expect(stderr).toContain("skipped 1: is the lock file of an office program");
});

describe("saved pages", () => {
  const MENU = "<nav><a href=/a>Start</a><a href=/b>Shop</a></nav>";
  const TEXT = "<p>The keeper opens the lock at seven, and closes it at six in the evening on weekdays.</p>";

  test("are decoded and cleaned like scraped ones, and --as-is keeps all", async () => {
    const page = `<meta charset=windows-1252><title>Lock</title>${MENU}<main><h1>Lock</h1>${TEXT}<p>Caf\xe9</p></main>`;
    vault.write("a.html", Buffer.from(page, "latin1"));
    const cleaned = await vault.document((await vault.import()).outcomes[0]?.id);
    expect(cleaned.content).toContain("Café");
    expect(cleaned.content).not.toContain("Shop");
    vault.write("a.html", Buffer.from(`${page} `, "latin1"));
    const whole = await vault.document((await vault.import("--as-is")).outcomes[0]?.id);
    expect(whole.content).toContain("Shop");
  });

  test("that contain no text fail", async () => {
    vault.write("shell.html", "<title>App</title><div id=root></div><script>start()</script>");
    const { code, outcomes } = await vault.import();
    expect([code, outcomes[0]?.reason]).toEqual([
      1,
      expect.stringContaining("contains no text: it may be built by scripts"),
    ]);
  });
});
