// ctxrepo status, import --wait, and what commands say while records wait to be indexed.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram, type ServingProgram, serveProgram } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";

let root: string;
let dir: string;
let notes: string;
let server: ServingProgram;
beforeAll(async () => {
  root = makeTempDir();
  [dir, notes] = [join(root, "data"), join(root, "notes")];
  mkdirSync(notes);
  const paragraph = (i: number, part: number) =>
    `Paragraph ${part} of note ${i} is about ${i * part} tea kettles.`;
  for (let i = 0; i < 30; i++) {
    const text = Array.from({ length: 40 }, (_, part) => paragraph(i, part)).join("\n\n");
    writeFileSync(join(notes, `note ${i}.md`), `# Note ${i}\n\n${text}\n`);
  }
  server = await serveProgram(dir);
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(root, { recursive: true, force: true });
});

const run = (...args: string[]) => runProgram([...args, "--data-dir", dir]);
const status = async () => JSON.parse((await run("status", "--json")).stdout);

test("while records wait, import, search and status say so; --wait returns when nothing is left", async () => {
  const imported = await run("import", notes);
  expect(imported.stderr).toMatch(/30 created .*\n\d+ records are still being indexed/);
  const { stderr } = await run("search", "kettles", "--limit", "1");
  expect(stderr).toMatch(/\d+ records? (is|are) still being indexed .*: results may be incomplete/);
  expect(await status()).toMatchObject({ server: server.url, records: { documents: 30 } });
  const waited = await run("import", notes, "--wait");
  expect([waited.code, waited.stderr]).toEqual([0, expect.not.stringContaining("still being indexed")]);
  expect((await status()).pending).toBe(0);
  expect((await run("status")).stdout).toMatch(/^to be indexed {2}nothing$/m);
});

test("status works without a server", async () => {
  await server.kill("SIGTERM");
  const { code, stdout } = await run("status");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^server {9}not running\n/)]);
  const missing = await runProgram(["status", "--data-dir", join(root, "none")]);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("there is no database")]);
});
