// Nothing of a rejected request is returned or stored at length, whatever part of it is long.

import { describe, expect, test } from "bun:test";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { mcpPoster } from "../../helpers/mcp.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer();
const LONG = "n".repeat(300_000);
const { pathCharacters, messageCharacters } = LIMITS.error;
/** A response to anything of this file, and what is stored of it. */
const MAX_CHARACTERS = 3_000;

/** The stored responses of requests with idempotency keys. */
const receipts = () =>
  started.app.store.sql.query<{ body: string }, []>("SELECT body FROM idempotency_receipts").all();

describe("a name that is as long as a body", () => {
  const withMetadata = (metadata: string) => `{"title":"t","content":"c","metadata":${metadata}}`;
  test.each([
    ["with an inexact integer", withMetadata(`{"${LONG}":9007199254740993}`)],
    ["with a lone surrogate", withMetadata(`{"${LONG}":"\\ud800"}`)],
    ["with a lone surrogate in it", withMetadata(`{"a":{"${LONG}":{"\\ud800":1}}}`)],
    ["with an infinite number", withMetadata(`{"a":[{"${LONG}":1e999}]}`)],
    ["in a short body", withMetadata(`{"${LONG.slice(0, 20_000)}":1e999}`)],
    ["of two characters a unit", withMetadata(`{"${"\u{1f600}".repeat(60_000)}":1e999}`)],
  ])("%s is cut in the response and in its receipt", async (_name, body) => {
    const before = receipts().length;
    const reply = await started.client("POST", "/v1/documents", body, {
      "Idempotency-Key": crypto.randomUUID(),
    });
    expect(reply.status).toBe(400);
    const { message, details } = reply.body.error;
    expect(details.length).toBe(1);
    expect(details[0].path.length).toBeLessThanOrEqual(pathCharacters);
    expect(details[0].path).toEndWith("…");
    expect(details[0].path.isWellFormed()).toBe(true);
    expect(message).toBe(`${details[0].path}: ${details[0].message}`);
    const stored = receipts();
    expect(stored.length).toBe(before + 1);
    expect(Math.max(...stored.map((receipt) => receipt.body.length))).toBeLessThan(MAX_CHARACTERS);
  });
});

type Request = [method: string, path: string, body?: unknown, headers?: Record<string, string>];
const document = (body: object): Request => ["POST", "/v1/documents", { title: "t", content: "", ...body }];
/** As long as a header or a path may be. */
const HEADER = LONG.slice(0, 50_000);
const UNKNOWN = "0".repeat(27);

test.each<[string, Request]>([
  ["a title", document({ title: LONG })],
  ["a source", document({ sourceType: LONG })],
  ["a tag", document({ tags: [LONG] })],
  ["a list of tags", document({ tags: Array(50_000).fill(5) })],
  ["an id of a collection", document({ collectionIds: [LONG] })],
  ["a list of ids", document({ collectionIds: Array(500).fill(LONG.slice(0, 9_000)) })],
  ["a colour", ["POST", "/v1/collections", { name: "n", color: LONG }]],
  ["a parent", ["POST", "/v1/collections", { name: "n", parentCollectionId: LONG }]],
  ["a query", ["POST", "/v1/pd/search", { query: LONG }]],
  ["a session", ["POST", "/v1/pd/search", { query: "q", sessionId: LONG }]],
  ["a chunk", ["POST", "/v1/pd/expand", { chunkId: LONG, direction: "up" }]],
  ["a document of a question", ["POST", "/v1/reason", { query: "q", documentId: LONG }]],
  ["a URL", ["POST", "/v1/documents/scrape", { url: LONG }]],
  [
    "the name of a header",
    ["POST", "/v1/documents/scrape", { url: "a.example", options: { headers: { [LONG]: "a" } } }],
  ],
  [
    "a variable",
    [
      "POST",
      "/v1/prompts",
      { title: "t", description: "", content: "c", variables: [{ name: "a", type: LONG }] },
    ],
  ],
  ["a parameter's name", ["GET", `/v1/documents?${HEADER}=%00`]],
  ["a parameter's value", ["GET", `/v1/documents?limit=${HEADER}`]],
  ["a cursor", ["GET", `/v1/documents?cursor=${HEADER}`]],
  ["an id in a path", ["GET", `/v1/documents/${HEADER}`]],
  ["a path", ["GET", `/v1/${HEADER}`]],
  ["If-Match", ["PATCH", `/v1/documents/${UNKNOWN}`, {}, { "If-Match": HEADER }]],
  ["Idempotency-Key", ["POST", "/v1/documents", {}, { "Idempotency-Key": HEADER }]],
  ["Content-Type", ["POST", "/v1/documents", "{}", { "Content-Type": HEADER }]],
  ["a token", ["GET", "/v1/user/me", undefined, { Authorization: `Bearer ${HEADER}` }]],
  ["a local credential", ["GET", "/v1/user/me", undefined, { Authorization: `Local ${HEADER}` }]],
])("%s that is too long is not returned", async (_name, request) => {
  const reply = await started.client(...request);
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(reply.status).toBeLessThan(500);
  expect(JSON.stringify(reply.body).length).toBeLessThan(MAX_CHARACTERS);
  expect(reply.body.error.message.length).toBeLessThanOrEqual(messageCharacters);
});

test("the user of a local command who does not exist is named in short", async () => {
  const email = Buffer.from(`${LONG.slice(0, 5_000)}@example.org`).toString("base64url");
  const reply = await started.client("GET", "/v1/user/me", undefined, {
    Authorization: `Local ${started.app.credentials.localSecret}.${email}`,
  });
  expect(reply.status).toBe(403);
  expect(reply.body.error.message).toContain("n… does not exist");
});

describe("messages of MCP", () => {
  const call = (name: unknown, given: unknown = {}) => ({
    method: "tools/call",
    params: { name, arguments: given },
  });
  test.each<[string, object]>([
    ["an id", { id: LONG, method: "ping" }],
    ["an id in a small message", { id: LONG.slice(0, 20_000), method: "ping" }],
    ["an id of another type", { id: { [LONG]: LONG }, method: "ping" }],
    ["a method", { id: 1, method: LONG }],
    ["a version of the protocol", { jsonrpc: LONG, id: 1, method: "ping" }],
    ["a tool", { id: 1, ...call(LONG) }],
    ["a tool that fits", { id: 1, ...call(LONG.slice(0, 30_000)) }],
    ["an argument's name", { id: 1, ...call("get_document", { [LONG]: 1 }) }],
    ["an argument", { id: 1, ...call("get_document", { documentId: LONG }) }],
    ["arguments of another type", { id: 1, ...call("get_document", LONG) }],
    [
      "a URI",
      { id: 1, method: "resources/read", params: { uri: `ctxrepo://documents/${LONG.slice(0, 60_000)}` } },
    ],
    ["a prompt", { id: 1, method: "prompts/get", params: { name: LONG.slice(0, 60_000) } }],
    [
      "a template",
      {
        id: 1,
        method: "completion/complete",
        params: {
          ref: { type: "ref/resource", uri: LONG.slice(0, 60_000) },
          argument: { name: "id", value: "" },
        },
      },
    ],
    [
      "problems with parameters",
      {
        id: 1,
        method: "completion/complete",
        params: {
          ref: { type: "ref/prompt", name: "a" },
          argument: { name: "a", value: "a" },
          context: {
            arguments: Object.fromEntries(
              Array.from({ length: 9_000 }, (_, index) => [`name ${index}`, index]),
            ),
          },
        },
      },
    ],
    ["a cursor", { id: 1, method: "resources/list", params: { cursor: LONG.slice(0, 60_000) } }],
    [
      "a client's name",
      {
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: LONG.slice(0, 60_000),
          capabilities: {},
          clientInfo: { name: LONG.slice(0, 60_000), version: "1" },
        },
      },
    ],
  ])("%s that is too long is not returned", async (_name, message) => {
    const { post } = mcpPoster(started);
    const { status, message: returned } = await post({ jsonrpc: "2.0", ...message });
    expect(status).toBeLessThan(500);
    expect(JSON.stringify(returned).length).toBeLessThan(MAX_CHARACTERS);
  });

  test("ids of 200 characters are returned", async () => {
    const id = "i".repeat(200);
    const { message } = await mcpPoster(started).post({ jsonrpc: "2.0", id, method: "ping" });
    expect(message.id).toBe(id);
  });
});

test("the replay of a result that was too large to be stored says so, and writes nothing", async () => {
  const { post } = mcpPoster(started);
  const content = "Explain the noise. ".repeat(10_000);
  const create = () =>
    post(
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "create_prompt", arguments: { title: "Noise", description: "d", content } },
      },
      { query: "?tools=all", headers: { "Idempotency-Key": "large-result" } },
    );
  const first = (await create()).message.result;
  expect(first).toMatchObject({ content: [{ text: expect.stringContaining("Noise") }] });
  expect(first.isError).toBeUndefined();
  const second = (await create()).message.result;
  expect(second.isError).toBe(true);
  const { data } = (await started.client("GET", "/v1/prompts?search=Noise")).body;
  expect(data.length).toBe(1);
  expect(second.content[0].text).toBe(
    `the call was executed before, and its result is too large to be repeated: read the record ${data[0].id}`,
  );
  expect(Math.max(...receipts().map(({ body }) => body.length))).toBeLessThan(LIMITS.receipt.bodyBytes);
});
