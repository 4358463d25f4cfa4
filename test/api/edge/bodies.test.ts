// Bodies of requests: what is accepted, what is rejected and where, and sizes.

import { beforeAll, describe, expect, test } from "bun:test";
import { type RawRequest, rawRequest, requestText } from "../../helpers/raw.ts";
import { useServer } from "../../helpers/start.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";

let id: string;
const started = useServer({ socket: true });

beforeAll(async () => {
  id = (await started.client("POST", "/v1/documents", { title: "a", content: "b" })).body.data.id;
});

const send = (request: RawRequest) => rawRequest(started.port, requestText(started, request));

const json = "Content-Type: application/json";

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
    const startedAt = cpuMs();
    const reply = await post(good, [`Content-Type: application/json${" ".repeat(60_000)}x`]);
    expect(reply.status).toBe(400);
    // Generous: quadratic time would take far longer.
    expect(cpuMs() - startedAt).toBeLessThan(5_000);
  });

  test.each([
    ["tags.1", '{"title":"t","content":"","tags":["a","\\ud800"]}', "contains a lone surrogate"],
    ["metadata.a", withMetadata('{"b":1,"a":1e400}'), "is not a finite number"],
    ["metadata.a.1.b", withMetadata('{"a":[0,{"b":"\\udc00"}]}'), "contains a lone surrogate"],
    ["metadata.a", withMetadata('{"a":{"\\ud800":1}}'), "contains a lone surrogate in a name"],
    ["tags.0", '{"title":"t","content":"","tags":[5]}', "must be a string"],
    ["title", '{"content":""}', "is required"],
    ["sourceType", '{"title":"t","content":"","sourceType":"scrape"}', "must be one of manual, import"],
    ["body", `{"title":"t","content":"","x":[${"1,".repeat(100_000)}1]}`, "contains more than 100000 values"],
    ["body", `{"x":{${'"n":1,'.repeat(10_000)}"n":1}}`, "contains more than 10000 names of members"],
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

  describe("in pieces", () => {
    const chunked = (pieces: string[]) => {
      const head = requestText(started, {
        method: "POST",
        path: "/v1/documents",
        headers: [json, "Transfer-Encoding: chunked"],
      });
      const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
      return rawRequest(started.port, `${head}${chunks.join("")}0\r\n\r\n`);
    };

    test("each character may be a chunk", async () => {
      expect((await chunked([...good, ...Array(1_000).fill(" ")])).status).toBe(201);
    });

    test("a body in more than 100,000 chunks is rejected", async () => {
      const reply = await chunked([...Array(150_000).fill(" "), good]);
      expect(reply.status).toBe(400);
      expect(reply.payload).toContain("pieces");
      expect((await started.client("GET", "/v1/user/me")).status).toBe(200);
    });
  });
});
