// Bodies that are read in a worker thread: the results are those of small bodies, and the thread that serves requests
// parses none of them.

import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { mcpPoster } from "../../helpers/mcp.ts";
import { requestText } from "../../helpers/raw.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer();
const { inlineBytes } = LIMITS.body;
const MB = 1024 ** 2;
/** White space between members that makes any body large. */
const PADDING = " ".repeat(inlineBytes);
const large = (json: string) => json.replace("{", `{${PADDING}`);
const post = (body: string, headers?: Record<string, string>) =>
  started.client("POST", "/v1/documents", body, headers);

test.each([
  ["a missing member", '{"content":"c"}'],
  ["a wrong type", '{"title":5,"content":"c"}'],
  ["a blank title", '{"title":" ","content":"c"}'],
  ["a title that is too large", `{"title":"${"t".repeat(600)}","content":"c"}`],
  ["an unknown collection", '{"title":"t","content":"c","collectionIds":["x"]}'],
  ["a lone surrogate", '{"title":"t","content":"c","x":["\\ud800"]}'],
  ["an inexact integer", '{"title":"t","content":"c","metadata":{"n":9007199254740993}}'],
  ["an infinite number", '{"title":"t","content":"c","metadata":{"n":1e999}}'],
  ["nesting", `{"title":"t","content":"c","x":${"[".repeat(70)}${"]".repeat(70)}}`],
  ["an open brace", '{"title":"t","content":"c"'],
  ["two values", '{"title":"t","content":"c"}{}'],
])("%s in a large body is rejected as in a small one", async (_name, body) => {
  const [small, padded] = [await post(body), await post(large(body))];
  expect(small.status).toBeGreaterThanOrEqual(400);
  expect([padded.status, padded.body]).toEqual([small.status, small.body]);
});

test("a list in place of an object is rejected", async () => {
  const { status, body } = await post(`[${PADDING}]`);
  expect([status, body.error.message]).toEqual([400, "body: must be a JSON object"]);
});

test("a body that may be empty must still be JSON", async () => {
  const path = `/v1/documents/${"0".repeat(27)}/coordination`;
  const reply = await started.client("PUT", path, `${PADDING}x`, { "If-Match": '"a"' });
  expect([reply.status, reply.body.error.message]).toEqual([400, "body: is not valid JSON in UTF-8"]);
});

test("a retry is recognized by its content, whatever thread read it", async () => {
  const key = { "Idempotency-Key": "small and large" };
  const first = await post('{"title":"t","content":"c","metadata":{"b":1,"a":[1,2]}}', key);
  expect(first.status).toBe(201);
  const retry = await post(large('{"metadata":{"a":[1,2.0],"b":1},"content":"c","title":"\\u0074"}'), key);
  expect(retry.headers.get("idempotent-replayed")).toBe("true");
  expect(retry.body).toEqual(first.body);
  expect((await post(large('{"title":"t","content":"other"}'), key)).status).toBe(422);
});

describe("texts", () => {
  test("of 5 MB each are stored byte for byte", async () => {
    const texts = ["a", "é\n", "\u{1f600}\u0001"].map((part) =>
      part.repeat((5 * MB) / Buffer.byteLength(part)),
    );
    const [content, contentHtml, rawHtml] = texts.map((text) => text.slice(0, -10));
    const { status, body } = await started.client("POST", "/v1/documents", {
      title: "t",
      content,
      contentHtml,
      rawHtml,
    });
    expect(status).toBe(201);
    const stored = started.app.store.sql
      .query<{ text: string }, [string]>("SELECT text FROM bodies WHERE document_id = ?")
      .all(body.data.id);
    const digests = (all: string[]) => all.map((text) => Bun.hash(text).toString()).sort();
    expect(digests(stored.map(({ text }) => text))).toEqual(digests([content!, contentHtml!, rawHtml!]));
  });

  test("that are larger are rejected", async () => {
    const { status, body } = await started.client("POST", "/v1/documents", {
      title: "t",
      content: "é".repeat(3 * MB),
    });
    expect([status, body.error.message]).toEqual([413, `content: must be at most ${5 * MB} bytes`]);
  });

  test("of nearly 40 MB in a member that nothing reads are ignored", async () => {
    const other = "x".repeat(39 * MB);
    const { status, body } = await post(`{"title":"large","content":"c","other":"${other}"}`);
    expect(status).toBe(201);
    const stored = await started.client("GET", `/v1/documents/${body.data.id}`);
    expect(Object.keys(stored.body.data)).not.toContain("other");
  });
});

test("the thread that serves requests parses none of them", async () => {
  const { parse } = JSON;
  let longest = 0;
  JSON.parse = (text: string, ...rest) => {
    longest = Math.max(longest, text.length);
    return parse(text, ...rest);
  };
  try {
    JSON.parse(`"${"x".repeat(50)}"`);
    expect(longest).toBe(52);
    const names = Array.from({ length: 9_000 }, (_, index) => `"name ${index}":${index}`).join(",");
    const { client } = started;
    await client("POST", "/v1/documents", `{"title":"t","content":"c","other":{${names}}}`, {
      "Idempotency-Key": "names",
    });
    await client("POST", "/v1/reason", `{"query":"q","documentIds":[${'"x",'.repeat(90_000)}"x"]}`);
    const { status } = await mcpPoster(started).post(
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"arguments":{${names}}}}`,
    );
    expect(status).toBe(400);
  } finally {
    JSON.parse = parse;
  }
  expect(longest).toBeLessThanOrEqual(inlineBytes);
});

test("a field far above its limit is rejected before it is parsed", async () => {
  const { status, body } = await post(`{"title":"t","content":"c","metadata":{"a":${"[".repeat(2 * MB)}`);
  expect([status, body.error.message]).toEqual([400, "body: is nested deeper than 64 levels"]);
  const numbers = await post(
    `{"title":"t","content":"c","metadata":[${`${" ".repeat(1_000)}1,`.repeat(2_000)}`,
  );
  expect([numbers.status, numbers.body.error.message]).toEqual([
    413,
    `metadata: must be at most ${256 * 1024} bytes`,
  ]);
});

describe("bodies that arrive at the same time", () => {
  const slow = useServer({ socket: true });
  const connections: Awaited<ReturnType<typeof send>>[] = [];
  afterAll(() => {
    for (const { socket } of connections) socket.destroy();
  });

  /** Sends the beginning of a body, and resolves with the connection when it is sent. */
  async function send(bytes: number, key: string) {
    const socket = connect(slow.port, "127.0.0.1");
    let received = "";
    socket.on("data", (data) => {
      received += data.toString("latin1");
    });
    socket.on("error", () => {});
    const head = requestText(slow, {
      method: "POST",
      path: "/v1/documents",
      key,
      keepAlive: true,
      headers: ["Content-Type: application/json", `Content-Length: ${LIMITS.body.bytes}`],
    });
    socket.write(head);
    await new Promise((sent) => socket.write(Buffer.alloc(bytes, " "), sent));
    return { socket, received: () => received };
  }

  test("take room of their user, and beyond it a request is 429", async () => {
    const key = slow.key.key;
    const size = LIMITS.body.bytes - MB;
    while (!connections.some(({ received }) => received() !== "")) {
      connections.push(await send(size, key));
      await Bun.sleep(50);
    }
    const { heldBytesOfUser } = LIMITS.body;
    expect(connections.length * size).toBeGreaterThan(heldBytesOfUser);
    const [first = ""] = connections.map(({ received }) => received()).filter((text) => text !== "");
    expect(first).toContain("HTTP/1.1 429");
    expect(first.toLowerCase()).toContain("retry-after: 1");
    const other = slow.clientOf("other@localhost");
    const body = { title: "t", content: "c".repeat((10 * MB) / 2) };
    expect((await other("POST", "/v1/documents", body)).status).toBe(201);

    for (const { socket } of connections) socket.destroy();
    let status = 429;
    while (status === 429) status = (await slow.client("POST", "/v1/documents", body)).status;
    expect(status).toBe(201);
  });
});
