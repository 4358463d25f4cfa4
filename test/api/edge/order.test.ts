// The order of the checks of the edge: each one comes before the next.

import { describe, expect, test } from "bun:test";
import { createClient, USER_AGENT, useServer } from "../../helpers/start.ts";

const started = useServer();

const unknownId = "0".repeat(27);

async function send(method: string, path: string, headers: Record<string, string>, body?: string) {
  const response = await started.send(new Request(started.url + path, { method, headers, body }));
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe("the order of the checks", () => {
  const evil = { Host: "evil.example" };
  const noAgent = { "User-Agent": "python-requests/2.31.0" };
  const agent = { "User-Agent": USER_AGENT };
  const json = { "Content-Type": "application/json" };
  test.each([
    ["Host before User-Agent", "GET", "/v1/nowhere", { ...evil, ...noAgent }, undefined, 403, "Host"],
    ["User-Agent before path", "GET", "/v1/nowhere", noAgent, undefined, 403, "error code: 1010"],
    ["path before authentication", "GET", "/v1/nowhere", agent, undefined, 404, "no such path"],
    ["method before authentication", "PUT", "/v1/search", agent, undefined, 405, "GET"],
    ["authentication before JSON", "POST", "/v1/documents", { ...agent, ...json }, "{", 401, "credentials"],
    [
      "authentication before size",
      "POST",
      "/v1/documents",
      { ...agent, ...json },
      "x".repeat(41 << 20),
      401,
      "credentials",
    ],
    ["authentication before the id", "GET", "/v1/documents/short", agent, undefined, 401, "credentials"],
  ])("%s", async (_name, method, path, headers, body, status, text) => {
    const reply = await send(method, path, headers, body);
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(text);
  });

  test("scope before JSON, and before the record is looked up", async () => {
    const reader = started.clientOf("reader@example.org", ["documents.read"]);
    expect((await reader("POST", "/v1/documents", "{")).status).toBe(403);
    expect((await reader("DELETE", `/v1/documents/${unknownId}`)).status).toBe(403);
    expect((await reader("GET", `/v1/documents/${unknownId}`)).status).toBe(404);
  });
});

describe("paths and methods", () => {
  test.each([
    ["POST", "/v1/user/me", "GET, HEAD"],
    ["OPTIONS", "/v1/documents", "GET, HEAD, POST"],
    ["PUT", `/v1/documents/${unknownId}`, "GET, HEAD, PATCH, DELETE"],
    ["DELETE", "/health", "GET, HEAD"],
  ])("%s %s is 405 with Allow", async (method, path, allow) => {
    const { status, headers } = await started.client(method, path);
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe(allow);
  });

  test.each([
    "/v1/documents/",
    "/v1//documents",
    "/V1/documents",
    "/v1/search/",
    "/v1",
    "/v1/",
    "/",
    "/favicon.ico",
  ])("%s is an unknown path", async (path) => {
    const { status, body } = await started.client("GET", path);
    expect(status).toBe(404);
    expect(body.error.code).toBe(404);
  });

  test.each([
    "short",
    `${unknownId}0`,
    "..%2F..%2Fetc",
    "%00",
    "%ff",
    "é".repeat(27),
    "-".repeat(27),
    `%30${unknownId.slice(1)}`,
  ])("a malformed id in a path is 400: %s", async (id) => {
    const { status, body } = await started.client("GET", `/v1/documents/${id}`);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path: "id", message: expect.any(String) }]);
  });
});

describe("authentication", () => {
  const wrong = () => {
    const { key } = started.key;
    const last = key.at(-1) === "0" ? "1" : "0";
    return [
      undefined,
      "",
      "API-Key",
      "API-Key ",
      `API-Key  ${key}`,
      `api-key ${key}`,
      `Api-Key ${key}`,
      `API-KEY ${key}`,
      `Bearer ${key}`,
      `Basic ${btoa(`${key}:`)}`,
      key,
      `API-Key ${key.slice(0, -1)}`,
      `API-Key ${key.slice(0, -1)}${last}`,
      `API-Key ${key} x`,
      `API-Key "${key}"`,
      "API-Key gm_a_b_c",
      "API-Key gm__",
      "API-Key <INVALID_KEY>",
      `API-Key gm_${"0".repeat(16)}_${"0".repeat(49)}`,
      `API-Key ${"x".repeat(10_000)}`,
    ];
  };

  test("every wrong Authorization is the same 401", async () => {
    const bodies = new Set<string>();
    for (const value of wrong()) {
      const headers = { "User-Agent": USER_AGENT, ...(value !== undefined && { Authorization: value }) };
      const { status, text, headers: received } = await send("GET", "/v1/user/me", headers);
      expect([value, status]).toEqual([value, 401]);
      expect(received.get("www-authenticate")).toContain("API-Key");
      bodies.add(text);
    }
    // The messages differ where the form is wrong and the right one is named.
    const kinds = new Set([...bodies].map((text) => JSON.parse(text).error.message.split(":")[0]));
    expect(kinds.size).toBe(1);
    expect([...bodies].join()).not.toContain(started.key.key);
  });

  test("a valid key is accepted until it is revoked", async () => {
    const { revokeKey } = await import("../../../src/auth/keys.ts");
    const client = started.clientOf("revoked@example.org");
    const me = await client("GET", "/v1/user/me");
    expect(me.body.data).toEqual({
      kind: "apiKey",
      userId: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      email: "revoked@example.org",
      permissions: ["prompts.write", "documents.write"],
    });
    const { publicId } = started.app.store.sql
      .query<{ publicId: string }, [string]>("SELECT public_id AS publicId FROM api_keys WHERE user_id = ?")
      .get(me.body.data.userId)!;
    started.write((write) => revokeKey(write, publicId));
    expect((await client("GET", "/v1/user/me")).status).toBe(401);
  });

  test("the manifest requires none", async () => {
    const anonymous = createClient(started.url, "none", started.send);
    const { status, headers, body } = await anonymous("GET", "/v1/mcp/capabilities");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("public, max-age=86400, s-maxage=86400");
    expect(headers.get("x-api-version")).toBe("v1");
    expect([...headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([]);
    expect(typeof body.version).toBe("string");
    const members = {
      prompts: ["rest", "list", "get", "create", "update", "delete", "versions", "searchQueryParam"],
      documents: ["rest", "list", "get", "create", "update", "delete", "versions", "scrape"],
      collections: ["rest", "list", "get", "create", "update", "delete", "items"],
      search: ["rest"],
      progressiveDisclosure: ["search", "expand", "read", "session"],
      reason: ["rest"],
      auth: ["bearer", "apiKey"],
    };
    expect(Object.keys(body.capabilities)).toEqual(Object.keys(members));
    for (const [group, names] of Object.entries(members)) {
      expect(Object.keys(body.capabilities[group])).toEqual(names);
      expect(Object.values(body.capabilities[group]).every((value) => typeof value === "boolean")).toBe(true);
    }
  });
});
