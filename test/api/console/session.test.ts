// Signing in to the console, and where its cookie counts.

import { describe, expect, test } from "bun:test";
import { createKey, revokeKey } from "../../../src/auth/keys.ts";
import { localAuthorization } from "../../../src/auth/local-access.ts";
import { ensureUser, removeUser } from "../../../src/auth/users.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { consoleClient, FROM_CONSOLE, pageRequests, signIn } from "../../helpers/console-client.ts";
import { type Reply, startServer, useServer } from "../../helpers/start.ts";

const clock = new ManualClock();
const started = useServer({ clock });
const page = pageRequests(started, FROM_CONSOLE);
const newCode = () => started.app.consoleSessions.createCode(started.owner).code;
const cookieOf = ({ headers }: Reply) => headers.get("set-cookie") ?? "";

describe("a one-time code", () => {
  test("gives a cookie that scripts and other sites cannot use", async () => {
    const reply = await page("POST", "/console/api/session", { code: newCode() });
    expect(reply.status).toBe(201);
    expect(cookieOf(reply)).toMatch(
      /^ctxrepo_console_4817=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Strict$/,
    );
    expect(reply.headers.get("cache-control")).toBe("no-store");
  });

  test("can be used once", async () => {
    const code = newCode();
    expect((await page("POST", "/console/api/session", { code })).status).toBe(201);
    const again = await page("POST", "/console/api/session", { code });
    expect(again.status).toBe(401);
    expect(cookieOf(again)).toBe("");
  });

  test("expires after a minute", async () => {
    const [early, late] = [newCode(), newCode()];
    clock.advance(59_999);
    expect((await page("POST", "/console/api/session", { code: early })).status).toBe(201);
    clock.advance(1);
    expect((await page("POST", "/console/api/session", { code: late })).status).toBe(401);
  });

  test("is created only for local commands", async () => {
    const { localSecret } = started.app.credentials;
    const Authorization = localAuthorization(localSecret, "owner@localhost");
    const created = await started.client("POST", "/console/api/codes", undefined, { Authorization });
    expect(created.status).toBe(201);
    const { code } = created.body.data;
    expect((await page("POST", "/console/api/session", { code })).status).toBe(201);
    expect((await started.client("POST", "/console/api/codes")).status).toBe(403);
    const signedIn = await consoleClient(started);
    expect((await signedIn("POST", "/console/api/codes")).status).toBe(403);
  });

  test.each([
    ["without X-Console", { "Sec-Fetch-Site": "same-origin" }],
    ["from another port of this host", { "X-Console": "1", "Sec-Fetch-Site": "same-site" }],
    ["without Sec-Fetch-Site", { "X-Console": "1" }],
  ])("is not accepted %s", async (_name, headers) => {
    const code = newCode();
    const reply = await pageRequests(started, headers)("POST", "/console/api/session", { code });
    expect(reply.status).toBe(403);
    expect(cookieOf(reply)).toBe("");
  });
});

describe("an API key", () => {
  const keyFor = (email: string) =>
    started.write((write) =>
      createKey(write, ensureUser(write, email), { name: null, scopes: ["documents.read"] }),
    );

  test("gives a session with the scopes of the key", async () => {
    const { key } = keyFor("reader@example.org");
    const reply = await page("POST", "/console/api/session", { key });
    expect(reply.status).toBe(201);
    const Cookie = cookieOf(reply).split(";", 1)[0]!;
    const client = pageRequests(started, { ...FROM_CONSOLE, Cookie });
    const me = await client("GET", "/v1/user/me");
    expect(me.body.data).toMatchObject({ email: "reader@example.org", permissions: ["documents.read"] });
    expect((await client("POST", "/v1/documents", { title: "a", content: "b" })).status).toBe(403);
    expect((await client("GET", "/console/api/keys")).status).toBe(403);
  });

  test("ends its sessions when it is revoked", async () => {
    const { key, id } = keyFor("revoked@example.org");
    const Cookie = cookieOf(await page("POST", "/console/api/session", { key })).split(";", 1)[0]!;
    const client = pageRequests(started, { ...FROM_CONSOLE, Cookie });
    expect((await client("GET", "/v1/user/me")).status).toBe(200);
    started.write((write) => revokeKey(write, id));
    expect((await client("GET", "/v1/user/me")).status).toBe(401);
  });

  test.each([
    ["an unknown key", { key: "gm_unknown" }, 401],
    ["nothing", {}, 400],
    ["both", { key: "gm_a", code: "b" }, 400],
    ["a number", { key: 1 }, 400],
  ])("%s is rejected", async (_name, body, status) => {
    expect((await page("POST", "/console/api/session", body)).status).toBe(status);
  });
});

describe("the cookie", () => {
  const cases: [string, string, Record<string, string>, number][] = [
    ["counts for /v1", "/v1/user/me", FROM_CONSOLE, 200],
    ["counts for /console/api", "/console/api/status", FROM_CONSOLE, 200],
    ["needs X-Console", "/v1/user/me", { "Sec-Fetch-Site": "same-origin" }, 401],
    ["needs X-Console: 1", "/v1/user/me", { ...FROM_CONSOLE, "X-Console": "true" }, 401],
    ["needs Sec-Fetch-Site", "/v1/user/me", { "X-Console": "1" }, 401],
    ["needs our own page", "/v1/user/me", { ...FROM_CONSOLE, "Sec-Fetch-Site": "same-site" }, 401],
    ["does not count for a typed address", "/v1/user/me", { ...FROM_CONSOLE, "Sec-Fetch-Site": "none" }, 401],
    ["is rejected from other sites", "/v1/user/me", { ...FROM_CONSOLE, "Sec-Fetch-Site": "cross-site" }, 403],
    [
      "is rejected with a foreign Origin",
      "/v1/user/me",
      { ...FROM_CONSOLE, Origin: "https://evil.example" },
      403,
    ],
    ["is not used beside Authorization", "/v1/user/me", { ...FROM_CONSOLE, Authorization: "API-Key x" }, 401],
  ];
  test.each(cases)("%s", async (_name, path, headers, status) => {
    const Cookie = await signIn(started);
    expect((await pageRequests(started, { ...headers, Cookie })("GET", path)).status).toBe(status);
  });

  test("does not count for MCP", async () => {
    const client = await consoleClient(started);
    expect((await client("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "ping" })).status).not.toBe(200);
  });

  test("of another port is another one", async () => {
    const Cookie = (await signIn(started)).replace("4817", "4818");
    expect((await pageRequests(started, { ...FROM_CONSOLE, Cookie })("GET", "/v1/user/me")).status).toBe(401);
  });

  test("gets the rate-limit headers, and no limit for the local owner", async () => {
    const limited = startServer({ settings: { rateLimitRead: 1 } });
    const client = await consoleClient(limited);
    expect((await client("GET", "/v1/user/me")).headers.get("ratelimit-limit")).toBe("1000000");
    expect((await client("GET", "/v1/user/me")).status).toBe(200);
    await limited.stop();
  });

  test("has the attribute Secure if the server is reached by https", async () => {
    const proxied = startServer({ settings: { baseUrl: "https://context.example" } });
    const { code } = proxied.app.consoleSessions.createCode(proxied.owner);
    const reply = await pageRequests(proxied, FROM_CONSOLE)("POST", "/console/api/session", { code });
    expect(cookieOf(reply)).toEndWith("; HttpOnly; SameSite=Strict; Secure");
    await proxied.stop();
  });
});

describe("a session", () => {
  test("ends at sign-out", async () => {
    const client = await consoleClient(started);
    const reply = await client("DELETE", "/console/api/session");
    expect(reply.status).toBe(200);
    expect(cookieOf(reply)).toContain("Max-Age=0");
    expect((await client("GET", "/v1/user/me")).status).toBe(401);
  });

  test("ends after a day, although it is used", async () => {
    const client = await consoleClient(started);
    clock.advance(12 * 3_600_000);
    expect((await client("GET", "/v1/user/me")).status).toBe(200);
    clock.advance(12 * 3_600_000 - 1);
    expect((await client("GET", "/v1/user/me")).status).toBe(200);
    clock.advance(1);
    expect((await client("GET", "/v1/user/me")).status).toBe(401);
  });

  test("is not prolonged by setting the clock back", async () => {
    const client = await consoleClient(started);
    clock.step(-3_600_000);
    clock.advance(24 * 3_600_000);
    expect((await client("GET", "/v1/user/me")).status).toBe(401);
  });

  test("ends when its user is removed", async () => {
    const user = started.write((write) => ensureUser(write, "gone@example.org"));
    const client = await consoleClient(started, { ...started.owner, userId: user.id, email: user.email });
    expect((await client("GET", "/v1/user/me")).status).toBe(200);
    started.write((write) => removeUser(write, user.id));
    expect((await client("GET", "/v1/user/me")).status).toBe(401);
  });
});

test("codes and tokens never reach the log", async () => {
  const code = newCode();
  const reply = await page("POST", "/console/api/session", { code });
  const [, token = ""] = /=([\w-]{43});/.exec(cookieOf(reply)) ?? [];
  await pageRequests(started, { ...FROM_CONSOLE, Cookie: `ctxrepo_console_4817=${token}` })(
    "GET",
    "/v1/user/me",
  );
  expect(token).toHaveLength(43);
  expect(started.log.filter((line) => line.includes(code) || line.includes(token))).toEqual([]);
});
