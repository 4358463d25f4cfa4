// ctxrepo serve as a process: ready line, first start, the second server, signals, kill -9, settings.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";

let root: string;
let dir: string;
beforeEach(() => {
  root = makeTempDir();
  dir = join(root, "data");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const keyIn = (text: string) => /gm_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}/.exec(text)?.[0];

test("the first start prints one key and a request that works when pasted; the second start neither", async () => {
  const first = await serveProgram(dir);
  const key = keyIn(first.stderr())!;
  const command = /curl [\s\S]*?'\n/.exec(first.stderr())![0];
  const pasted = Bun.spawnSync(["sh", "-c", command]);
  expect(pasted.stdout.toString()).toContain('"revision":0');
  expect(await first.kill("SIGTERM")).toBe(0);
  const second = await serveProgram(dir);
  expect(keyIn(second.stderr())).toBeUndefined();
  expect((await createClient(second.url, key)("GET", "/v1/user/me")).body.data.email).toBe("owner@localhost");
  expect(await second.kill("SIGINT")).toBe(0);
});

test("a second server on the same data directory is refused, whatever its HOME", async () => {
  const first = await serveProgram(dir);
  try {
    const second = await runProgram(["serve", "--port", "0", "--data-dir", dir], { HOME: root });
    expect(second.code).toBe(1);
    expect(second.stdout).toBe("");
    expect(second.stderr).toContain("another ctxrepo server is running");
  } finally {
    await first.kill("SIGTERM");
  }
});

test("a server that was killed hard leaves no obstacle, and loses nothing that was acknowledged", async () => {
  const first = await serveProgram(dir);
  const client = createClient(first.url, keyIn(first.stderr())!);
  const document = (i: number) => ({ title: `Doc ${i}`, content: `Zebra number ${i}.` });
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) {
    const { status, body } = await client("POST", "/v1/documents", document(i), {
      "Idempotency-Key": `k${i}`,
    });
    expect(status).toBe(201);
    ids.push(body.data.id);
  }
  await first.kill("SIGKILL");
  const second = await serveProgram(dir);
  try {
    const again = createClient(second.url, keyIn(first.stderr())!);
    for (const [i, id] of ids.entries()) {
      expect((await again("GET", `/v1/documents/${id}`)).status).toBe(200);
      const replay = await again("POST", "/v1/documents", document(i), { "Idempotency-Key": `k${i}` });
      expect([replay.headers.get("idempotent-replayed"), replay.body.data.id]).toEqual(["true", id]);
    }
    await untilIndexed(second.url);
    const found = await again("GET", "/v1/search?q=zebra&semantic=true&limit=50&scoreThreshold=0");
    expect(found.body.data.documents.length).toBe(20);
  } finally {
    await second.kill("SIGTERM");
  }
});

test("a request in flight is answered before the server ends", async () => {
  const server = await serveProgram(dir);
  const client = createClient(server.url, keyIn(server.stderr())!);
  const big = client("POST", "/v1/documents", { title: "t", content: "x".repeat(4 << 20) });
  await Bun.sleep(5);
  const [reply, code] = await Promise.all([big, server.kill("SIGTERM")]);
  expect([201, code]).toEqual([reply.status, 0]);
});

describe("settings", () => {
  test.each([
    ["a port that is none", ["--port", "x"], "--port must be"],
    ["an unknown policy", ["--user-agent-policy", "lax"], "--user-agent-policy must be"],
    ["an address that is not loopback", ["--host", "0.0.0.0"], "--allow-remote"],
    ["a base URL that is none", ["--base-url", "example"], "--base-url must be"],
    ["a models folder without a model", ["--models-dir", "/nonexistent"], "--models-dir"],
  ])("%s is wrong usage, said clearly", async (_name, args, message) => {
    const { code, stderr } = await runProgram(["serve", "--data-dir", dir, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("a variable counts, a flag beats it", async () => {
    const fromVariable = await runProgram(["serve", "--data-dir", dir], { CTXREPO_PORT: "x" });
    expect(fromVariable.stderr).toContain("CTXREPO_PORT must be");
    const server = await serveProgram(dir, [], { CTXREPO_PORT: "1", CTXREPO_USER_AGENT_POLICY: "off" });
    const { status } = await fetch(`${server.url}/v1/mcp/capabilities`, {
      headers: { "User-Agent": "node" },
    });
    expect(status).toBe(200);
    await server.kill("SIGTERM");
  });

  test("a port in use is said clearly", async () => {
    const server = await serveProgram(dir);
    const { port } = new URL(server.url);
    const { code, stderr } = await runProgram(["serve", "--port", port, "--data-dir", join(root, "other")]);
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${port} is in use`);
    await server.kill("SIGTERM");
  });

  test("a file that is no database is refused and left alone", async () => {
    await Bun.write(join(dir, "ctxrepo.db"), "this is a diary, not a database. ".repeat(100));
    const { code, stderr } = await runProgram(["serve", "--port", "0", "--data-dir", dir]);
    expect(code).toBe(1);
    expect(stderr).toContain("not a database");
    expect(await Bun.file(join(dir, "ctxrepo.db")).text()).toStartWith("this is a diary");
  });

  test("a database of a newer program is refused", async () => {
    await runProgram(["keys", "create", "--data-dir", dir]);
    const { Database } = await import("bun:sqlite");
    const database = new Database(join(dir, "ctxrepo.db"));
    database.run("PRAGMA user_version = 9999");
    database.close();
    const { code, stderr } = await runProgram(["keys", "list", "--data-dir", dir]);
    expect(code).toBe(1);
    expect(stderr).toContain("newer version");
  });
});
