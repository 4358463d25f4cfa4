// HEAD: the status and headers of GET, framing included, without the body. Read from a bare socket.

import { beforeAll, describe, expect, test } from "bun:test";
import { rawRequest, requestText } from "../../helpers/raw.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer({ socket: true });
let document: string;
let prompt: string;
let collection: string;
let etag: string;
beforeAll(async () => {
  const { client } = started;
  const created = await client("POST", "/v1/documents", { title: "a", content: "b" });
  document = created.body.data.id;
  etag = created.headers.get("etag")!;
  prompt = (await client("POST", "/v1/prompts", { title: "a", description: "", content: "b" })).body.data.id;
  collection = (await client("POST", "/v1/collections", { name: "a" })).body.data.id;
});

const send = (method: string, path: string, headers: string[] = []) =>
  rawRequest(started.port, requestText(started, { method, path, headers }), () => false);

const unknown = "0".repeat(27);

describe("HEAD on /v1 has GET's headers with chunked framing and no body", () => {
  test.each<[string, () => string, number]>([
    ["an identity", () => "/v1/user/me", 200],
    ["a list", () => "/v1/documents", 200],
    ["a document", () => `/v1/documents/${document}`, 200],
    ["its versions", () => `/v1/documents/${document}/versions`, 200],
    ["its coordination", () => `/v1/documents/${document}/coordination`, 200],
    ["a prompt", () => `/v1/prompts/${prompt}`, 200],
    ["a collection", () => `/v1/collections/${collection}`, 200],
    ["streamed items", () => `/v1/collections/${collection}/items?includeContent=true`, 200],
    ["an unknown document", () => `/v1/documents/${unknown}`, 404],
    ["a malformed id", () => "/v1/documents/short", 400],
    ["an unknown path", () => "/v1/nowhere", 404],
    ["an operation without GET", () => "/v1/reason", 405],
    ["an operation with an id and without GET", () => `/v1/documents/${document}/restore`, 405],
  ])("%s", async (_name, path, status) => {
    const get = await send("GET", path());
    const head = await send("HEAD", path());
    expect([get.status, head.status]).toEqual([status, status]);
    expect(head.payload).toBe("");
    expect(head.headers.get("transfer-encoding")).toBe("chunked");
    expect([...head.headers.keys()].sort()).toEqual([...get.headers.keys()].sort());
    for (const name of ["etag", "allow", "content-type", "x-api-version", "deprecation", "cache-control"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });
});

test.each(["GET", "HEAD"])("a 304 to %s has neither framing header", async (method) => {
  const reply = await send(method, `/v1/documents/${document}`, [`If-None-Match: ${etag}`]);
  expect(reply.status).toBe(304);
  expect(reply.headers.get("etag")).toBe(etag);
  expect(reply.headers.has("content-length")).toBe(false);
  expect(reply.headers.has("transfer-encoding")).toBe(false);
  expect(reply.payload).toBe("");
});

test.each(["/health", "/openapi.json", "/docs"])(
  "HEAD %s has the length of GET and no body",
  async (path) => {
    const get = await send("GET", path);
    const head = await send("HEAD", path);
    expect(head.status).toBe(get.status);
    expect(head.payload).toBe("");
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(0);
  },
);
