// The other server behind a proxy with TLS: its certificate must be trusted.

import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { runProgram } from "../helpers/program.ts";
import { makeTempDir, useServer } from "../helpers/start.ts";

const CERTIFICATE = resolve(import.meta.dir, "../fixtures/tls/localhost.pem");
const KEY = resolve(import.meta.dir, "../fixtures/tls/localhost.key");

const there = useServer({ socket: true });
const proxy = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  tls: { cert: Bun.file(CERTIFICATE), key: Bun.file(KEY) },
  fetch(request) {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("Host", new URL(there.url).host);
    return fetch(there.url + pathname + search, { method: request.method, headers, body: request.body });
  },
});
const folder = makeTempDir("ctxrepo-tls-");
afterAll(() => {
  proxy.stop(true);
  rmSync(folder, { recursive: true });
});

const ctxrepo = (args: string[], environment: Record<string, string> = {}) =>
  runProgram([...args, "--data-dir", join(folder, "data")], {
    CTXREPO_CONFIG_DIR: join(folder, "config"),
    DESK_KEY: there.key.key,
    ...environment,
  });

test("a certificate that is not trusted is refused, and one that is trusted is used through the proxy", async () => {
  await there.create("/v1/documents", { title: "Tea", content: "tea" });
  const url = `https://localhost:${proxy.port}`;
  expect((await ctxrepo(["remote", "add", "desk", url, "--key-env", "DESK_KEY"])).code).toBe(0);
  const refused = await ctxrepo(["pull", "desk"]);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/cannot be reached: .*certificate/),
  ]);
  const pulled = await ctxrepo(["pull", "desk", "--json"], { NODE_EXTRA_CA_CERTS: CERTIFICATE });
  expect([pulled.code, JSON.parse(pulled.stdout).created]).toEqual([0, 1]);
});
