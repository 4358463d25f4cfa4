// ctxrepo tokens create, users list and users remove while a server runs; no secret is logged.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram, type ServingProgram, serveProgram } from "../helpers/program.ts";
import { createClient, makeTempDir, type Reply, USER_AGENT } from "../helpers/start.ts";
import { runHere } from "./usage.ts";

let dir: string;
let server: ServingProgram;
const secrets: string[] = [];

beforeAll(async () => {
  dir = join(makeTempDir(), "data");
  await runProgram(["keys", "create", "--data-dir", dir]);
  server = await serveProgram(dir, ["--log-level", "debug"]);
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(dir, { recursive: true, force: true });
});

const program = (...args: string[]) => runProgram([...args, "--data-dir", dir]);
async function json(...args: string[]) {
  const { stdout, stderr } = await program(...args, "--json");
  return (stdout === "" ? { stderr } : JSON.parse(stdout)) as Reply["body"];
}
const me = async (authorization: string) =>
  fetch(`${server.url}/v1/user/me`, { headers: { "User-Agent": USER_AGENT, Authorization: authorization } });

describe("tokens create", () => {
  test.each([
    ["session", /^eyJ/, 4],
    ["oauth", /^oat_eyJ/, 4],
    ["machine", /^mt_eyJ/, 1],
    ["managed", /^ak_eyJ/, 1],
  ])("a token of kind %s is accepted by the server", async (kind, shape, scopes) => {
    const before = Date.now();
    const made = await json(
      "tokens",
      "create",
      "--kind",
      kind,
      "--user",
      "bob@example.org",
      "--scopes",
      "documents.read",
      "--ttl",
      "2m",
    );
    expect(Object.keys(made)).toEqual(["token", "kind", "userId", "scopes", "expiresAt"]);
    expect(made.token).toMatch(shape);
    expect(made.kind).toBe(kind);
    expect(made.scopes.length).toBe(scopes);
    // A token has whole seconds.
    expect(made.expiresAt).toBeGreaterThan(before + 119_000);
    expect(made.expiresAt).toBeLessThan(Date.now() + 121_000);
    secrets.push(made.token);
    const reply = await me(`Bearer ${made.token}`);
    expect(reply.status).toBe(200);
  });

  test("without --json only the token is printed on stdout", async () => {
    const { stdout } = await program("tokens", "create", "--kind", "session");
    expect(stdout).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/);
    secrets.push(stdout.trim());
  });

  test.each([
    ["no kind", []],
    ["an unknown kind", ["--kind", "admin"]],
    ["an unknown scope", ["--kind", "machine", "--scopes", "all"]],
    ["a lifetime of nothing", ["--kind", "machine", "--ttl", "0"]],
    ["a lifetime in an unknown unit", ["--kind", "machine", "--ttl", "1y"]],
    ["a user that is not an e-mail address", ["--kind", "machine", "--user", "bob"]],
  ])("%s is wrong usage", async (_name, args) => {
    expect((await runHere(["tokens", "create", ...args, "--data-dir", dir])).code).toBe(2);
  });
});

describe("users", () => {
  test("list shows the users and how many records they own", async () => {
    const { key } = await json("keys", "create", "--user", "carol@example.org");
    secrets.push(key);
    const hers = createClient(server.url, key);
    await hers("POST", "/v1/documents", { title: "Hers", content: "text" });
    await hers("POST", "/v1/prompts", { title: "Hers", description: "d", content: "text" });
    await hers("POST", "/v1/collections", { name: "Hers" });
    const users = await json("users", "list");
    const carol = users.find(({ email }: { email: string }) => email === "carol@example.org");
    expect(carol).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      email: "carol@example.org",
      name: null,
      createdAt: expect.any(Number),
      records: 3,
    });
    expect((await program("users", "list")).stdout).toContain("carol@example.org");
  });

  test("remove is rejected while records exist; with --with-data it deletes them and the tokens are invalid at once", async () => {
    const rejected = await program("users", "remove", "carol@example.org");
    expect(rejected.code).toBe(1);
    expect(rejected.stderr).toContain("--with-data");
    const { token } = await json("tokens", "create", "--kind", "machine", "--user", "carol@example.org");
    secrets.push(token);
    expect((await me(`Bearer ${token}`)).status).toBe(200);
    const removed = await json("users", "remove", "Carol@example.org", "--with-data");
    expect(removed).toMatchObject({ success: true, email: "carol@example.org", records: 3 });
    expect((await me(`Bearer ${token}`)).status).toBe(401);
    expect((await program("users", "remove", "carol@example.org")).code).toBe(1);
  });
});

test("the log contains no secret", async () => {
  const { key } = await json("keys", "create");
  secrets.push(key);
  const client = createClient(server.url, key);
  const idempotencyKey = "an-idempotency-key-nobody-should-see";
  secrets.push(idempotencyKey, "password-in-a-query", "secret body text");
  await client(
    "POST",
    "/v1/documents",
    { title: "t", content: "secret body text" },
    { "Idempotency-Key": idempotencyKey },
  );
  await client("GET", "/v1/search?semantic=false&q=password-in-a-query");
  await client("POST", "/v1/documents", '{"title": "secret body text"');
  await me(`Bearer ${secrets[0]}broken`);
  await me(`API-Key ${key.slice(0, -1)}`);
  // Lines are written in order: once this request is logged, all others are.
  const { headers } = await fetch(`${server.url}/v1/nowhere`);
  const lastId = headers.get("x-request-id")!;
  while (!server.stderr().includes(lastId)) await new Promise((turn) => setImmediate(turn));
  const log = server.stderr();
  expect(log).toContain('"route":"/v1/search"');
  expect(log.split("\n").length).toBeGreaterThan(8);
  expect(secrets.length).toBeGreaterThan(8);
  for (const secret of secrets) {
    expect(log).not.toContain(secret);
    expect(log).not.toContain(secret.slice(24, 60) || secret);
  }
});
