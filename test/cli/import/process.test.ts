// ctxrepo import as a process: its options, without a server, interrupted, and watching.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runOnTerminal, runProgram, startProgram } from "../../helpers/program.ts";
import { useVault } from "../../helpers/vault.ts";

const vault = useVault();

test("--tag and --collection apply to every record; --dry-run writes nothing", async () => {
  vault.write("a.md", "---\ntags: own\n---\na");
  vault.write("p.md", "---\ntype: prompt\n---\np");
  const dry = await vault.import("--dry-run", "--collection", "Vault");
  expect(dry.status).toEqual({ "a.md": "created", "p.md": "created" });
  expect([await vault.listed(), await vault.listed("prompts"), await vault.listed("collections")]).toEqual([
    [],
    [],
    [],
  ]);
  await vault.import("--tag", "one", "--tag", "two", "--collection", "Vault");
  await vault.import("--collection", "Vault");
  expect((await vault.listed())[0].tags).toEqual(["own", "one", "two"]);
  const [collection, ...others] = await vault.listed("collections");
  expect([collection.name, collection.itemCount, others]).toEqual(["Vault", 2, []]);
});

test("--dry-run without a database creates nothing", async () => {
  const own = join(vault.root, "no-database");
  vault.write("a.md", "a");
  const args = ["import", vault.folder, "--dry-run", "--prune", "--json", "--data-dir", own];
  const { code, stdout, stderr } = await runProgram(args);
  expect([code, JSON.parse(stdout), existsSync(own)]).toEqual([
    0,
    [{ path: vault.path("a.md"), status: "created" }],
    false,
  ]);
  expect(stderr).toStartWith("dry run: 1 to create (");
  expect((await runProgram([...args, "--user", "bob"])).code).toBe(2);
});

test("waiting for the index shows progress on a terminal", async () => {
  for (let i = 0; i < 20; i++)
    vault.write(`${i}.md`, "The kettle whistles when the water boils.\n\n".repeat(40));
  const { code, screen } = await runOnTerminal([
    "import",
    vault.folder,
    "--data-dir",
    join(vault.root, "waiting"),
  ]);
  expect(code).toBe(0);
  expect(screen).toMatch(/\[[#-]+\] \d+\/\d+ records indexed/);
  expect(screen).toContain("20 created");
});

test("wrong usage exits with 2 and writes nothing", async () => {
  for (const args of [
    ["--tag", "a"],
    ["--tag", "a,b", "."],
    ["--collection", " ", "."],
    ["--unknown", "."],
  ]) {
    const { code } = await runProgram(["import", "--data-dir", join(vault.root, "none"), ...args]);
    expect([args, code]).toEqual([args, 2]);
  }
});

test("an empty path is not the current folder", async () => {
  const { code, stdout } = await runProgram([
    "import",
    "",
    "--json",
    "--user",
    vault.user,
    "--data-dir",
    vault.dataDir,
  ]);
  expect(JSON.parse(stdout)).toEqual([{ path: "", status: "failed", reason: "does not exist" }]);
  expect(code).toBe(1);
});

test("Ctrl-C ends an import that only waits for its index", async () => {
  const own = join(vault.root, "interrupted");
  const paragraph =
    "The kettle whistles when the water boils, and the cat leaves the kitchen at once. ".repeat(8);
  for (let file = 0; file < 40; file++) {
    vault.write(`${file}.md`, `# ${file}\n\n${`${paragraph}\n\n`.repeat(400)}`);
  }
  const importing = startProgram(["import", vault.folder, "--data-dir", own]);
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
});

test("without a server it stores and indexes by itself, and titles cannot control the terminal", async () => {
  const own = join(vault.root, "own");
  vault.write("a.md", "# \u001b[31mred\u0007\n\nThe kettle whistles when the water boils.");
  vault.write("bad\u001b[2J.md", new Uint8Array([0xff]));
  const { code, stderr } = await runProgram(["import", vault.folder, "--data-dir", own]);
  expect(code).toBe(1);
  expect(stderr).not.toContain("\u001b");
  expect(stderr).toContain("1 created, 1 failed");
  expect(stderr).toEndWith("ctxrepo: 1 file failed\n");
  const found = await runProgram(["search", "whistling kettle", "--json", "--data-dir", own]);
  expect(JSON.parse(found.stdout).documents).toHaveLength(1);
});

test("--watch imports saves, replaced files, deletions and folders that return", async () => {
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
  const contents = async () => {
    const rows = await vault.listed();
    const texts = await Promise.all(
      // One that was listed may have been deleted since.
      rows.map(async ({ id }: { id: string }) => (await vault.document(id))?.content ?? "deleted"),
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
  vault.write("a.md", "two");
  await until(["two"]);
  vault.write("a.md.swp", "three");
  renameSync(vault.path("a.md.swp"), vault.path("a.md"));
  vault.write("sub/b.md", "four");
  await until(["four", "three"]);
  rmSync(vault.path("a.md"));
  await until(["four"]);
  const other = `${vault.folder}-other`;
  mkdirSync(join(other, "sub"), { recursive: true });
  writeFileSync(join(other, "sub/b.md"), "five");
  renameSync(vault.folder, `${vault.folder}-away`);
  renameSync(other, vault.folder);
  await until(["five"]);
  rmSync(vault.folder, { recursive: true });
  await watching.says("does not exist");
  expect(await contents()).toEqual(["five"]);
  watching.kill("SIGINT");
  const { code, stderr } = await watching.finished;
  // The folder that was missing for a while is reported as a failure.
  expect([code, stderr]).toEqual([1, expect.stringContaining("2 created, 3 updated, 1 pruned")]);
});
