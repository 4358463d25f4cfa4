// The README is true: its tables are those of the program, and what it names exists.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { generated } from "../../scripts/readme.ts";

const ROOT = join(import.meta.dir, "../..");
const readme = await Bun.file(join(ROOT, "README.md")).text();

test("the generated tables are not stale (bun run readme)", () => {
  expect(generated(readme)).toBe(readme);
});

test("every file and folder of the architecture picture exists", () => {
  const picture = /## Architecture[\s\S]*?```\n([\s\S]*?)```/.exec(readme)![1];
  const named = [...picture.matchAll(/^ {2}([a-z-]+(?:\.ts|\/))/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter((name) => !existsSync(join(ROOT, "src", name)))).toEqual([]);
});

test("every room of src stands in the picture", () => {
  const rooms = [...new Bun.Glob("*").scanSync({ cwd: join(ROOT, "src"), onlyFiles: false })];
  expect(rooms.filter((room) => !readme.includes(`  ${room}${room.endsWith(".ts") ? "" : "/"}`))).toEqual([]);
});

test("every command of package.json that it names is there", async () => {
  const { scripts } = (await Bun.file(join(ROOT, "package.json")).json()) as {
    scripts: Record<string, string>;
  };
  const named = [...readme.matchAll(/`bun run ([\w:]+)/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
