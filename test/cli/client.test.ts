// How commands find the process that serves the data directory, or become it: files, locks, signals and takeover, with
// real processes.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { localAuthorization, localProof } from "../../src/auth/local-access.ts";
import { LOCAL_OWNER } from "../../src/auth/users.ts";
import { readAddress, writeAddress } from "../../src/cli/address-file.ts";
import { openClient } from "../../src/cli/client.ts";
import { lockDataDirectory } from "../../src/db/server-lock.ts";
import { RUNTIME_DIR } from "../helpers/processes.ts";
import {
  type LongCommand,
  longCommand,
  runProgram,
  type ServingProgram,
  serveProgram,
} from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";

const FILES = join(RUNTIME_DIR, "ctxrepo");

// Some tests call the client in this process.
const { XDG_RUNTIME_DIR } = process.env;
beforeAll(() => {
  process.env.XDG_RUNTIME_DIR = RUNTIME_DIR;
});
afterAll(() => {
  if (XDG_RUNTIME_DIR === undefined) delete process.env.XDG_RUNTIME_DIR;
  else process.env.XDG_RUNTIME_DIR = XDG_RUNTIME_DIR;
});

let root: string;
let dir: string;
let running: { kill: LongCommand["kill"] }[] = [];
beforeEach(() => {
  root = makeTempDir();
  dir = join(root, "data");
});
afterEach(async () => {
  await Promise.all(running.map((program) => program.kill("SIGKILL")));
  running = [];
  rmSync(root, { recursive: true, force: true });
  rmSync(FILES, { recursive: true, force: true });
});

async function started<Program extends LongCommand | ServingProgram>(
  starting: Promise<Program>,
): Promise<Program> {
  const program = await starting;
  running.push(program);
  return program;
}
const command = (environment?: Record<string, string>) => started(longCommand(dir, environment));
const server = () => started(serveProgram(dir));
const note = (title: string) => ["POST", "/v1/documents", { title, content: "text" }] as const;

describe("without a server", () => {
  test("the first command holds the data directory, and others are its clients, whatever proxies are set", async () => {
    const first = await command();
    expect(await first.request(...note("one"))).toMatchObject({ status: 201, usesServer: false });
    const proxy = "http://127.0.0.1:9";
    const second = await command({ HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy });
    const listed = await second.request("GET", "/v1/documents");
    expect([listed.usesServer, listed.body.data.length]).toEqual([true, 1]);
    const asked = await runProgram(["ask", "--json", "What is one?", "--data-dir", dir]);
    expect(asked.code).toBe(3);
  });

  test("the address file is private, outside the data directory, and removed at the end", async () => {
    const first = await command();
    const [name = "", ...others] = readdirSync(FILES);
    expect(others).toEqual([]);
    expect(statSync(join(FILES, name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir).filter((file) => !file.startsWith("ctxrepo.db"))).toEqual([]);
    expect(await first.kill("SIGTERM")).toBe(0);
    expect(readdirSync(FILES)).toEqual([]);
    expect(readdirSync(dir)).toEqual(["ctxrepo.db"]);
  });

  test("when the holder is killed, its client holds the data directory at once", async () => {
    const [first, second] = [await command(), await command()];
    await first.kill("SIGKILL");
    expect(await second.request(...note("after"))).toMatchObject({ status: 201, usesServer: false });
  });

  test("a reading command does not create a data directory", async () => {
    const { code, stderr } = await runProgram(["ask", "Who?", "--data-dir", dir]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`no database in ${dir}`)]);
    expect(() => statSync(dir)).toThrow();
  });
});

describe("a server", () => {
  test("is used by commands; a second one exits with 1; after its SIGKILL a command continues", async () => {
    const serving = await server();
    const client = await command();
    expect(await client.request(...note("one"))).toMatchObject({ status: 201, usesServer: true });
    const second = await runProgram(["serve", "--port", "0", "--data-dir", dir]);
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining("another ctxrepo")]);
    await serving.kill("SIGKILL");
    expect((await client.request("GET", "/v1/documents")).body.data).toHaveLength(1);
    const again = await command();
    expect((await again.request("GET", "/v1/user/me")).usesServer).toBe(true);
  });

  test("takes over from a command that is writing; no write is lost or repeated", async () => {
    const [holder, client] = [await command(), await command()];
    let written = 0;
    let isDone = false;
    const write = async (program: LongCommand) => {
      let usesServer = false;
      while (!isDone) {
        const reply = await program.request(...note(`note ${written++}`));
        expect(reply.status).toBe(201);
        usesServer = reply.usesServer;
      }
      return usesServer;
    };
    const writing = [write(holder), write(client)];
    const serving = await server();
    isDone = true;
    await Promise.all(writing);
    const last = await holder.request("GET", "/v1/documents?limit=1");
    expect([last.status, last.usesServer]).toEqual([200, true]);
    expect((await client.request("GET", "/v1/user/me")).usesServer).toBe(true);
    const { stdout } = await runProgram(["users", "list", "--json", "--data-dir", dir]);
    expect(JSON.parse(stdout)[0].records).toBe(written);
    await serving.kill("SIGTERM");
    expect(await holder.request("GET", "/v1/user/me")).toMatchObject({ status: 200, usesServer: false });
  });
});

describe("takeover", () => {
  test("needs a proof of the secret; everybody else gets the 404 of an unknown path", async () => {
    const holder = await command();
    const { url, secret } = readAddress(dir)!;
    const send = (path: string, headers: Record<string, string>) =>
      fetch(url + path, { method: "POST", headers: { "User-Agent": "t/1", ...headers } });
    const replies = await Promise.all([
      send("/local/take-over", {}),
      send("/local/take-over", { "X-Ctxrepo-Nonce": "n", "X-Ctxrepo-Proof": "" }),
      send("/local/take-over", { "X-Ctxrepo-Nonce": "n", "X-Ctxrepo-Proof": secret }),
      send("/local/take-over", {
        "X-Ctxrepo-Nonce": "n",
        "X-Ctxrepo-Proof": localProof(secret, "call check n"),
      }),
      send("/local/check", {}),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await holder.request("GET", "/v1/user/me")).usesServer).toBe(false);
  });

  test("waits for a request whose body is still being sent", async () => {
    await command();
    const { url, secret, pid } = readAddress(dir)!;
    const { host, port } = new URL(url);
    const body = JSON.stringify({ title: "slow", content: "text" });
    let received = "";
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: Number(port),
      socket: {
        data(_socket, data) {
          received += data.toString();
        },
        close: () => close(),
      },
    });
    socket.write(
      `POST /v1/documents HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: t/1\r\nContent-Type: application/json\r\n` +
        `Authorization: ${localAuthorization(secret, LOCAL_OWNER)}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    // The process reads connections in order: it has the request when it has answered this.
    expect((await fetch(`${url}/health`, { keepalive: false })).status).toBe(200);
    const starting = server();
    // The file is removed when the takeover begins.
    while (readAddress(dir)?.pid === pid) await new Promise((resolve) => setImmediate(resolve));
    socket.write(body.slice(10));
    await starting;
    await closed;
    expect(received).toStartWith("HTTP/1.1 201 ");
  });
});

describe("a process that does not answer", () => {
  test("is waited for, because it may be starting, and then reported", async () => {
    mkdirSync(dir);
    const unlock = lockDataDirectory(dir);
    const open = (maxWaitMs: number) =>
      openClient({ dataDir: dir, user: LOCAL_OWNER, creates: true, maxWaitMs });
    await expect(open(100)).rejects.toThrow("does not answer");
    const opening = open(60_000);
    setTimeout(unlock, 1);
    const client = await opening;
    expect((await client.request("GET", "/v1/user/me")).status).toBe(200);
    await client.close();
  });

  test("another program on the port of a stale file is ignored and receives no credential", async () => {
    await runProgram(["keys", "create", "--data-dir", dir]);
    const seen: Request[] = [];
    const other = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        seen.push(request);
        return Response.json({ data: { email: "trap" } });
      },
    });
    try {
      const secret = "s".repeat(43);
      writeAddress(dir, { url: `http://127.0.0.1:${other.port}`, secret, isServer: true });
      const { code, stdout } = await runProgram(["ask", "--json", "Who?", "--data-dir", dir]);
      expect([code, JSON.parse(stdout).citations]).toEqual([3, []]);
      const sent = seen.map(({ method, url, headers }) => [method, url, JSON.stringify(headers)].join(" "));
      expect(sent).toHaveLength(1);
      expect(sent[0]).not.toContain(secret);
    } finally {
      await other.stop(true);
    }
  });

  test("a data directory that was moved away and replaced has no server", async () => {
    await server();
    const moved = Bun.spawnSync(["sh", "-c", 'mv "$0" "$0.old" && mkdir "$0"', dir]);
    expect(moved.exitCode).toBe(0);
    const fresh = await command();
    expect((await fresh.request("GET", "/v1/user/me")).usesServer).toBe(false);
  });
});
