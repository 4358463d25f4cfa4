// ctxrepo import of files that were moved or renamed: same content, old path gone.

import { expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram, startProgram } from "../../helpers/program.ts";
import { type Outcome, useVault } from "../../helpers/vault.ts";

const vault = useVault();

/** The ids in the order of the paths: files are imported at the same time. */
const idsOf = (outcomes: Outcome[]) =>
  outcomes.sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ id }) => id);
const versions = async (id: string | undefined) =>
  (await vault.client("GET", `/v1/documents/${id}/versions`)).body.data;
const move = (from: string, to: string) => {
  mkdirSync(join(vault.path(to), ".."), { recursive: true });
  renameSync(vault.path(from), vault.path(to));
};

test.each([[[]], [["--prune"]]])(
  "a renamed and a moved file keep their records and histories %p",
  async (options) => {
    vault.write("a.md", "# A\n\none");
    vault.write("plain.md", "no heading");
    await vault.import();
    vault.write("a.md", "# A\n\ntwo");
    const before = idsOf((await vault.import()).outcomes);
    move("a.md", "deep/er/a.md");
    move("plain.md", "renamed.md");
    const dry = await vault.import("--dry-run", ...options);
    expect(dry.status).toEqual({ "deep/er/a.md": "updated", "renamed.md": "updated" });
    const { code, status, outcomes } = await vault.import(...options);
    expect([code, status]).toEqual([0, { "deep/er/a.md": "updated", "renamed.md": "updated" }]);
    expect(idsOf(outcomes)).toEqual(before);
    expect(outcomes.find(({ path }) => path.endsWith("a.md"))?.reason).toBe(
      `was moved from ${vault.path("a.md")}`,
    );
    expect(await versions(before[0])).toHaveLength(3);
    // The title was the name of the file.
    expect((await vault.document(before[1])).title).toBe("renamed");
    expect(await vault.listed()).toHaveLength(2);
    expect((await vault.import(...options)).status).toEqual({
      "deep/er/a.md": "unchanged",
      "renamed.md": "unchanged",
    });
  },
);

test("a renamed folder keeps its records, also if it is the one that was named", async () => {
  vault.write("a.md", "one");
  vault.write("b.md", "two");
  const before = idsOf((await vault.import()).outcomes);
  renameSync(vault.folder, `${vault.folder}-new`);
  const args = ["import", `${vault.folder}-new`, "--json", "--user", vault.user, "--data-dir", vault.dataDir];
  const outcomes = JSON.parse((await runProgram(args)).stdout);
  expect(idsOf(outcomes)).toEqual(before);
  const { metadata } = await vault.document(before[0]);
  expect(metadata).toMatchObject({
    importPath: `${vault.folder}-new/a.md`,
    importRoot: `${vault.folder}-new`,
  });
});

test("an edit in the store stays, and is a conflict when the moved file changes", async () => {
  vault.write("a.md", "one");
  const id = (await vault.import()).outcomes[0]?.id;
  await vault.client("PATCH", `/v1/documents/${id}`, { content: "edited", title: "Mine" });
  move("a.md", "b.md");
  expect((await vault.import()).status).toEqual({ "b.md": "updated" });
  expect(await vault.document(id)).toMatchObject({ content: "edited", title: "Mine" });
  vault.write("b.md", "two");
  expect((await vault.import()).status).toEqual({ "b.md": "conflict" });
});

test("equal files, copies and changed files are new records", async () => {
  vault.write("a.md", "same");
  vault.write("b.md", "same");
  vault.write("kept.md", "copied");
  vault.write("changed.md", "one");
  await vault.import();
  move("a.md", "x/a.md");
  move("b.md", "x/b.md");
  vault.write("copy.md", "copied");
  rmSync(vault.path("changed.md"));
  vault.write("other.md", "two");
  const { status } = await vault.import();
  expect(status).toEqual({
    "copy.md": "created",
    "kept.md": "unchanged",
    "other.md": "created",
    "x/a.md": "created",
    "x/b.md": "created",
  });
  expect(await vault.listed()).toHaveLength(8);
});

test("one of two equal files that went away, and two that came, are new records", async () => {
  vault.write("a.md", "same");
  await vault.import();
  rmSync(vault.path("a.md"));
  vault.write("b.md", "same");
  vault.write("c.md", "same");
  expect((await vault.import()).status).toEqual({ "b.md": "created", "c.md": "created" });
});

test("a file that becomes one of another kind is a new record", async () => {
  vault.write("a.md", "---\ntype: prompt\n---\ntext");
  await vault.import();
  move("a.md", "a.txt");
  expect((await vault.import()).status).toEqual({ "a.txt": "created" });
});

test("a move between two remembered folders keeps the record, with --prune, too", async () => {
  vault.write("z/a.md", "one");
  vault.write("y/b.md", "two");
  const run = (...args: string[]) =>
    runProgram(["import", ...args, "--json", "--user", vault.user, "--data-dir", vault.dataDir]);
  await run(vault.path("z"));
  await run(vault.path("y"));
  for (const [from, to] of [
    ["z/a.md", "y/a.md"],
    ["y/b.md", "z/b.md"],
  ] as const)
    move(from, to);
  const { code, stdout } = await run("--prune");
  const statuses = JSON.parse(stdout).map(({ status }: { status: string }) => status);
  expect([code, statuses]).toEqual([0, ["updated", "updated"]]);
  expect(await vault.listed()).toHaveLength(2);
});

test("--watch follows a renamed file", async () => {
  vault.write("a.md", "one");
  const args = [
    "import",
    vault.folder,
    "--watch",
    "--prune",
    "--user",
    vault.user,
    "--data-dir",
    vault.dataDir,
  ];
  const watching = startProgram(args);
  await watching.says("watching");
  const [{ id }] = await vault.listed();
  move("a.md", "b.md");
  await watching.says(`updated ${vault.path("b.md")}: was moved from ${vault.path("a.md")}`);
  expect((await vault.listed()).map((row: { id: string }) => row.id)).toEqual([id]);
  watching.kill("SIGINT");
  await watching.finished;
});
