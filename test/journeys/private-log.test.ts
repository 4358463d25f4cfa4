// The log contains no contents and no secrets, at any level: everything that a client sends in this run contains a
// marked word, on success, on rejection and when something breaks.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { ManualClock } from "../../src/kernel/clock.ts";
import { OPERATIONS } from "../../src/operations.ts";
import { type FakeEmbedder, fakeEmbedder } from "../helpers/embedder.ts";
import { article, type Pages, redirect, startPages } from "../helpers/pages.ts";
import { type Started, startServer, USER_AGENT } from "../helpers/start.ts";
import { makeToken } from "../helpers/tokens.ts";

const MARK = "qzxsecretqzx";

let site: Pages;
let model: Bun.Server<undefined>;
let embedder: FakeEmbedder;
let started: Started;
let token: string;

beforeAll(async () => {
  site = startPages();
  model = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(MARK, { status: 500 }) });
  embedder = fakeEmbedder();
  started = startServer({
    embedder,
    // The pauses between two attempts to fetch a page are not waited for.
    clock: new ManualClock(undefined, { advancesOnSleep: true }),
    socket: true,
    settings: {
      metrics: true,
      scrapePrivateNetwork: "allow",
      llmUrl: `http://127.0.0.1:${model.port}/v1`,
      llmModel: MARK,
      llmKey: MARK,
    },
  });
  token = await makeToken(started, "session", started.key.email);
});
afterAll(async () => {
  await started.stop();
  await site.stop();
  await model.stop(true);
});

const marked = {
  title: `${MARK} title`,
  name: `${MARK} name`,
  content: `# ${MARK} heading\n\nThe ${MARK} kettle whistles.`,
  description: MARK,
  tags: [MARK],
  metadata: { [MARK]: MARK },
  query: `${MARK} kettle`,
};

/** Sends a request with a marked query, marked headers and a marked body. */
async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const separator = path.includes("?") ? "&" : "?";
  const response = await fetch(`${started.url}${path}${separator}${MARK}=${MARK}`, {
    method,
    headers: {
      "User-Agent": `${USER_AGENT} ${MARK}`,
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "Idempotency-Key": `${MARK}-${method}-${path.slice(0, 150)}`,
      Referer: `http://localhost/${MARK}`,
      Cookie: `session=${MARK}`,
      "X-Request-Id": MARK,
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json" && text !== "";
  return { status: response.status, body: isJson ? JSON.parse(text) : {} };
}

/** The lines of the log that contain something that a client sent. */
const revealing = () => {
  const [, , ...keySecret] = started.key.key.split("_");
  const secrets = [MARK, ...keySecret, token.split(".")[2]!, encodeURIComponent(MARK), btoa(MARK)];
  return started.log.filter((line) => secrets.some((secret) => line.includes(secret)));
};

test("every operation, with valid and with invalid requests", async () => {
  const ids: Record<string, string> = {};
  for (const kind of ["documents", "prompts", "collections"]) {
    const { status, body } = await send("POST", `/v1/${kind}`, marked);
    expect(status).toBe(201);
    ids[kind] = body.data.id;
  }
  await started.settle();
  const found = await send("POST", "/v1/pd/search", { ...marked, scoreThreshold: 0 });
  ids.pd = found.body.data.results[0].chunkId;
  const order = (method: string) => (method === "DELETE" ? 1 : 0);
  for (const { method, path, name } of OPERATIONS.toSorted((a, b) => order(a.method) - order(b.method))) {
    const resource = path.split("/")[2]!;
    const target = path.replace(":id", ids[resource] ?? MARK);
    const body =
      method === "GET" ? undefined : { ...marked, url: `${site.url}/p?token=${MARK}`, [name]: MARK };
    expect((await send(method, `${target}?q=${MARK}&query=${MARK}`, body)).status).toBeGreaterThan(0);
    // An unknown id, a body that is no JSON, a rejected credential.
    await send(method, path.replace(":id", MARK), body);
    if (body) await send(method, target, `{"${MARK}": ${MARK}}`, { "Idempotency-Key": `${MARK}${name}` });
    await send(method, target, body, { Authorization: `API-Key gm_${MARK}` });
  }
  await started.settle();
  const logged = new Set(started.log.map((line) => JSON.parse(line).route));
  expect(OPERATIONS.filter(({ path }) => !logged.has(path)).map(({ path }) => path)).toEqual([]);
  expect(revealing()).toEqual([]);
});

test("rejections before an operation", async () => {
  await send("GET", `/${MARK}`);
  await send("GET", `/v1/documents/${MARK}/${MARK}`);
  await send("GET", "/v1/documents", undefined, { Host: `${MARK}.example` });
  await send("GET", "/v1/documents", undefined, { Origin: `https://${MARK}.example` });
  await send("GET", `/v1/documents/${MARK}`, undefined, { "User-Agent": `axios/${MARK}` });
  await send("GET", "/v1/documents", undefined, { Authorization: `Bearer ${token}${MARK}` });
  await send("OPTIONS", "/health");
  await send("GET", "/metrics");
  expect(revealing()).toEqual([]);
});

test("pages that are fetched, cannot be fetched, or redirect", async () => {
  site.pages["/page"] = () =>
    article(MARK, `The ${MARK} kettle whistles when the water boils, so it is hot enough.`);
  site.pages["/away"] = () => redirect(`/page/${MARK}?key=${MARK}`);
  site.pages["/broken"] = () => new Response(MARK, { status: 500, statusText: MARK });
  site.pages["/type"] = () => new Response(MARK, { headers: { "Content-Type": `application/${MARK}` } });
  const nowhere = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const closedPort = nowhere.port;
  await nowhere.stop(true);
  const urls = [
    ...["/page", "/away", "/broken", "/type", "/missing"].map((path) => `${site.url}${path}?token=${MARK}`),
    `http://127.0.0.1:${closedPort}/?token=${MARK}`,
    `http://${MARK}.invalid/?token=${MARK}`,
    `http://169.254.169.254/?token=${MARK}`,
    `ftp://${MARK}/${MARK}`,
  ];
  const documents: string[] = [];
  for (const [index, url] of urls.entries()) {
    const options = { headers: { Authorization: `Bearer ${MARK}` }, timeout: 2_000 };
    const { body } = await send(
      "POST",
      "/v1/documents/scrape",
      { url, options },
      { "Idempotency-Key": `s${index}` },
    );
    if (body.data) documents.push(body.data.documentId);
  }
  await started.settle();
  expect(documents.length).toBeGreaterThan(5);
  for (const id of documents) await send("POST", `/v1/documents/${id}/refresh`);
  await started.settle();
  expect(started.log.join("")).toContain('"HTTP_404"');
  expect(revealing()).toEqual([]);
});

test("the embedder, the language model or the database fails", async () => {
  embedder.failure = "the model is broken";
  await send("GET", `/v1/search?q=${MARK}+other`);
  const { body } = await send("POST", "/v1/documents", marked, { "Idempotency-Key": "f1" });
  embedder.failure = undefined;
  await started.settle();
  await send("POST", "/v1/reason", { query: `${MARK} kettle whistles` });
  const { sql } = started.app.store;
  sql.run("ALTER TABLE bodies RENAME TO mislaid");
  await send("POST", "/v1/documents", marked, { "Idempotency-Key": "f2" });
  await send("GET", `/v1/documents/${body.data.id}`);
  await send("GET", `/v1/search?q=${MARK}+third`);
  sql.run("ALTER TABLE mislaid RENAME TO bodies");
  const log = started.log.join("");
  for (const expected of ["llm_status", "request failed"]) expect(log).toContain(expected);
  expect(revealing()).toEqual([]);
});
