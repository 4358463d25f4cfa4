// What goes over the wire: chunked framing and the /v1 headers of every response, read from a bare socket; bodies and their
// limits; header blocks of 64 kB.

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

describe("bodies", () => {
  const good = '{"title":"t","content":"c"}';
  const post = (body: string, headers = [json]) =>
    send({ method: "POST", path: "/v1/documents", headers, body });
  test.each([
    ["malformed", "{"],
    ["empty", ""],
    ["null", "null"],
    ["an array", "[]"],
    ["a string", '"x"'],
    ["a number", "1"],
    ["only a byte order mark", "\ufeff"],
    ["a lone surrogate", '{"title":"\\ud800","content":""}'],
    ["a lone surrogate in an unknown member", '{"title":"t","content":"","x":["\\udc00"]}'],
    ["an infinite number", '{"title":"t","content":"","metadata":{"n":1e400}}'],
    ["a wrong type", '{"title":5,"content":""}'],
    ["a null", '{"title":"t","content":null}'],
  ])("%s is 400", async (_name, body) => {
    const reply = await post(body);
    expect(reply.status).toBe(400);
    expect(reply.payload).toContain('"details":[{"path":');
  });

  /** Posts through fetch, which streams the body. */
  const postBytes = (body: Buffer<ArrayBuffer> | ReadableStream) => {
    const headers = { "User-Agent": "t/1", Authorization: `API-Key ${started.key.key}` };
    return fetch(`${started.url}/v1/documents`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body,
    });
  };

  const inexact = "is an integer that cannot be represented exactly";
  const withMetadata = (metadata: string) => `{"title":"t","content":"","metadata":${metadata}}`;

  test("a Content-Type with 60,000 spaces is rejected in linear time", async () => {
    const startedAt = performance.now();
    const reply = await post(good, [`Content-Type: application/json${" ".repeat(60_000)}x`]);
    expect(reply.status).toBe(400);
    // Generous: quadratic time would take far longer.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test.each([
    ["tags.1", '{"title":"t","content":"","tags":["a","\\ud800"]}', "contains a lone surrogate"],
    ["metadata.a", withMetadata('{"b":1,"a":1e400}'), "is not a finite number"],
    ["metadata.a.1.b", withMetadata('{"a":[0,{"b":"\\udc00"}]}'), "contains a lone surrogate"],
    ["metadata.a", withMetadata('{"a":{"\\ud800":1}}'), "contains a lone surrogate in a name"],
    ["tags.0", '{"title":"t","content":"","tags":[5]}', "must be a string"],
    ["title", '{"content":""}', "is required"],
    ["sourceType", '{"title":"t","content":"","sourceType":"scrape"}', "must be one of manual, import"],
    ["body", `{"title":"t","content":"","x":[${"1,".repeat(500_000)}1]}`, "contains more than 500000 values"],
    ["metadata.id", withMetadata('{"id":9007199254740993}'), inexact],
    ["metadata.ids.2", withMetadata('{"ids":[1,2,-9007199254740993]}'), inexact],
    ["unknownMember", '{"title":"t","content":"","unknownMember":123456789012345678901234567890}', inexact],
  ])("the details name the path %s", async (path, body, message) => {
    const reply = await started.client("POST", "/v1/documents", body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details).toEqual([{ path, message }]);
    expect(reply.body.error.message).toBe(`${path}: ${message}`);
  });

  test("the details name a member of a list item", async () => {
    const variables = [
      { name: "a", type: "string" },
      { name: "b", type: "string" },
      { name: " ", type: "string" },
    ];
    const prompt = { title: "t", description: "", content: "c" };
    const blank = await started.client("POST", "/v1/prompts", { ...prompt, variables });
    expect(blank.body.error.details).toEqual([{ path: "variables.2.name", message: "must not be blank" }]);
    const unnamed = await started.client("POST", "/v1/prompts", {
      ...prompt,
      variables: [{ type: "string" }],
    });
    expect(unnamed.body.error.details[0]).toEqual({ path: "variables.0.name", message: "is required" });
  });

  test("numbers that are stored as sent are accepted", async () => {
    const metadata =
      '{"a":9007199254740992,"b":9007199254740994,"c":1e20,"d":0.1234567890123456789,"e":1.0,"f":-1.5e300,"g":"9007199254740993"}';
    const reply = await started.client("POST", "/v1/documents", withMetadata(metadata));
    expect(reply.status).toBe(201);
    const stored = await started.client("GET", `/v1/documents/${reply.body.data.id}`);
    expect(stored.body.data.metadata).toEqual(JSON.parse(metadata));
  });

  test("an integer that rounds to that of the first request is not replayed", async () => {
    const body = (id: string) => withMetadata(`{"id":${id}}`);
    const key = { "Idempotency-Key": "integers" };
    const first = await started.client("POST", "/v1/documents", body("9007199254740992"), key);
    expect(first.status).toBe(201);
    const second = await started.client("POST", "/v1/documents", body("9007199254740993"), key);
    expect(second.status).toBe(422);
  });

  test("a text of 39 MB is rejected without being read character by character", async () => {
    const query = "x".repeat(39 * 1024 * 1024);
    const iterate = String.prototype[Symbol.iterator];
    let longest = 0;
    String.prototype[Symbol.iterator] = function (this: string) {
      longest = Math.max(longest, this.length);
      return iterate.call(this);
    };
    try {
      expect([...query.slice(0, 5)].length).toBe(longest);
      const sent = started.client("POST", "/v1/pd/search", `{"query":"${query}"}`);
      expect((await sent).body.error.message).toBe("query: must be at most 4000 characters");
    } finally {
      String.prototype[Symbol.iterator] = iterate;
    }
    expect(longest).toBeLessThan(100_000);
  });

  test("invalid UTF-8 is 400", async () => {
    const reply = await postBytes(
      Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe]), Buffer.from('","content":""}')]),
    );
    expect(reply.status).toBe(400);
  });

  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  test("64 levels of nesting pass, 65 and 100,000 do not", async () => {
    const body = (levels: number) => withMetadata(nested(levels));
    expect((await post(body(64))).status).toBe(201);
    expect((await post(body(65))).status).toBe(400);
    expect(
      (await post(`{"title":"t","content":"","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).status,
    ).toBe(400);
  });

  test.each([
    ["application/json", 201],
    ["application/json; charset=utf-8", 201],
    ["APPLICATION/JSON;charset=UTF-8", 201],
    ["application/json; profile=x", 201],
    ['application/json; profile="a;b,c \\" d"', 201],
    ['application/json;charset="utf-8"', 201],
    ['application/json; charset="UTF\\-8"', 201],
    ["application/json ;; charset=utf-8 ;", 201],
    ["application/json; charset=latin1", 400],
    ["application/json; charset=utf-8; charset=latin1", 400],
    ["application/json; charset=", 400],
    ["application/json; charset = utf-8", 400],
    ['application/json; charset="utf-8', 400],
    ["application/json charset=utf-8", 400],
    ["application/json, text/plain", 400],
    ["application/json/x", 400],
    ["application / json", 400],
    ["json", 400],
    ["text/plain", 400],
    ["application/merge-patch+json", 400],
    ["application/x-www-form-urlencoded", 400],
    ["multipart/form-data; boundary=x", 400],
  ])("Content-Type %s is %d", async (type, status) => {
    expect((await post(good, [`Content-Type: ${type}`])).status).toBe(status);
  });

  test("an empty body is 400 if a body is required, and accepted if it is optional", async () => {
    const bare = (method: string, path: string, headers: string[] = []) =>
      send({ method, path, headers, body: "" });
    expect((await bare("PATCH", `/v1/documents/${id}`, [json])).status).toBe(400);
    expect((await bare("PATCH", `/v1/documents/${id}`)).status).toBe(400);
    expect((await bare("POST", "/v1/pd/session")).status).toBe(201);
    expect(
      (await bare("POST", "/v1/pd/session", ["Content-Type: application/x-www-form-urlencoded"])).status,
    ).toBe(201);
    expect((await send({ method: "POST", path: "/v1/pd/session", body: "{}" })).status).toBe(201);
  });

  test("a body that ends early is not logged as an error", async () => {
    const headers = [json, "Content-Length: 500"];
    const head = requestText(started, { method: "POST", path: "/v1/documents", headers });
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: started.port,
      socket: { data() {}, close: () => close() },
    });
    socket.write(`${head}{"title"`);
    socket.flush();
    socket.end();
    await closed;
    expect((await send({ path: "/v1/user/me" })).status).toBe(200);
    expect(started.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test("a missing Content-Type and any Content-Encoding are 400", async () => {
    expect((await post(good, [])).status).toBe(400);
    for (const encoding of ["gzip", "identity"]) {
      expect((await post(good, [json, `Content-Encoding: ${encoding}`])).status).toBe(400);
    }
  });

  test("over 40 MB is rejected by its Content-Length, before it is sent", async () => {
    const headers = [json, `Content-Length: ${41 * 1024 * 1024}`];
    const head = requestText(started, { method: "POST", path: "/v1/documents", headers });
    const reply = await rawRequest(started.port, `${head}{`);
    expect(reply.status).toBe(413);
    expect(reply.payload).toContain('"code":413');
  });

  test("over 40 MB without a Content-Length is rejected while it is sent", async () => {
    const megabyte = new Uint8Array(1 << 20).fill(0x20);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent++;
        if (sent > 2_000) controller.close();
        else controller.enqueue(megabyte);
      },
    });
    const reply = await postBytes(body).catch(() => undefined);
    if (reply) expect(reply.status).toBe(413);
    expect(sent).toBeLessThan(500);
    expect((await started.client("GET", "/v1/user/me")).status).toBe(200);
  });
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
