// Responses as they are sent: chunked framing and the /v1 headers, read from a raw socket. Query strings, and request
// lines of up to 64 kB.

import { beforeAll, describe, expect, test } from "bun:test";
import { type RawRequest, rawRequest, requestText } from "../../helpers/raw.ts";
import { useServer } from "../../helpers/start.ts";

let id: string;
const started = useServer({ socket: true });

beforeAll(async () => {
  id = (await started.client("POST", "/v1/documents", { title: "a", content: "b" })).body.data.id;
});

const send = (request: RawRequest) => rawRequest(started.port, requestText(started, request));

const json = "Content-Type: application/json";

describe("every response", () => {
  const unknown = "0".repeat(27);
  test.each<[string, () => RawRequest, number]>([
    ["a record", () => ({ path: `/v1/documents/${id}` }), 200],
    ["an identity", () => ({ path: "/v1/user/me" }), 200],
    ["the manifest", () => ({ path: "/v1/mcp/capabilities", key: null }), 200],
    ["a search", () => ({ path: "/v1/search?q=b&semantic=false" }), 200],
    [
      "a create",
      () => ({ method: "POST", path: "/v1/documents", headers: [json], body: '{"title":"t","content":""}' }),
      201,
    ],
    ["a 400", () => ({ path: "/v1/search" }), 400],
    ["a 401", () => ({ path: "/v1/user/me", key: null }), 401],
    ["a 404 of a record", () => ({ path: `/v1/documents/${unknown}` }), 404],
    ["a 404 of a path", () => ({ path: "/v1/nowhere" }), 404],
    ["a 405", () => ({ method: "DELETE", path: "/v1/search" }), 405],
  ])("%s is chunked JSON with the version headers", async (_name, request, status) => {
    const reply = await send(request());
    expect(reply.status).toBe(status);
    expect(reply.headers.get("transfer-encoding")).toBe("chunked");
    expect(reply.headers.has("content-length")).toBe(false);
    expect(reply.headers.get("content-type")).toBe("application/json");
    expect(reply.headers.get("x-api-version")).toBe("v1");
    expect(reply.headers.get("deprecation")).toBe("?0");
    expect(reply.payload).toMatch(/^[0-9a-f]+\r\n\{/);
  });

  test("a 304 has the version headers and no body", async () => {
    const etag = (await send({ path: `/v1/documents/${id}` })).headers.get("etag");
    const reply = await send({ path: `/v1/documents/${id}`, headers: [`If-None-Match: ${etag}`] });
    expect(reply.status).toBe(304);
    expect(reply.payload).toBe("");
    expect(reply.headers.get("x-api-version")).toBe("v1");
    expect(reply.headers.get("deprecation")).toBe("?0");
    expect(reply.headers.has("transfer-encoding")).toBe(false);
  });

  test.each(["/v1/user/me", "/v1/mcp/capabilities", "/v1/nowhere"])(
    "HEAD %s has the framing of GET and no body",
    async (path) => {
      const reply = await rawRequest(
        started.port,
        requestText(started, { method: "HEAD", path }),
        (received) => received.includes("\r\n\r\n"),
      );
      expect(reply.headers.get("transfer-encoding")).toBe("chunked");
      expect(reply.headers.has("content-length")).toBe(false);
      expect(reply.payload).toBe("");
    },
  );

  test("authenticated responses and errors have Cache-Control: no-store", async () => {
    for (const path of [`/v1/documents/${id}`, "/v1/search", `/v1/documents/${unknown}`]) {
      expect((await send({ path })).headers.get("cache-control")).toBe("no-store");
    }
  });
});

test("the rejection of a User-Agent is not chunked", async () => {
  const reply = await send({ path: "/v1/user/me", userAgent: "" });
  expect([reply.status, reply.payload]).toEqual([403, "error code: 1010"]);
  expect(reply.headers.has("transfer-encoding")).toBe(false);
});

test("a path with two leading slashes is unknown", async () => {
  expect((await send({ path: "//v1/documents" })).status).toBe(404);
});

describe("query strings", () => {
  test.each([
    ["q=a&limit=1&limit=2"],
    ["q=a&x=1&x=1"],
    ["q=a&limit="],
    ["q=a&limit=0"],
    ["q=a&limit=51"],
    ["q=a&limit=1.5"],
    ["q=a&limit=0x10"],
    ["q=a&limit=1e1"],
    ["q=a&limit=+5"],
    ["q=a&limit=five"],
    ["q=a&semantic=yes"],
    ["q=a&semantic=TRUE"],
    ["q=a&semantic="],
    ["q=a&scoreThreshold=1.1"],
    ["q=a&scoreThreshold=-0.1"],
    ["q=a&scoreThreshold=NaN"],
    ["q=a&scoreThreshold=1e400"],
    ["q=a&scoreThreshold=1e1"],
    ["q=a&scoreThreshold=.5"],
    ["q=a&scoreThreshold=0.5."],
    ["q=a&scoreThreshold=00.5"],
    ["q=a&scoreThreshold=1.0000000000000002"],
    ["q=a&type=pictures"],
    ["q=a&query=b"],
    ["q="],
    ["q=%20%20"],
    ["q=a%00b"],
    ["q=a&tags=%00"],
    ["q=%ff"],
    ["q=%"],
    [`q=${"x".repeat(4001)}`],
    ["limit=5"],
  ])("%s is 400", async (query) => {
    const { status, body } = await started.client("GET", `/v1/search?${query}`);
    expect(status).toBe(400);
    expect(body.error.details[0]).toEqual({ path: expect.any(String), message: expect.any(String) });
  });

  test.each([
    ["q=a&query=a"],
    ["query=a"],
    ["q=a&unknown=1"],
    ["q=a&tags="],
    ["q=a&limit=50"],
    ["q=a&scoreThreshold=0"],
    ["q=a&scoreThreshold=0.7713135081333118"],
    [`q=a&scoreThreshold=0.${"3".repeat(5_000)}`],
    [`q=a&scoreThreshold=1.${"0".repeat(5_000)}`],
    ["q=a&scoreThreshold=1e-7"],
    ["q=a&scoreThreshold=5.551115123125783E-17"],
    ["q=a&scoreThreshold=1"],
  ])("%s is accepted", async (query) => {
    expect((await started.client("GET", `/v1/search?${query}`)).status).toBe(200);
  });

  test("4,000 characters of a three-byte script fit into a request line", async () => {
    const q = "字".repeat(4000);
    const { status, body } = await started.client(
      "GET",
      `/v1/search?semantic=false&q=${encodeURIComponent(q)}`,
    );
    expect(status).toBe(200);
    expect(body.meta.query).toBe(q);
  });
});
