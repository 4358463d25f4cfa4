// The log line of each request, and X-Request-Id.

import { expect, test } from "bun:test";
import { SLOW_MS } from "../../../src/http/request-log.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { fakeEmbedder } from "../../helpers/embedder.ts";
import { type Started, startServer, USER_AGENT, useServer } from "../../helpers/start.ts";
import { makeToken } from "../../helpers/tokens.ts";

const started = useServer({ socket: true });
const { client, key } = started;

type Line = Record<string, unknown>;
const linesOf = ({ log }: Started) => log.map((line) => JSON.parse(line) as Line);
/** The line of the request whose response had these headers. The body was sent before the client could read it. */
const lineOf = (headers: Headers, from: Started = started): Line | undefined =>
  linesOf(from).find(
    ({ message, requestId }) =>
      String(message).includes("request") && requestId === headers.get("x-request-id"),
  );

/**
 * Waits, in turns of the event loop, until the request is logged: the runtime may tell us late that a body was sent.
 */
async function untilLogged(headers: Headers, from: Started = started): Promise<Line> {
  for (;;) {
    const line = lineOf(headers, from);
    if (line) return line;
    await new Promise((turn) => setImmediate(turn));
  }
}

const created = await client("POST", "/v1/documents", { title: "Tea", content: "The kettle whistles." });
const documentId = created.body.data.id as string;

const anonymous = { Authorization: "" };
test.each([
  ["POST", "/v1/documents", {}, "/v1/documents", 400, "info"],
  ["GET", `/v1/documents/${documentId}?secret=1`, {}, "/v1/documents/:id", 200, "info"],
  ["HEAD", `/v1/documents/${documentId}`, {}, "/v1/documents/:id", 200, "info"],
  ["DELETE", "/v1/search", {}, "/v1/search", 405, "info"],
  ["PROPFIND", "/v1/search", {}, "/v1/search", 405, "info"],
  ["GET", "/v1/documents", anonymous, "/v1/documents", 401, "info"],
  ["GET", `/v1/nowhere/${documentId}`, {}, "unmatched", 404, "info"],
  ["GET", "/nowhere", {}, "unmatched", 404, "info"],
  ["GET", "/v1/documents", { Host: "evil.example" }, "unmatched", 403, "info"],
  ["GET", "/v1/documents", { "User-Agent": "axios/1" }, "unmatched", 403, "info"],
  ["GET", "/v1/mcp/capabilities", {}, "/v1/mcp/capabilities", 200, "info"],
  ["GET", "/openapi.json", {}, "/openapi.json", 200, "info"],
  ["GET", "/.well-known/jwks.json", {}, "/.well-known/jwks.json", 200, "info"],
  ["GET", "/health", {}, "/health", 200, "debug"],
  ["GET", "/v1/user/me", {}, "/v1/user/me", 200, "info"],
])("%s %s", async (method, path, headers, route, status, level) => {
  const response = await fetch(started.url + path, {
    method,
    headers: { "User-Agent": USER_AGENT, Authorization: `API-Key ${key.key}`, ...headers },
    ...(method === "POST" && { body: "{}" }),
  });
  const { byteLength } = await response.arrayBuffer();
  expect(response.status).toBe(status);
  const isAuthenticated = headers !== anonymous && route !== "unmatched" && route.startsWith("/v1/");
  const isPublic = route === "/v1/mcp/capabilities" || status === 405;
  const { time, ms, ...line } = await untilLogged(response.headers);
  expect(line).toEqual({
    level,
    message: "request",
    method: method === "PROPFIND" ? "OTHER" : method,
    route,
    status,
    bytes: byteLength,
    caller: isAuthenticated && !isPublic ? key.id : "-",
    requestId: response.headers.get("x-request-id"),
  });
  expect(ms).toBeGreaterThanOrEqual(0);
});

test("a 304 and a chunked body in pieces have a line, too", async () => {
  const first = await client("GET", `/v1/documents/${documentId}`);
  const etag = first.headers.get("etag")!;
  const unchanged = await client("GET", `/v1/documents/${documentId}`, undefined, { "If-None-Match": etag });
  expect(await untilLogged(unchanged.headers)).toMatchObject({ status: 304, bytes: 0 });
  const collection = (await client("POST", "/v1/collections", { name: "C" })).body.data.id;
  const items = { itemType: "document", itemIds: [documentId] };
  await client("POST", `/v1/collections/${collection}/items`, items);
  const response = await fetch(`${started.url}/v1/collections/${collection}/items?includeContent=true`, {
    headers: { "User-Agent": USER_AGENT, Authorization: `API-Key ${key.key}` },
  });
  const { byteLength } = await response.arrayBuffer();
  expect(await untilLogged(response.headers)).toMatchObject({ status: 200, bytes: byteLength });
});

test("every request has another id, and an id that a client sends is not used", async () => {
  const ids = new Set<string>();
  for (let i = 0; i < 20; i++) {
    const { headers } = await client("GET", "/v1/user/me", undefined, { "X-Request-Id": "chosen-by-client" });
    ids.add(headers.get("x-request-id")!);
  }
  expect(ids.size).toBe(20);
  for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{10}-[0-9a-z]+$/);
  expect(started.log.join("")).not.toContain("chosen-by-client");
});

test("the caller of a token is its jti", async () => {
  const token = await makeToken(started, "machine", key.email);
  const [, claims = ""] = token.split("_")[1]!.split(".");
  const { jti } = JSON.parse(Buffer.from(claims, "base64url").toString());
  const { headers } = await client("GET", "/v1/user/me", undefined, { Authorization: `Bearer ${token}` });
  expect(await untilLogged(headers)).toMatchObject({ caller: jti });
});

test("a slow request is a warning that says where the time went", async () => {
  const clock = new ManualClock();
  const embedder = fakeEmbedder();
  const { embedQuery } = embedder;
  embedder.embedQuery = async (text) => {
    clock.advance(SLOW_MS);
    return embedQuery.call(embedder, text);
  };
  const slow = startServer({ clock, embedder });
  try {
    const { headers } = await slow.client("GET", "/v1/search?q=kettle");
    const line = await untilLogged(headers, slow);
    expect(line).toMatchObject({
      level: "warn",
      message: "slow request",
      route: "/v1/search",
      ms: SLOW_MS,
      handlerMs: SLOW_MS,
    });
    // The search ran in its thread.
    expect(line.searchMs).toBeGreaterThan(0);
    const quick = await slow.client("GET", "/v1/user/me");
    expect(await untilLogged(quick.headers, slow)).toMatchObject({ level: "info", message: "request" });
  } finally {
    await slow.stop();
  }
});

test("a failure is logged with the id of its request", async () => {
  const { sql } = started.app.store;
  sql.run("ALTER TABLE prompts RENAME TO mislaid");
  try {
    const { status, headers } = await client("GET", `/v1/prompts/${documentId}`);
    expect(status).toBe(500);
    expect(await untilLogged(headers)).toMatchObject({ message: "request failed", level: "error" });
    const requestId = headers.get("x-request-id");
    const lines = linesOf(started).filter((line) => line.requestId === requestId);
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ["error", "request failed"],
      ["warn", "request"],
    ]);
  } finally {
    sql.run("ALTER TABLE mislaid RENAME TO prompts");
  }
});

test("a job has a line with its record, duration and outcome", async () => {
  await started.settle();
  const line = linesOf(started).find(({ message, subject }) => message === "job" && subject === documentId);
  expect(line).toMatchObject({
    level: "info",
    kind: "document.index",
    outcome: "done",
    attempt: 1,
    ms: expect.any(Number),
  });
  expect(line!.chunkingMs).toBeGreaterThan(0);
});
