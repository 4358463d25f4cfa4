// Remembered folders: import without a path, folders add|list|remove, and serve --watch.

import { expect, test } from "bun:test";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram, serveProgram } from "../../helpers/program.ts";
import { makeTempDir } from "../../helpers/start.ts";
import { useVault } from "../../helpers/vault.ts";

const vault = useVault();

const run = (...args: string[]) => runProgram([...args, "--user", vault.user, "--data-dir", vault.dataDir]);
const folders = async () => JSON.parse((await run("folders", "list", "--json")).stdout);

test("an imported folder is imported again with its options, and a file that was named is not remembered", async () => {
  vault.write("a.md", "one");
  vault.write("b.txt", "two");
  vault.write("drafts/c.md", "three");
  const options = ["--tag", "kept", "--collection", "Kept", "--kind", "markdown", "--exclude", "drafts/"];
  await vault.import(...options);
  await run("import", vault.path("b.txt"));
  const [folder, ...others] = await folders();
  expect(others).toEqual([]);
  expect(folder).toMatchObject({
    path: vault.folder,
    tags: ["kept"],
    kinds: ["markdown"],
    exclude: ["drafts/"],
  });
  expect(Math.abs(folder.importedAt - Date.now())).toBeLessThan(600_000);

  vault.write("d.md", "four");
  const again = await run("import", "--json");
  expect([again.code, JSON.parse(again.stdout).map(({ status }: { status: string }) => status)]).toEqual([
    0,
    ["skipped", "unchanged", "created"],
  ]);
  const rows = await vault.listed();
  expect(rows.find(({ title }: { title: string }) => title === "d").tags).toEqual(["kept"]);
  expect((await vault.listed("collections"))[0].itemCount).toBe(2);
  const { stdout } = await run("status");
  expect(stdout).toMatch(new RegExp(`^folders +${vault.folder}, last import: \\d{4}-`, "m"));
  expect((await run("list", "folders")).stdout).toContain(
    "--collection Kept --tag kept --kind markdown --exclude drafts/",
  );
});

test("folders are added with options, replaced and removed, also when they are gone", async () => {
  expect((await run("import")).stderr).toContain("no folder is remembered");
  expect((await run("import")).code).toBe(2);
  vault.write("a.md", "one");
  expect((await run("folders", "add", vault.folder, "--tag", "x")).code).toBe(0);
  expect((await run("folders", "add", vault.folder)).code).toBe(0);
  expect(await folders()).toMatchObject([{ path: vault.folder, tags: [], importedAt: null }]);
  expect((await run("folders", "add", vault.path("a.md"))).code).toBe(2);
  expect((await run("import", "--tag", "x")).stderr).toContain("--tag: needs a PATH");
  rmSync(vault.folder, { recursive: true });
  const missing = await run("import");
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("does not exist")]);
  const unknown = await run("folders", "remove", join(vault.root, "other"));
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining(`\n  ${vault.folder}`)]);
  expect((await run("folders", "remove", vault.folder)).code).toBe(0);
  expect(await folders()).toEqual([]);
});

test("a dry run remembers nothing", async () => {
  vault.write("a.md", "one");
  await vault.import("--dry-run");
  expect(await folders()).toEqual([]);
});

test("only commands change what is remembered", async () => {
  const body = { path: "/etc", tags: [], kinds: [], exclude: [] };
  expect((await vault.client("PUT", "/console/api/folders", body)).status).toBe(403);
  expect((await vault.client("DELETE", "/console/api/folders?path=/etc")).status).toBe(403);
  expect((await vault.client("GET", "/console/api/folders")).status).toBe(200);
});

test("list shows tags and failed documents, and rejects filters that do not apply", async () => {
  vault.write("a.md", "---\ntags: [red, blue]\n---\na");
  vault.write("p.md", "---\ntype: prompt\ntags: red\n---\np");
  await vault.import();
  expect(JSON.parse((await run("list", "tags", "--json")).stdout)).toEqual([
    { tag: "red", count: 2 },
    { tag: "blue", count: 1 },
  ]);
  await vault.client("POST", "/v1/documents/scrape", { url: "http://nothing.invalid/" });
  let failed = await run("list", "--status", "failed");
  for (const deadline = performance.now() + 30_000; performance.now() < deadline && failed.stdout === ""; )
    failed = await run("list", "--status", "failed");
  expect(failed.stdout).toMatch(/^\S{27}\t\S+\thttp:\/\/nothing\.invalid\/: .+\n$/);
  expect((await run("list", "prompts", "--status", "failed")).code).toBe(2);
  expect((await run("list", "tags", "--tag", "red")).stderr).toContain(
    "--tag: does not apply to a list of tags",
  );
});

test("serve --watch imports what changes in remembered folders, and its process ends with it", async () => {
  const root = realpathSync(makeTempDir());
  const [dataDir, notes] = [join(root, "data"), join(root, "notes")];
  mkdirSync(notes);
  writeFileSync(join(notes, "a.md"), "one");
  const server = await serveProgram(dataDir, ["--watch"]);
  const listed = async () => {
    const { stdout } = await runProgram(["list", "--json", "--data-dir", dataDir]);
    return JSON.parse(stdout).map(({ title }: { title: string }) => title);
  };
  const until = async (expected: string[]) => {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(200))
      if ((await listed()).length === expected.length) break;
    expect((await listed()).sort()).toEqual(expected);
  };
  await runProgram(["folders", "add", notes, "--data-dir", dataDir]);
  await until(["a"]);
  writeFileSync(join(notes, "b.md"), "two");
  await until(["a", "b"]);
  await server.kill("SIGKILL");
  // A process that stayed would hold the data directory, and be found as its server.
  await listed();
  expect((await runProgram(["status", "--data-dir", dataDir])).stdout).toStartWith(
    "server         not running\n",
  );
  rmSync(root, { recursive: true, force: true });
});
