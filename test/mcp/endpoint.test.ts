// POST /mcp as an HTTP endpoint: Host, Origin, method, credentials, scopes, rate limits, body, selection of tools,
// versions.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createToken } from "../../src/auth/tokens.ts";
import { openInstance } from "../../src/auth/instance.ts";
import { ensureUser } from "../../src/auth/users.ts";
import type { Scope } from "../../src/auth/scopes.ts";
import { createKey } from "../../src/auth/keys.ts";
import { ManualClock } from "../../src/kernel/clock.ts";
import { mcpPoster } from "../helpers/mcp.ts";
import { startServer, useServer } from "../helpers/start.ts";

const started = useServer();
const { post, ask, tool } = mcpPoster(started);

const keyWith = (scopes: Scope[], email = "owner@localhost") =>
  started.write((write) => createKey(write, ensureUser(write, email), { name: null, scopes })).key;
const namesFor = async (headers: Record<string, string>, query = "?tools=all") =>
  (await ask("tools/list", {}, { query, headers })).message.result.tools.map(
    ({ name }: { name: string }) => name,
  );

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "tests", version: "1" },
};
const MODERN = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

describe("the request", () => {
  test.each([
    ["Host", { Host: "evil.example" }],
    ["Origin", { Origin: "https://evil.example" }],
    ["Sec-Fetch-Site", { "Sec-Fetch-Site": "cross-site" }],
  ])("with a foreign %s is rejected", async (_, headers) => {
    const { status, message } = await ask("tools/list", {}, { headers: headers as Record<string, string> });
    expect([status, message.error.code]).toEqual([403, 403]);
  });

  test.each(["GET", "DELETE", "PUT", "OPTIONS"])("with the method %s is 405 in JSON", async (method) => {
    const response = await started.send(new Request(`${started.url}/mcp`, { method }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect(((await response.json()) as { error: { code: number } }).error.code).toBe(405);
  });

  test.each(["", "node", "python-requests/2.32", "Bun/1.4"])("may have the User-Agent %j", async (agent) => {
    expect((await ask("tools/list", {}, { headers: { "User-Agent": agent } })).status).toBe(200);
  });

  test.each(["application/json", "*/*", undefined])(
    "may accept %j, and is answered in JSON",
    async (accept) => {
      const headers = { ...(accept !== undefined && { Accept: accept }) };
      for (const { method, params } of [
        { method: "initialize", params: INITIALIZE },
        { method: "tools/list", params: {} },
        { method: "tools/call", params: { name: "list_documents" } },
        { method: "server/discover", params: MODERN },
      ]) {
        const response = await started.send(
          new Request(`${started.url}/mcp`, {
            method: "POST",
            headers: {
              Authorization: `Bearer ${started.key.key}`,
              "Content-Type": "application/json",
              ...(params === MODERN && { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method }),
              ...headers,
            },
            body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }),
          }),
        );
        expect([method, response.status, response.headers.get("content-type")]).toEqual([
          method,
          200,
          expect.stringContaining("application/json"),
        ]);
        expect(await response.json()).toMatchObject({ id: 7, result: expect.any(Object) });
      }
    },
  );

  test("may have arguments that are null", async () => {
    const { message } = await ask("tools/call", { name: "list_documents", arguments: null });
    expect(message.result.content[0].text).toContain("No document matches");
  });

  test.each([
    ["tools/call", { name: "list_documents", arguments: [1] }, "arguments: got [1]; send an object"],
    ["prompts/get", { name: "x", arguments: "a" }, 'arguments: got "a"; send an object'],
    ["prompts/get", { name: "x", arguments: { a: { b: 1 } } }, 'arguments.a: got {"b":1}; send a text'],
  ])("%s %j is -32602 in plain words", async (method, params, words) => {
    const { status, message } = await ask(method, params, { id: "own" });
    expect([status, message.id, message.error]).toEqual([
      200,
      "own",
      { code: -32602, message: expect.stringContaining(words) },
    ]);
  });

  test.each([
    ["not JSON", "{"],
    ["a number", "1"],
    ["a lone surrogate", '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":"\\ud800"}}'],
    ["an inexact integer", '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":9007199254740993}}'],
    ["deep nesting", "[".repeat(100_000)],
  ])("whose body is %s is 400 in JSON-RPC", async (_, body) => {
    const { status, message } = await post(body);
    expect([status, message.jsonrpc, message.id, message.error.code]).toEqual([400, "2.0", null, 400]);
  });

  test("that is compressed is 400", async () => {
    expect((await ask("tools/list", {}, { headers: { "Content-Encoding": "gzip" } })).status).toBe(400);
  });

  test("over 40 MB is 413, and a document of 5 MB is stored", async () => {
    const huge = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x", params: "a".repeat(41 * 1024 ** 2) });
    expect((await post(huge)).status).toBe(413);
    const content = "word ".repeat(1024 ** 2);
    expect((await tool("create_document", { title: "long", content })).isError).toBe(false);
    const tooLong = await tool("create_document", { title: "too long", content: `${content}x` });
    expect([tooLong.isError, tooLong.text]).toEqual([true, expect.stringContaining("Send less")]);
  });
});

test("each message has a line in the log, and a tool call one of its own, without arguments", async () => {
  const { headers } = await ask("tools/call", { name: "find_items", arguments: { query: "a secret" } });
  const lines = started.log.map((line) => JSON.parse(line));
  const requestId = headers.get("x-request-id");
  const own = lines.filter((line) => line.requestId === requestId);
  expect(own).toEqual([
    expect.objectContaining({ level: "debug", message: "tool call", tool: "find_items" }),
    expect.objectContaining({
      message: expect.stringMatching(/^(slow )?request$/),
      route: "/mcp",
      status: 200,
      caller: started.key.id,
    }),
  ]);
  expect(own[1].bytes).toBeGreaterThan(50);
  expect(started.log.join("")).not.toContain("a secret");
});

describe("credentials", () => {
  test("are an API key or a token, each as on /v1, and keys also as Bearer", async () => {
    const instance = await openInstance(started.app.store);
    const user = started.write((write) => ensureUser(write, "owner@localhost"));
    const clock = { now: Date.now(), newId: () => `jti-${Math.trunc(performance.now())}` };
    const created = await createToken(instance, clock, { kind: "session", user, scopes: [], ttlSeconds: 60 });
    const { key } = started.key;
    for (const authorization of [
      `API-Key ${key}`,
      `Bearer ${key}`,
      `bearer ${key}`,
      `Bearer ${created.token}`,
    ]) {
      const { message } = await ask(
        "tools/call",
        { name: "get_user_info" },
        {
          query: "?tools=get_user_info",
          headers: { Authorization: authorization },
        },
      );
      expect(message.result.structuredContent.email).toBe("owner@localhost");
    }
  });

  test.each(["", "Bearer x", "Bearer gm_x_y", "api-key gm_x_y", "Basic YTpi"])(
    "%j are rejected with 401 in JSON, without naming OAuth metadata",
    async (authorization) => {
      const { status, headers, message } = await post("{", { headers: { Authorization: authorization } });
      expect([status, message.jsonrpc, message.error.code]).toEqual([401, "2.0", 401]);
      expect(message.error.message).toContain("ctxrepo keys create");
      expect(headers.get("www-authenticate")).toBe('Bearer realm="ctxrepo", API-Key realm="ctxrepo"');
    },
  );

  test("that are wrong are explained to clients that try to register for OAuth then", async () => {
    const response = await started.send(
      new Request(`${started.url}/register`, { method: "POST", body: "{}" }),
    );
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        error: "invalid_client_metadata",
        error_description: expect.stringContaining("send an API key as `Authorization: Bearer gm_…`"),
      },
    ]);
  });

  test("name the metadata of this resource if an identity provider is configured", async () => {
    const other = startServer({ settings: { oidcIssuer: "http://127.0.0.1:9" } });
    try {
      const { headers } = await mcpPoster(other).post("{}", { headers: { Authorization: "" } });
      const [, url = ""] = /resource_metadata="([^"]+)"/.exec(headers.get("www-authenticate") ?? "") ?? [];
      const metadata = await (await other.send(new Request(url))).json();
      expect(metadata).toMatchObject({
        resource: `${other.url}/mcp`,
        authorization_servers: ["http://127.0.0.1:9"],
      });
    } finally {
      await other.stop();
    }
  });

  test("decide what the other lists contain, which are empty without them", async () => {
    await started.client("POST", "/v1/prompts", { title: "t", description: "d", content: "c" });
    const headers = { Authorization: `Bearer ${keyWith(["documents.read"])}` };
    expect((await ask("prompts/list", {}, { headers })).message.result.prompts).toEqual([]);
    expect((await ask("prompts/list")).message.result.prompts.length).toBe(1);
  });

  test("decide which tools are listed, and the others are rejected when called", async () => {
    const headers = { Authorization: `Bearer ${keyWith(["prompts.read"])}` };
    expect(await namesFor(headers)).toEqual([
      "find_items",
      "search_prompts",
      "read_prompt",
      "get_user_info",
      "get_prompt_versions",
    ]);
    const { message } = await ask(
      "tools/call",
      { name: "create_document", arguments: { title: "a", content: "b" } },
      { query: "?tools=all", headers },
    );
    expect(message.error.message).toContain("the credential lacks its scope");
    const listed = (await ask("resources/list", {}, { headers })).message.result;
    expect(listed).toMatchObject({ resources: [], nextCursor: "prompts:" });
    const scraper = await namesFor({ Authorization: `Bearer ${keyWith(["documents.scrape"])}` });
    expect(scraper).toEqual(["scrape_url", "get_user_info", "refresh_document"]);
  });
});

describe("the selection of tools", () => {
  test("is the core by default, in a fixed order", async () => {
    const core = await namesFor({}, "");
    expect(core).toEqual([
      "find_items",
      "deep_search",
      "deep_read",
      "deep_expand",
      "reason",
      "list_documents",
      "get_document",
      "create_document",
      "update_document",
      "search_prompts",
      "read_prompt",
      "scrape_url",
    ]);
    expect(await namesFor({}, "?tools=core,delete_prompt")).toEqual([...core, "delete_prompt"]);
    expect(await namesFor({}, "?tools=deep_read,find_items")).toEqual(["find_items", "deep_read"]);
    expect(await namesFor({}, "?tools=")).toEqual(core);
  });

  test.each(["?readonly=true", "?read_only=true&tools=all", "?tool=get_document", "?x"])(
    "with the unknown parameter in %s is 400",
    async (query) => {
      const { status, message } = await ask("tools/list", {}, { query });
      expect([status, message.error.message]).toEqual([
        400,
        expect.stringContaining("which accepts tools and readOnly"),
      ]);
    },
  );

  test("readOnly leaves out everything that writes, also when it is called", async () => {
    const { message } = await ask("tools/list", {}, { query: "?tools=all&readOnly=true" });
    const { tools } = message.result;
    expect(tools.length).toBe(15);
    for (const { annotations } of tools) expect(annotations.readOnlyHint).toBe(true);
    const called = await ask("tools/call", { name: "create_document" }, { query: "?readOnly=true" });
    expect(called.message.error.code).toBe(-32602);
  });

  test.each(["?tools=nope", "?tools=find_items,nope", "?tools=,", "?readOnly=1", "?tools=all&tools=core"])(
    "%s is 400 in JSON-RPC",
    async (query) => {
      const { status, message } = await ask("tools/list", {}, { query });
      expect([status, message.jsonrpc, message.error.code]).toEqual([400, "2.0", 400]);
    },
  );
});

describe("the rate limit", () => {
  const clock = new ManualClock();
  let limited: ReturnType<typeof startServer>;
  let calls: ReturnType<typeof mcpPoster>;
  beforeAll(() => {
    const settings = { rateLimitRead: 3, rateLimitWrite: 2, rateLimitScrape: 1 };
    limited = startServer({ clock, settings });
    calls = mcpPoster(limited);
  });
  afterAll(() => limited.stop());

  test("is that of the operation, in the same counters", async () => {
    // A search in a new session is one POST, although it runs two operations.
    await calls.tool("deep_search", { query: "a", sessionId: "new" });
    const first = await limited.client("POST", "/v1/pd/expand", { chunkId: "x", direction: "up" });
    expect(first.headers.get("ratelimit-remaining")).toBe("0");
    clock.advance(20_000);
    const third = await calls.tool("create_document", { title: "a", content: "b" });
    expect([third.isError, third.text]).toEqual([
      true,
      "more than 2 write requests in a minute. Wait 40 seconds, then repeat the call.",
    ]);
    // Reads have their own counter.
    expect((await calls.tool("list_documents")).isError).toBe(false);
    expect((await limited.client("GET", "/v1/documents")).headers.get("ratelimit-remaining")).toBe("1");
    clock.advance(40_001);
    expect((await calls.tool("create_document", { title: "a", content: "b" })).isError).toBe(false);
  });

  test("does not count what reads or writes nothing", async () => {
    clock.advance(60_001);
    for (let n = 0; n < 10; n++) await calls.ask("tools/list");
    await calls.tool("get_document", { documentId: "2yGqQzDbdVZNFCVpSyVEFDUUbZ5", offset: "x" });
    expect((await limited.client("GET", "/v1/documents")).headers.get("ratelimit-remaining")).toBe("2");
  });
});

describe("a repeated message", () => {
  const note = { name: "create_prompt", arguments: { title: "t", description: "d", content: "c" } };
  const count = async () => (await started.client("GET", "/v1/prompts?limit=100")).body.data.length;

  test("with the same Idempotency-Key writes once, whatever the operation accepts over HTTP", async () => {
    const before = await count();
    const options = { query: "?tools=all", headers: { "Idempotency-Key": "frame-1" }, id: 7 };
    const [first, second] = [await ask("tools/call", note, options), await ask("tools/call", note, options)];
    expect(second.message.result.structuredContent).toEqual(first.message.result.structuredContent);
    expect(await count()).toBe(before + 1);
    await ask("tools/call", note, { ...options, id: 8 });
    expect(await count()).toBe(before + 2);
  });

  test("is two in a batch, each with its own result", async () => {
    const before = await count();
    const batch = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "tools/call", params: note }));
    await post(batch, { query: "?tools=all", headers: { "Idempotency-Key": "frame-2" } });
    await post(batch, { query: "?tools=all", headers: { "Idempotency-Key": "frame-2" } });
    expect(await count()).toBe(before + 2);
  });

  test("with a malformed key is 400", async () => {
    expect((await ask("tools/list", {}, { headers: { "Idempotency-Key": "ü" } })).status).toBe(400);
  });
});

describe("versions of the protocol", () => {
  const client = { capabilities: {}, clientInfo: { name: "t", version: "1" } };

  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("%s is agreed on", async (version) => {
    const { message } = await ask("initialize", { protocolVersion: version, ...client });
    expect(message.result.protocolVersion).toBe(version);
    expect(message.result.serverInfo.name).toBe("ctxrepo");
    const listed = await ask("tools/list", {}, { headers: { "MCP-Protocol-Version": version } });
    expect(listed.message.result.tools.length).toBe(12);
  });

  test("2026-07-28 is discovered, in JSON, with cache hints", async () => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": client.clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const as = (method: string) => ({
      headers: { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method },
    });
    const discovered = await ask("server/discover", { _meta }, as("server/discover"));
    expect(discovered.headers.get("content-type")).toBe("application/json");
    expect(discovered.message.result.supportedVersions).toContain("2026-07-28");
    expect(discovered.message.result.instructions).toContain("It contains");
    const listed = await ask("tools/list", { _meta }, as("tools/list"));
    expect(listed.message.result).toMatchObject({ ttlMs: 3_600_000, cacheScope: "private" });
  });
});
