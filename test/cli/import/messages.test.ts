// What ctxrepo import says: its messages and the progress bar on terminals of different widths, skipped files, dry
// runs, and files that were named.

import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { runOnTerminal, runProgram } from "../../helpers/program.ts";
import { useVault } from "../../helpers/vault.ts";

const vault = useVault();

/**
 * The lines that a terminal of this width shows after it was sent this text, and all lines that it showed at any line
 * break.
 */
function render(text: string, columns: number): string[] {
  const lines: string[][] = [[]];
  let [row, column] = [0, 0];
  const next = () => {
    row++;
    column = 0;
    lines[row] ??= [];
  };
  for (const [part] of text.matchAll(/\x1b\[K|[\s\S]/g)) {
    if (part === "\x1b[K") lines[row]!.length = Math.min(column, lines[row]!.length);
    else if (part === "\r") column = 0;
    else if (part === "\n") next();
    else {
      if (column === columns) next();
      lines[row]![column++] = part;
    }
  }
  return lines.map((line) => line.join(""));
}

test.each([60, 80, 120])(
  "on a terminal of %d columns, the bar leaves nothing on the lines of messages",
  async (columns) => {
    for (let i = 0; i < 40; i++) vault.write(`good ${i}.md`, `text ${i}`);
    for (let i = 0; i < 10; i++) vault.write(`a${i}.md`, new Uint8Array([0xff]));
    const args = ["import", vault.folder, "--user", vault.user, "--data-dir", vault.dataDir];
    const { screen } = await runOnTerminal(args, {}, columns);
    expect(screen).toMatch(/\d+\/50 files {2}/);
    const shown = render(screen, columns).join("\n");
    expect(shown).not.toContain("files  ");
    // Long messages are broken by the terminal, anywhere.
    const whole = shown.replaceAll("\n", "");
    for (let i = 0; i < 10; i++)
      expect(whole).toContain(`failed ${vault.path(`a${i}.md`)}: is not UTF-8 text`);
    expect(shown.split("\n").filter((line) => line.startsWith("failed "))).toHaveLength(10);
  },
);

test("the summary says why files were skipped", async () => {
  for (const name of ["a.md", "a.py", "b.py", "c.TS", "Makefile", "x.pdf"]) vault.write(name, "text");
  symlinkSync("/etc", vault.path("link"));
  const { stderr, outcomes } = await vault.import("--kind", "markdown");
  expect(outcomes.filter(({ status }) => status === "skipped")).toHaveLength(6);
  expect(stderr).toContain("skipped 2 .py, 1 without an ending, 1 .ts: not a known kind\n");
  expect(stderr).toContain("skipped 1: is a link out of the folder\n");
  expect(stderr).toContain("skipped 1: left out by --kind\n");
});

test("a dry run names what it would do, up to 100 files", async () => {
  vault.write("old.md", "one");
  vault.write("gone.md", "two");
  await vault.import();
  vault.write("old.md", "three");
  for (let i = 0; i < 120; i++) vault.write(`new ${i}.md`, "text");
  await Bun.file(vault.path("gone.md")).delete();
  const args = [
    "import",
    vault.folder,
    "--dry-run",
    "--prune",
    "--user",
    vault.user,
    "--data-dir",
    vault.dataDir,
  ];
  const { code, stderr } = await runProgram(args);
  expect(code).toBe(0);
  expect(stderr.match(/^to (create|update|delete) /gm)).toHaveLength(100);
  expect(stderr).toContain(`to create ${vault.path("new 0.md")}\n`);
  expect(stderr).toContain("and 22 more files\n");
  expect(stderr).toMatch(/^dry run: 120 to create, 1 to update, 1 to delete \(/m);
  expect(await vault.listed()).toHaveLength(2);
});

test("a file that was named and cannot be imported is a failure", async () => {
  vault.write("CITATION.cff", "text");
  const { code, stdout } = await runProgram([
    "import",
    vault.path("CITATION.cff"),
    "--json",
    "--user",
    vault.user,
    "--data-dir",
    vault.dataDir,
  ]);
  const reason = "is not a known kind of file";
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    [{ path: vault.path("CITATION.cff"), status: "failed", reason }],
  ]);
});

test("a failure before the first file is the only message", async () => {
  const missing = await runProgram(["import", "--data-dir", `${vault.root}/none`]);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/^ctxrepo: there is no database in [^\n]*\n$/),
  ]);
});
