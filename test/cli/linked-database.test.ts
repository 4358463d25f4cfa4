// One database with several names: at most one server opens it, and commands find that server by a symbolic link, too.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { linkSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { runProgram, type ServingProgram, serveProgram } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";

let root: string;
let real: string;
let other: string;
let program: ServingProgram | undefined;
beforeEach(async () => {
  root = makeTempDir();
  real = join(root, "real");
  other = join(root, "other");
  mkdirSync(other);
  await runProgram(["keys", "create", "--data-dir", real]);
});
afterEach(async () => {
  await program?.kill("SIGKILL");
  program = undefined;
  rmSync(root, { recursive: true });
});

test("a symbolic link leads commands to the server, and starts no second one", async () => {
  symlinkSync(databasePath(real), databasePath(other));
  for (const [served, second] of [
    [real, other],
    [other, real],
  ] as const) {
    program = await serveProgram(served);
    await expect(serveProgram(second)).rejects.toThrow("another ctxrepo server");
    const { code, stderr } = await runProgram(["list", "documents", "--data-dir", second]);
    expect([code, stderr]).toEqual([0, "no documents\n"]);
    await program.kill("SIGTERM");
  }
});

test("a hard link is refused by every command, beside a server and without one", async () => {
  program = await serveProgram(real);
  linkSync(databasePath(real), databasePath(other));
  const refused = async (dir: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runProgram([...args, "--data-dir", dir]);
    expect([args, code]).toEqual([args, 1]);
    expect(stdout + stderr).toContain(`${databasePath(dir)} has 2 names (hard links)`);
  };
  const commands = [["serve", "--port", "0"], ["keys", "create"], ["list", "documents"], ["doctor"]];
  for (const command of commands) await refused(other, ...command);
  await refused(other, "backup", join(root, "backup.db"));
  await program.kill("SIGTERM");
  await refused(real, "serve", "--port", "0");
  rmSync(databasePath(other));
  program = await serveProgram(real);
});
