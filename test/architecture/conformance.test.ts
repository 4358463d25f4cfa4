// The server conforms to the OpenAPI document it serves: generated valid and invalid requests to every operation, with
// every response checked against the document. New operations are covered automatically.

import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openApiDocument } from "../../src/site/openapi/document.ts";
import type { OpenApiDocument, ResponseObject } from "../../src/site/openapi/document-types.ts";
import type { JsonSchema } from "../../src/site/openapi/schemas.ts";
import { DESCRIBED } from "../../src/operations.ts";
import { fakeFetcher } from "../helpers/fetcher.ts";
import { resolve } from "../helpers/json-schema.ts";
import { completed, problemsOf, requestsFor, type Target, targetOf } from "../helpers/requests.ts";
import { type Reply, useServer } from "../helpers/start.ts";
import { makeToken } from "../helpers/tokens.ts";
import { violationsOf } from "../helpers/violations.ts";
import { LEFT_OUT, makeWorld, type Sent, send, type World } from "../helpers/world.ts";

const SEED = 20_261_121;
/** Requests to each operation: the minimum, and the maximum until every documented success was seen. */
const MIN_RUNS = 25;
const MAX_RUNS = 100;

let world: World;
let document: OpenApiDocument;
/** Credentials of the owner. */
let credentials: string[];

const started = useServer({ socket: true, fetcher: fakeFetcher() });

beforeAll(async () => {
  document = (await (await fetch(`${started.url}/openapi.json`)).json()) as OpenApiDocument;
  world = await makeWorld(started);
  const tokens = (["session", "machine"] as const).map((kind) => makeToken(started, kind, started.key.email));
  credentials = [
    `API-Key ${started.key.key}`,
    ...(await Promise.all(tokens)).map((token) => `Bearer ${token}`),
  ];
});

// Only used to name the tests: responses are checked against the document that the server serves.
const names = Object.entries(openApiDocument(DESCRIBED, "http://localhost").paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, method, path] as const),
);
const operations = names.filter(([, , path]) => path.startsWith("/v1/"));
const publicPaths = names.filter(([, , path]) => !path.startsWith("/v1/"));

/** The lists of records that were empty in all of these bodies, so that their items were never checked. */
function neverFilled(given: JsonSchema, values: unknown[], at = ""): string[] {
  const schema = resolve<JsonSchema>(document, given);
  const present = values.filter((value) => value !== undefined && value !== null);
  if (schema.items) {
    const items = present.flat();
    const isUnseen =
      items.length === 0 && present.length > 0 && resolve<JsonSchema>(document, schema.items).properties;
    return isUnseen ? [at] : neverFilled(schema.items, items, `${at}[]`);
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    neverFilled(
      member,
      present.map((value) => (value as Record<string, unknown>)[name]),
      `${at}.${name}`,
    ),
  );
}

/** The documented successes, and 404, that no request has given, and the lists in successes that were always empty. */
function neverSeen({ operation }: Target, seen: Map<number, unknown[]>): string[] {
  return Object.entries(operation.responses).flatMap(([status, response]) => {
    if (Number(status) >= 400 && status !== "404") return [];
    const bodies = seen.get(Number(status));
    if (!bodies) return [status];
    const schema = resolve<ResponseObject>(document, response).content?.["application/json"]?.schema;
    if (!schema || status === "404") return [];
    return neverFilled(schema, bodies).map((list) => `${status} ${list}`);
  });
}

/**
 * Sends a request. Throws an error that shows it and its response, unless the document and `expected` agree with it.
 */
async function checked(target: Target, sent: Sent, expected: (reply: Reply) => string[]): Promise<Reply> {
  const reply = await send(started, sent);
  const found = [...problemsOf(document, target, reply), ...expected(reply)];
  if (found.length === 0) return reply;
  const shown = (value: unknown) =>
    (typeof value === "string" ? value : JSON.stringify(value))?.slice(0, 2000);
  throw new Error(
    [
      `${sent.method} ${sent.target.slice(0, 2000)}`,
      ...Object.entries(sent.headers).map(([name, value]) => `${name}: ${value.slice(0, 300)}`),
      shown(sent.body instanceof Uint8Array ? [...sent.body] : sent.body),
      `response: ${reply.status} ${shown(reply.body)}`,
      ...found.map((problem) => `✗ ${problem}`),
    ].join("\n"),
  );
}

/** A valid request is never rejected as malformed, unauthenticated, too large or with a method error. */
const isAccepted = ({ status }: Reply) =>
  [400, 401, 405, 413].includes(status) || status >= 500 ? [`a valid request gives ${status}`] : [];

describe.each(operations)("%s", (_id, method, path) => {
  test("valid requests give documented responses", async () => {
    // Everything written so far is indexed.
    await started.settle();
    const target = targetOf(document, method, path);
    const seen = new Map<number, unknown[]>();
    // Requests change the records, so that shrinking a failure would repeat it under other conditions.
    for (const [index, generated] of fc
      .sample(requestsFor(document, target), { seed: SEED, numRuns: MAX_RUNS })
      .entries()) {
      if (index >= MIN_RUNS && neverSeen(target, seen).length === 0) break;
      const { sent, id } = await completed({ world, credentials }, target, generated);
      const reply = await checked(target, sent, isAccepted);
      seen.set(reply.status, [...(seen.get(reply.status) ?? []), reply.body]);
      world.learn(target.operation.operationId, id, reply);
      const cursor = reply.body.pagination?.cursor;
      if (cursor) {
        const next = `${sent.target}${sent.target.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
        await checked(target, { ...sent, target: next }, ({ status }) =>
          status === 200 ? [] : ["a cursor is rejected"],
        );
      }
      if (method === "get") {
        await checked({ ...target, method: "HEAD" }, { ...sent, method: "HEAD" }, ({ status }) =>
          status === reply.status ? [] : [`HEAD differs from GET, which gave ${reply.status}`],
        );
      }
    }
    expect(neverSeen(target, seen)).toEqual([]);
  });

  test("requests that the document forbids are rejected", async () => {
    const target = targetOf(document, method, path);
    const violations = violationsOf(document, path, target);
    expect(violations.length).toBeGreaterThan(5);
    const requests = fc.sample(requestsFor(document, target), { seed: SEED, numRuns: violations.length });
    for (const [index, violation] of violations.entries()) {
      // An idempotency key that was used before would be checked first.
      const generated = { ...requests[index]!, headers: {} };
      const { sent } = await completed({ world, credentials }, target, generated, true);
      await checked(target, violation.apply(sent), ({ status, body }) => {
        if (!violation.rejectedWith.includes(status)) return [`${violation.what} gives ${status}`];
        if (status !== 400 || violation.field === undefined) return [];
        const paths = body.error.details.map((detail: { path: string }) => detail.path) as string[];
        return paths.some((one) => one.split(".")[0] === violation.field)
          ? []
          : [`${violation.what} names ${paths}`];
      });
    }
  });

  test("a credential without its scopes is rejected", async () => {
    const target = targetOf(document, method, path);
    const scopes = target.operation["x-scopes"];
    if (!scopes) return;
    const other = scopes.some((scope) => scope.startsWith("prompts")) ? "documents.write" : "prompts.write";
    const lacking = scopes.length > 1 ? [] : ([other] as const);
    const token = await makeToken(started, "machine", started.key.email, [...lacking]);
    const [generated] = fc.sample(requestsFor(document, target), { seed: SEED, numRuns: 1 });
    const { sent } = await completed({ world, credentials }, target, generated!, true);
    const headers = { ...sent.headers, Authorization: `Bearer ${token}` };
    await checked(target, { ...sent, headers }, ({ status }) =>
      status === 403 ? [] : [`the status is ${status}`],
    );
  });
});

describe.each(publicPaths)("%s", (_id, method, path) => {
  test("responds without a credential as documented", async () => {
    const target = targetOf(document, method, path);
    expect(target.operation.security).toEqual([]);
    const sent = { method: "GET", target: path, headers: { Authorization: LEFT_OUT } };
    // The test server has no identity provider.
    const expected = path === "/.well-known/oauth-authorization-server" ? 404 : 200;
    await checked(target, sent, ({ status }) => (status === expected ? [] : [`the status is ${status}`]));
    const foreign = { ...sent, headers: { ...sent.headers, Origin: "https://evil.example" } };
    await checked(target, foreign, ({ status }) => (status === 403 ? [] : [`the status is ${status}`]));
  });
});
