// ctxrepo keys: output, wrong usage, and the effect on a running server.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../src/base/version.ts";
import { runProgram, serveProgram } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";
import { runHere } from "./usage.ts";

let dir: string;
beforeAll(() => {
  dir = join(makeTempDir(), "data");
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const keys = (...args: string[]) => runProgram(["keys", ...args, "--data-dir", dir]);

describe("keys create", () => {
  test("prints the key and nothing else on stdout", async () => {
    const { code, stdout, stderr } = await keys("create");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^gm_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}\n$/);
    expect(stderr).toContain("owner@localhost");
  });

  test("--json prints the whole record", async () => {
    const { stdout } = await keys(
      "create",
      "--user",
      "Ada@Example.org",
      "--name",
      "laptop",
      "--scopes",
      "documents.read",
      "--json",
    );
    const created = JSON.parse(stdout);
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
      key: expect.stringContaining(`gm_`),
      userId: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      email: "ada@example.org",
      name: "laptop",
      scopes: ["documents.read"],
      createdAt: expect.any(Number),
    });
    expect(created.key).toContain(`gm_${created.id}_`);
  });

  test.each([
    ["an unknown scope", ["--scopes", "documents.read,admin"]],
    ["no scope", ["--scopes", ""]],
    ["a user that is not an e-mail address", ["--user", "ada"]],
    ["an unknown option", ["--colour", "red"]],
  ])("%s is wrong usage", async (_name, args) => {
    const { code, stdout, stderr } = await runHere(["keys", "create", ...args, "--data-dir", dir]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).not.toBe("");
  });

  test("directory and file are closed to other users, and there is no other file", async () => {
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, "ctxrepo.db")).mode & 0o777).toBe(0o600);
    expect([...new Bun.Glob("*").scanSync({ cwd: dir, dot: true })]).toEqual(["ctxrepo.db"]);
  });
});

test.each(["keys list", "keys revoke 0000000000000000", "users list", "users remove ada@example.org"])(
  "%s does not create a data directory",
  async (command) => {
    const missing = join(dir, "..", "missing");
    const { code, stdout, stderr } = await runProgram([...command.split(" "), "--data-dir", missing]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`there is no database in ${missing}`);
    expect(existsSync(missing)).toBe(false);
  },
);

test("keys list shows no secrets", async () => {
  const { key } = JSON.parse((await keys("create", "--json")).stdout);
  const { stdout } = await keys("list", "--json");
  const listed = JSON.parse(stdout);
  expect(listed[0]).toEqual({
    id: key.split("_")[1],
    userId: expect.any(String),
    email: "owner@localhost",
    name: null,
    scopes: ["prompts.write", "documents.write"],
    createdAt: expect.any(Number),
    lastUsedAt: null,
    revokedAt: null,
  });
  expect(stdout).not.toContain(key.split("_")[2]);
  expect((await keys("list")).stdout).toContain("ada@example.org");
});

test("a running server accepts a new key and rejects a revoked one at once; the last use is stored", async () => {
  const server = await serveProgram(dir);
  try {
    const { key, id } = JSON.parse((await keys("create", "--json")).stdout);
    const client = createClient(server.url, key);
    expect((await client("GET", "/v1/user/me")).status).toBe(200);
    expect((await keys("revoke", id)).code).toBe(0);
    expect((await client("GET", "/v1/user/me")).status).toBe(401);
    expect((await keys("revoke", "0".repeat(16))).code).toBe(1);
  } finally {
    expect(await server.kill("SIGTERM")).toBe(0);
  }
  const listed = JSON.parse((await keys("list", "--json")).stdout);
  expect(listed[0].lastUsedAt).toBeNumber();
  expect(listed[0].revokedAt).toBeNumber();
});

test("wrong usage names the help of the command", async () => {
  expect((await runHere(["frobnicate"])).stderr).toEndWith("(ctxrepo --help shows the usage)\n");
  const { stderr } = await runHere(["keys", "create", "--frobnicate"]);
  expect(stderr).toEndWith("(ctxrepo keys create --help shows the usage)\n");
});

test("-h, -V and help NAME are accepted", async () => {
  expect((await runHere(["-V"])).stdout).toBe(`${VERSION}\n`);
  for (const args of [
    ["keys", "create", "-h"],
    ["help", "keys", "create"],
  ])
    expect([(await runHere(args)).stdout.split("\n")[0]]).toEqual(["Usage: ctxrepo keys create [options]"]);
  expect(await runHere(["help", "frobnicate"])).toMatchObject({ code: 2, stdout: "" });
});

test("a message of wrong usage has the prefix of all messages", async () => {
  expect((await runHere(["keys", "--frobnicate"])).stderr).toStartWith(
    "ctxrepo: unknown option '--frobnicate'\n",
  );
  expect((await runHere(["list", "users"])).stderr).toStartWith(
    "ctxrepo: 'users' is invalid for argument 'KIND'.",
  );
});

test("help and version exit with 0, an unknown command and no command with 2", async () => {
  for (const { code, stdout } of [await runProgram(["--version"]), await runHere(["--version"])])
    expect([code, stdout]).toEqual([0, `${VERSION}\n`]);
  for (const args of [["--help"], ["serve", "--help"], ["keys", "--help"], ["keys", "create", "--help"]]) {
    const { code, stdout } = await runHere(args);
    expect([args, code]).toEqual([args, 0]);
    expect(stdout).toContain("Usage: ctxrepo");
  }
  for (const args of [
    ["frobnicate"],
    ["keys", "frobnicate"],
    [],
    ["keys"],
    ["serve", "--port", "99999"],
    ["serve", "extra"],
  ]) {
    expect([args, (await runHere(args)).code]).toEqual([args, 2]);
  }
});
