// ctxrepo remote, push and sync as people type them: the key's file, messages and exit codes.

import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { runProgram, serveProgram } from "../helpers/program.ts";
import { makeTempDir, useServer } from "../helpers/start.ts";

const there = useServer({ socket: true });
const folder = makeTempDir("ctxrepo-remotes-");
const dataDir = join(folder, "data");
const here = await serveProgram(dataDir);
afterAll(async () => {
  await here.kill("SIGTERM");
  rmSync(folder, { recursive: true });
});

const ctxrepo = (...args: string[]) =>
  runProgram([...args, "--data-dir", dataDir], {
    DESK_KEY: there.key.key,
    WRONG_KEY: `gm_${"x".repeat(16)}_${"y".repeat(49)}`,
    CTXREPO_CONFIG_DIR: join(folder, "config"),
  });

test("a remote is added, checked, pushed to and removed; its key is only in a private file", async () => {
  const added = await ctxrepo("remote", "add", "desk", there.url, "--key-env", "DESK_KEY");
  expect([added.code, added.stdout]).toEqual([0, ""]);
  const file = join(folder, "config", "remote-keys.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain(there.key.key);
  for (const name of readdirSync(dataDir)) {
    expect(readFileSync(join(dataDir, name)).includes(there.key.key)).toBeFalse();
  }
  const check = await ctxrepo("remote", "check", "desk", "--json");
  expect([check.code, JSON.parse(check.stdout)]).toMatchObject([
    0,
    { identity: { userId: there.key.userId }, limits: { read: 1_000_000, write: 1_000_000 }, problems: [] },
  ]);

  await there.create("/v1/documents", { title: "Tea\u001b[31m", content: "there" });
  const pull = await ctxrepo("pull", "desk", "--dry-run");
  expect(pull.code).toBe(0);
  expect(pull.stdout).toContain("created here  document ");
  expect(pull.stdout).not.toContain("\u001b[31m");
  const synced = await ctxrepo("sync", "desk", "--json");
  expect([synced.code, JSON.parse(synced.stdout)]).toMatchObject([0, { created: 1, conflict: 0, failed: 0 }]);

  const [{ id }] = JSON.parse((await ctxrepo("list", "documents", "--json")).stdout);
  const { body } = await there.client("GET", "/v1/documents");
  await there.client("PATCH", `/v1/documents/${body.data[0].id}`, { title: "Theirs" });
  expect((await ctxrepo("mv", id, "Ours")).code).toBe(0);
  const conflict = await ctxrepo("sync", "desk");
  expect([conflict.code, conflict.stdout]).toEqual([
    1,
    expect.stringContaining(`conflict  document ${id}  Ours: title`),
  ]);
  expect((await ctxrepo("sync", "desk", "--theirs")).code).toBe(0);
  expect(JSON.parse((await ctxrepo("get", id, "--json")).stdout).title).toBe("Theirs");

  expect((await ctxrepo("remote", "list")).stdout).toContain("desk");
  expect((await ctxrepo("remote", "remove", "desk")).code).toBe(0);
  expect(readFileSync(file, "utf8")).not.toContain(there.key.key);
  expect(await ctxrepo("push", "desk")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no remote is called"),
  });
});

test.each([
  [["desk", "http://notes.example.org", "--key-env", "DESK_KEY"], "must be an https URL"],
  [["desk", "https://notes.example.org", "--key-env", "NOT_SET"], "NOT_SET is not set"],
])("remote add %j is wrong usage", async (args, message) => {
  expect(await ctxrepo("remote", "add", ...args)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  });
});

test("a key that the other server rejects is a failure that says so", async () => {
  await ctxrepo("remote", "add", "wrong", there.url, "--key-env", "WRONG_KEY");
  expect(await ctxrepo("push", "wrong")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/key|credential/),
  });
});
