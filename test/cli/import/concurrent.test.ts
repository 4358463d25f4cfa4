// Several imports of one folder at the same time: every file has one record.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { runProgram, startProgram } from "../../helpers/program.ts";
import { useVault } from "../../helpers/vault.ts";

const vault = useVault();
const FILES = 40;

const pathsOf = (rows: { metadata: { importPath: string } }[]) =>
  rows.map(({ metadata }) => metadata.importPath).sort();
const expected = () => Array.from({ length: FILES }, (_, i) => vault.path(`${i}.md`)).sort();
const writeAll = (text: string) => {
  for (let i = 0; i < FILES; i++) {
    vault.write(`${i}.md`, i % 4 === 0 ? `---\ntype: prompt\n---\n${text} ${i}` : `${text} ${i}`);
  }
};
const allPaths = async () =>
  [...pathsOf(await vault.listed()), ...pathsOf(await vault.listed("prompts"))].sort();

test("imports beside a server create and update each record once, and none of them fails", async () => {
  for (const text of ["one", "two"]) {
    writeAll(text);
    const all = await Promise.all([vault.import(), vault.import(), vault.import()]);
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    const statuses = all.flatMap(({ outcomes }) => outcomes.map(({ status }) => status));
    const written = statuses.filter((status) => status === (text === "one" ? "created" : "updated"));
    expect(written.length).toBeGreaterThanOrEqual(FILES);
    expect(new Set(statuses)).toEqual(new Set([text === "one" ? "created" : "updated", "unchanged"]));
    if (text === "one") expect(written).toHaveLength(FILES);
    expect(await allPaths()).toEqual(expected());
  }
  const versions = (await vault.client("GET", `/v1/documents/${(await vault.listed())[0].id}/versions`)).body;
  expect(versions.data.map(({ version }: { version: number }) => version)).toEqual([1, 0]);
});

test("so do imports without a server, of which one answers the others", async () => {
  writeAll("one");
  const own = join(vault.root, "concurrent");
  const args = ["import", vault.folder, "--json", "--data-dir", own];
  const all = await Promise.all([runProgram(args), runProgram(args)]);
  expect(all.map(({ code }) => code)).toEqual([0, 0]);
  const listed = async (kind: string) =>
    JSON.parse((await runProgram(["list", kind, "--json", "--data-dir", own])).stdout);
  expect((await listed("documents")).length + (await listed("prompts")).length).toBe(FILES);
});

test("two that watch a folder keep one record of each file", async () => {
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
  const watching = [startProgram(args), startProgram(args)];
  await Promise.all(watching.map((one) => one.says("watching")));
  const until = async (holds: () => Promise<boolean>) => {
    for (const deadline = performance.now() + 60_000; !(await holds()); await Bun.sleep(50))
      if (performance.now() > deadline) throw new Error("not within a minute");
  };
  const hasTexts = async (text: string) => {
    const rows = await vault.listed();
    const texts = await Promise.all(
      rows.map(async ({ id }: { id: string }) => (await vault.document(id))?.content),
    );
    return rows.length === FILES * 0.75 && texts.every((content) => content?.startsWith(text));
  };
  for (const text of ["one", "two", "three"]) {
    writeAll(text);
    await until(() => hasTexts(text));
    await until(async () => (await allPaths()).length === FILES);
  }
  for (const one of watching) one.kill("SIGINT");
  const ended = await Promise.all(watching.map(({ finished }) => finished));
  for (const { code, stderr } of ended)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("conflict")]);
  expect(await allPaths()).toEqual(expected());
});
