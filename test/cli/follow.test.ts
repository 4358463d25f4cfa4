// serve --follow: a twin that has the records of the other server, says that it is one, and refuses writes.

import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram, serveProgram } from "../helpers/program.ts";
import { createClient, makeTempDir, useServer } from "../helpers/start.ts";

const there = useServer({ socket: true });
const folder = makeTempDir("ctxrepo-follow-");
const dataDir = join(folder, "data");
const environment = { DESK_KEY: there.key.key, CTXREPO_CONFIG_DIR: join(folder, "config") };
const ctxrepo = (...args: string[]) => runProgram([...args, "--data-dir", dataDir], environment);
afterAll(() => rmSync(folder, { recursive: true }));

/** Asks until `look` finds something; a pull is a process of its own. */
async function eventually<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(100)) {
    const value = await look();
    if (value !== undefined) return value;
  }
  throw new Error("not within a minute");
}

test("a twin follows the other server and is read-only for everyone else", async () => {
  await there.create("/v1/documents", { title: "Tea", content: "The kettle whistles." });
  expect((await ctxrepo("remote", "add", "desk", there.url, "--key-env", "DESK_KEY")).code).toBe(0);
  const { key } = JSON.parse((await ctxrepo("keys", "create", "--json")).stdout);
  const twin = await serveProgram(dataDir, ["--follow", "desk"], environment);
  const client = createClient(twin.url, key);
  try {
    const follows = await eventually(async () => {
      const health = (await (await fetch(`${twin.url}/health`)).json()) as {
        follows: { remote: string; since: number; pulledAt?: number };
      };
      return health.follows.pulledAt === undefined ? undefined : health.follows;
    });
    expect(follows).toEqual({ remote: "desk", since: expect.any(Number), pulledAt: expect.any(Number) });
    const { body } = await client("GET", "/v1/documents");
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(["Tea"]);
    const refused = [
      await client("POST", "/v1/documents", { title: "New", content: "" }),
      await client("DELETE", `/v1/documents/${body.data[0].id}`),
      await client("POST", "/v1/documents", { title: "New", content: "" }, { "X-Ctxrepo-Follow": "1" }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.error.message]).toEqual([
        403,
        expect.stringContaining("read-only twin of the remote desk"),
      ]);
    }
    const found = await client("POST", "/v1/pd/search", { query: "kettle" });
    expect(found.status).toBe(200);

    const edited = await ctxrepo("mv", "Tea", "Coffee");
    expect([edited.code, edited.stderr]).toEqual([1, expect.stringContaining("read-only twin")]);
    expect(JSON.parse((await ctxrepo("status", "--json")).stdout).follows).toMatchObject({ remote: "desk" });
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    const listed = await client("POST", "/mcp?tools=all", message, {
      Accept: "application/json, text/event-stream",
    });
    expect(JSON.stringify(listed.body)).toContain("deep_search");
    expect(JSON.stringify(listed.body)).not.toContain("create_document");
  } finally {
    await twin.kill("SIGTERM");
  }
});

test("a remote that is not known is refused at the start", async () => {
  const { code, stderr } = await ctxrepo("serve", "--port", "0", "--follow", "dusk");
  expect([code, stderr]).toEqual([2, expect.stringContaining("--follow: no remote is called dusk")]);
});
