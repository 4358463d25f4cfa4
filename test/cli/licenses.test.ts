// ctxrepo licenses: the whole text arrives through a pipe, although it is longer than the pipe's buffer.

import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { runProgram } from "../helpers/program.ts";

const BUILT = resolve(import.meta.dir, "../../dist/licenses.json");
const COMPONENT = { name: "a", version: "1.0.0", license: "MIT", purl: "pkg:npm/a@1.0.0" };
const TEXT = `${"licence ".repeat(50_000)}end`;

// A build in this folder has written the real file; then that is read.
const isBuilt = existsSync(BUILT);
if (!isBuilt) {
  mkdirSync(dirname(BUILT), { recursive: true });
  writeFileSync(BUILT, JSON.stringify({ components: [COMPONENT], text: TEXT }));
}
afterAll(() => {
  if (!isBuilt) rmSync(BUILT);
});

test("prints the texts completely", async () => {
  const { text } = await Bun.file(BUILT).json();
  expect(text.length).toBeGreaterThan(300_000);
  const { code, stdout } = await runProgram(["licenses"]);
  expect(code).toBe(0);
  expect(stdout === `${text}\n`).toBe(true);
});

test("--json lists the components", async () => {
  const { components } = await Bun.file(BUILT).json();
  const { stdout } = await runProgram(["licenses", "--json"]);
  expect(JSON.parse(stdout)).toEqual(components);
  expect(components[0]).toEqual(
    expect.objectContaining({ name: expect.any(String), purl: expect.stringContaining("pkg:") }),
  );
});
