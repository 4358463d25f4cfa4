// ctxrepo open: the address with its one-time code, wrong usage, and without a server.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { FROM_CONSOLE } from "../helpers/console-client.ts";
import { runProgram, type ServingProgram, serveProgram } from "../helpers/program.ts";
import { makeTempDir, USER_AGENT } from "../helpers/start.ts";

let folder: string;
let dir: string;
let server: ServingProgram;
beforeAll(async () => {
  folder = makeTempDir();
  dir = join(folder, "data");
  server = await serveProgram(dir);
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(folder, { recursive: true });
});

const open = (...args: string[]) => runProgram(["open", ...args, "--data-dir", dir]);

/** Signs in with the code of an address, and returns the response. */
function signIn(address: string): Promise<Response> {
  const [, code] = /#signin=([\w-]+)/.exec(address) ?? [];
  return fetch(`${server.url}/console/api/session`, {
    method: "POST",
    headers: { ...FROM_CONSOLE, "User-Agent": USER_AGENT, "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
}

describe("--print", () => {
  test("prints an address that signs in as the local owner, once", async () => {
    const { code, stdout } = await open("--print");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/#signin=[\w-]{43}\n$/);
    expect(stdout).toStartWith(server.url);
    const reply = await signIn(stdout);
    expect(reply.status).toBe(201);
    const Cookie = reply.headers.get("set-cookie")!.split(";", 1)[0]!;
    const headers = { ...FROM_CONSOLE, "User-Agent": USER_AGENT, Cookie };
    const identity = await (await fetch(`${server.url}/console/api/identity`, { headers })).json();
    expect(identity).toMatchObject({ data: { email: "owner@localhost", managesKeys: true } });
    expect((await signIn(stdout)).status).toBe(401);
  });

  test("keeps the query and the fragment of the view", async () => {
    const { stdout } = await open(
      "/console/documents/2yGqQzDbdVZNFCVpSyVEFDUUbZ5?view=source#chunk",
      "--print",
    );
    const { pathname, search, hash } = new URL(stdout.trim());
    expect(pathname + search).toBe("/console/documents/2yGqQzDbdVZNFCVpSyVEFDUUbZ5?view=source");
    expect(hash).toMatch(/^#signin=[\w-]{43}&chunk$/);
  });

  test("opens a record by its name", async () => {
    const added = await runProgram([
      "add",
      "--title",
      "Boiler",
      "--data-dir",
      dir,
      join(import.meta.dir, "usage.ts"),
    ]);
    const { stdout } = await open("boiler", "--print");
    expect(new URL(stdout.trim()).pathname).toBe(`/console/documents/${added.stdout.trim()}`);
  });

  test("--json prints the address and when the code expires", async () => {
    const { url, expiresAt } = JSON.parse((await open("--print", "--json")).stdout);
    expect(url).toStartWith(`${server.url}/console/#signin=`);
    expect(expiresAt).toBeGreaterThan(1_700_000_000_000);
  });
});

test("without a display, the address is printed", async () => {
  const { code, stdout, stderr } = await open();
  expect(code).toBe(0);
  expect(stdout).toContain("#signin=");
  expect(stderr).toContain("within a minute");
});

test.each([
  "/v1/documents",
  "console/",
  "https://evil.example/console/",
  "//evil.example/console/",
  "/console/../v1",
])("%s is wrong usage", async (path) => {
  const { code, stdout, stderr } = await open(path, "--print");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("NAME");
});

test("another user signs in as that user; an unknown one does not exist", async () => {
  await runProgram(["keys", "create", "--user", "ada@example.org", "--data-dir", dir]);
  expect((await open("--user", "ada@example.org", "--print")).code).toBe(0);
  const { code, stderr } = await open("--user", "nobody@example.org", "--print");
  expect(code).toBe(1);
  expect(stderr).toContain("nobody@example.org");
});

test("without a server it fails and says what to do", async () => {
  const { code, stdout, stderr } = await runProgram(["open", "--print", "--data-dir", join(folder, "none")]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("ctxrepo serve");
});
