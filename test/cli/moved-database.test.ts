// A database that is deleted, moved or replaced while a server runs: nothing is acknowledged that would be lost, and
// what was acknowledged can be saved.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { runProgram, type ServingProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { type Client, createClient, makeTempDir } from "../helpers/start.ts";

const MOVED =
  "the database was deleted, moved or replaced, so nothing can be written: make a backup, stop the server, and restore it";

let root: string;
let dir: string;
let path: string;
let key: string;
let program: ServingProgram;
let client: Client;
beforeEach(async () => {
  root = makeTempDir();
  dir = join(root, "data");
  path = databasePath(dir);
  await start();
  key = await program.key();
  client = createClient(program.url, key);
  expect((await store("before")).status).toBe(201);
  await untilIndexed(program.url);
});
afterEach(async () => {
  await program.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

async function start(): Promise<void> {
  program = await serveProgram(dir);
  client = createClient(program.url, key);
}
const store = (title: string) => client("POST", "/v1/documents", { title, content: "text" });
const run = (...args: string[]) => runProgram([...args, "--data-dir", dir]);
const titles = async () =>
  (await client("GET", "/v1/documents")).body.data.map(({ title }: { title: string }) => title);

/** Nothing can be written, /health says why, and everything can be read. */
async function expectRefused(): Promise<void> {
  const { status, body } = await store("refused");
  expect(status).toBe(500);
  expect(body.error).toMatchObject({ message: MOVED, details: { reason: "STORAGE_MOVED" } });
  const health = await client("GET", "/health");
  expect(health.status).toBe(200);
  expect(health.body).toMatchObject({ status: "degraded", database: "degraded", problems: [MOVED] });
  expect(await titles()).toEqual(["before"]);
}

/** Makes a backup beside the server, ends that, restores the backup, and starts again. */
async function expectSaved(): Promise<void> {
  const backup = join(root, "saved.db");
  const { code, stdout } = await run("backup", backup, "--json");
  expect([code, JSON.parse(stdout).documents]).toEqual([0, 1]);
  await program.kill("SIGTERM");
  expect((await run("restore", backup)).code).toBe(0);
  await start();
  expect(await titles()).toEqual(["before"]);
  expect((await store("after")).status).toBe(201);
}

test("deleted: writes are refused, a backup saves the records, and no command makes another database", async () => {
  rmSync(path);
  await expectRefused();
  for (const command of [["keys", "create"], ["users", "list"], ["reindex"]]) {
    const { code, stderr } = await run(...command);
    expect([command, code, stderr]).toEqual([
      command,
      1,
      expect.stringContaining(`the process ${program.pid}`),
    ]);
  }
  expect((await run("doctor")).stdout).toMatch(/^fail {2}open-file .*make a backup with ctxrepo backup/m);
  expect((await run("export", join(root, "exported"))).code).toBe(0);
  expect(existsSync(path)).toBe(false);
  await expectSaved();
});

test("deleted with its directory: a backup saves the records", async () => {
  rmSync(dir, { recursive: true });
  await expectRefused();
  expect(existsSync(dir)).toBe(false);
  await expectSaved();
});

test.each(["SIGTERM", "SIGKILL"] as const)(
  "replaced: after %s, the old log is not applied to the new file",
  async (signal) => {
    const other = join(root, "other.db");
    expect((await run("backup", other)).code).toBe(0);
    for (let i = 0; i < 20; i++)
      expect((await client("DELETE", `/v1/documents/${(await store("x")).body.data.id}`)).status).toBe(200);
    renameSync(other, path);
    await expectRefused();
    while (statSync(`${path}-wal`).size > 0) await Bun.sleep(5);
    await program.kill(signal);
    await start();
    expect(await titles()).toEqual(["before"]);
    await program.kill("SIGTERM");
    expect((await run("doctor")).stdout).toMatch(/^ok {4}integrity /m);
  },
);

test.each(["-wal", "-shm"])(
  "without its %s file: what was acknowledged is complete after the end",
  async (suffix) => {
    rmSync(path + suffix);
    await expectRefused();
    await expectSaved();
  },
);

test("moved away and back: writes are accepted again", async () => {
  renameSync(path, join(root, "away.db"));
  await expectRefused();
  renameSync(join(root, "away.db"), path);
  expect((await store("after")).status).toBe(201);
  expect((await client("GET", "/health")).body).toMatchObject({ database: "ok" });
});

test("moved into another data directory: no second server opens it", async () => {
  const elsewhere = join(root, "elsewhere");
  mkdirSync(elsewhere);
  renameSync(path, databasePath(elsewhere));
  await expect(serveProgram(elsewhere)).rejects.toThrow(`uses ${databasePath(elsewhere)} by another name`);
  await program.kill("SIGTERM");
  // Its log was copied into it, although it is no longer beside it.
  const moved = await serveProgram(elsewhere);
  expect((await createClient(moved.url, key)("GET", "/v1/documents")).body.data).toHaveLength(1);
  await moved.kill("SIGTERM");
});
