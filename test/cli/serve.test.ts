// ctxrepo serve as a process: first start, a second server, signals, SIGKILL, settings.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { createClient, makeTempDir, USER_AGENT } from "../helpers/start.ts";
import { runHere } from "./usage.ts";

let root: string;
let dir: string;
beforeEach(() => {
  root = makeTempDir();
  dir = join(root, "data");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The command that stores a first document. */
const EXAMPLE = /curl [\s\S]*?'\n/;

test("the first start prints a key and an example, the second neither", async () => {
  const first = await serveProgram(dir);
  const key = await first.key();
  expect(first.stderr()).toMatch(EXAMPLE);
  expect(await first.kill("SIGTERM")).toBe(0);
  const second = await serveProgram(dir);
  expect((await createClient(second.url, key)("GET", "/v1/user/me")).body.data.email).toBe("owner@localhost");
  expect(await second.kill("SIGINT")).toBe(0);
  expect(second.stderr()).not.toContain("gm_");
});

const curl = Bun.which("curl");
if (!curl) console.warn("skipped: the command that the first start prints, because curl is not installed");
test.skipIf(!curl)("the command that the first start prints works when it is pasted", async () => {
  const server = await serveProgram(dir);
  await server.key();
  const { stdout, stderr } = Bun.spawnSync(["sh", "-c", EXAMPLE.exec(server.stderr())![0]]);
  expect(stdout.toString(), stderr.toString()).toContain('"revision":0');
  await server.kill("SIGTERM");
});

test("a second server on the same data directory is rejected, whatever its HOME", async () => {
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

test("after SIGKILL a server starts again and has everything that was acknowledged", async () => {
  const first = await serveProgram(dir);
  const client = createClient(first.url, await first.key());
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
    const again = createClient(second.url, await first.key());
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

test("a request whose body is still being sent when SIGTERM arrives gets its response", async () => {
  const server = await serveProgram(dir);
  const { port } = new URL(server.url);
  const body = JSON.stringify({ title: "t", content: "text" });
  let received = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(port),
    socket: {
      data(_socket, data) {
        received += data.toString();
      },
    },
  });
  socket.write(
    `POST /v1/documents HTTP/1.1\r\nHost: localhost:${port}\r\nUser-Agent: ${USER_AGENT}\r\n` +
      `Authorization: API-Key ${await server.key()}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  // The server reads connections in order: it has the request when it has answered this.
  const isServing = () => fetch(`${server.url}/health`, { keepalive: false }).then(Boolean, () => false);
  expect(await isServing()).toBe(true);
  const stopped = server.kill("SIGTERM");
  while (await isServing());
  socket.write(body.slice(10));
  expect(await stopped).toBe(0);
  expect(received).toStartWith("HTTP/1.1 201 ");
});

describe("settings", () => {
  test.each([
    ["a port that is not a number", ["--port", "x"], "--port must be"],
    ["an unknown policy", ["--user-agent-policy", "lax"], "--user-agent-policy must be"],
    ["an address that is not loopback", ["--host", "0.0.0.0"], "--allow-remote"],
    ["a base URL that is not a URL", ["--base-url", "example"], "--base-url must be"],
    ["an allowed host that is a URL", ["--allow-host", "http://example.org"], "--allow-host must be"],
    ["a models folder without a model", ["--models-dir", "/nonexistent"], "--models-dir"],
  ])("%s is wrong usage, and the message names the option", async (_name, args, message) => {
    const { code, stderr } = await runHere(["serve", "--data-dir", dir, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("environment variables are used, and flags take precedence", async () => {
    const fromVariable = await runProgram(["serve", "--data-dir", dir], { CTXREPO_PORT: "x" });
    expect(fromVariable.stderr).toContain("CTXREPO_PORT must be");
    const server = await serveProgram(dir, [], { CTXREPO_PORT: "1", CTXREPO_USER_AGENT_POLICY: "off" });
    const { status } = await fetch(`${server.url}/v1/mcp/capabilities`, {
      headers: { "User-Agent": "node" },
    });
    expect(status).toBe(200);
    await server.kill("SIGTERM");
  });

  test("a port in use is reported", async () => {
    const server = await serveProgram(dir);
    const { port } = new URL(server.url);
    const { code, stderr } = await runProgram(["serve", "--port", port, "--data-dir", join(root, "other")]);
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${port} is in use`);
    await server.kill("SIGTERM");
  });

  test("a file that is not a database is rejected and not changed", async () => {
    await Bun.write(join(dir, "ctxrepo.db"), "this is a diary, not a database. ".repeat(100));
    const { code, stderr } = await runProgram(["serve", "--port", "0", "--data-dir", dir]);
    expect(code).toBe(1);
    expect(stderr).toContain("not a database");
    expect(await Bun.file(join(dir, "ctxrepo.db")).text()).toStartWith("this is a diary");
  });

  test("a database of a newer version is rejected", async () => {
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
