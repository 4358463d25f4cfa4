// Requests generated from the OpenAPI document that the server serves: valid ones, ones with a single violation, and
// wild ones. Every reply must be declared in the document, have its shape, and never be a 5xx.

import fc from "fast-check";
import type { OpenApiDocument } from "../../../src/site/openapi/document-types.ts";
import { fakeFetcher } from "../../../test/helpers/fetcher.ts";
import {
  completed,
  type Generated,
  problemsOf,
  requestsFor,
  type Target,
  targetOf,
} from "../../../test/helpers/requests.ts";
import { startServer } from "../../../test/helpers/start.ts";
import { violationsOf } from "../../../test/helpers/violations.ts";
import { makeWorld, type Sent, send, type World } from "../../../test/helpers/world.ts";
import type { Tally } from "./tally.ts";

/** Values that programs expect least. */
const WILD = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    ...[
      null,
      true,
      0,
      -1,
      1.5,
      2 ** 53,
      -(2 ** 53),
      1e308,
      5e-324,
      "",
      " ",
      "\0",
      "\u202E",
      "\uFEFF",
      "é",
      "e\u0301",
    ],
    ...[
      "a".repeat(5_000),
      "../../etc/passwd",
      "%00",
      "' OR 1=1 --",
      "$\u007bx}",
      "[[x]]",
      "<script>",
      "0".repeat(27),
      "NaN",
    ],
    ...[[], {}, [[]], [null], { constructor: 1 }, { toString: "x" }, { length: 1e9 }, Array(600).fill("a")],
  ),
  fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.toWellFormed()),
);

const WILD_BODIES = fc.oneof(
  fc.constantFrom(
    ...[
      "",
      "null",
      "[]",
      "{",
      '{"a":',
      "[".repeat(100_000),
      `{"a":${"[".repeat(70)}${"]".repeat(70)}}`,
      "1e999",
    ],
    ...[
      '{"__proto__":{"title":"x"}}',
      '{"title":"a","title":1}',
      '"\\ud800"',
      "\uFEFF{}",
      '{"a":1}{"b":2}',
      "NaN",
    ],
  ),
  WILD.map((value) => JSON.stringify(value)),
);

/** A valid request in which some members, parameters and headers have wild values. */
interface WildRequest {
  generated: Generated;
  members: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  body?: string;
}

function wildRequestsFor(document: OpenApiDocument, target: Target): fc.Arbitrary<WildRequest> {
  const named = (place: string) => target.parameters.filter((parameter) => parameter.in === place);
  const schema = target.operation.requestBody?.content["application/json"]?.schema as
    | { properties?: object; $ref?: string }
    | undefined;
  const members = [...Object.keys(schema?.properties ?? {}), "title", "content", "tags", "query", "unknown"];
  const some = (names: string[], value: fc.Arbitrary<unknown>) =>
    names.length === 0 ? fc.constant({}) : fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 2 });
  const headerValue = fc
    .string({ maxLength: 60 })
    .map((text) => text.replaceAll(/[^\x20-\x7e]/g, "?").trim())
    .filter((text) => text !== "");
  return fc.record({
    generated: requestsFor(document, target),
    members: some(members, WILD),
    query: some([...named("query").map(({ name }) => name), "unknown"], WILD),
    headers: some(
      named("header").map(({ name }) => name),
      headerValue,
    ) as fc.Arbitrary<Record<string, string>>,
    body: fc.option(WILD_BODIES, { nil: undefined, freq: 4 }),
  });
}

function wild(sent: Sent, { members, query, headers, body }: WildRequest): Sent {
  const pairs = Object.entries(query).map(
    ([name, value]) =>
      `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`,
  );
  const joint = sent.target.includes("?") ? "&" : "?";
  const target = pairs.length > 0 ? `${sent.target}${joint}${pairs.join("&")}` : sent.target;
  const changed =
    sent.body === undefined
      ? undefined
      : (body ?? JSON.stringify({ ...JSON.parse(String(sent.body)), ...members }));
  return {
    ...sent,
    target,
    headers: { ...sent.headers, ...headers },
    ...(changed !== undefined && { body: changed }),
  };
}

const isRefresh = ({ path }: Target) => path.endsWith("/refresh");

/**
 * Sends `perOperation` requests of each kind to every operation. The server is a program in this process, behind a
 * socket.
 */
export async function sendGenerated(
  tally: Tally,
  { perOperation, seed, dataDir }: { perOperation: number; seed: number; dataDir: string },
): Promise<{
  operations: number;
  requests: Map<string, number>;
  healthFailures: number;
  failedJobs: number;
}> {
  const started = startServer({ socket: true, fetcher: fakeFetcher(), dataDir });
  const requests = new Map<string, number>();
  try {
    const document = (await (await fetch(`${started.url}/openapi.json`)).json()) as OpenApiDocument;
    const world: World = await makeWorld(started);
    const credentials = [`API-Key ${started.key.key}`];
    const check = async (kind: string, target: Target, sent: Sent) => {
      requests.set(kind, (requests.get(kind) ?? 0) + 1);
      const reply = await send(started, sent);
      const shown = `${kind} ${sent.method} ${sent.target.slice(0, 300)} ${String(sent.body).slice(0, 300)}`;
      // A page that cannot be fetched is the one documented reason for a 500.
      if (reply.status >= 500 && !isRefresh(target)) tally.serverErrors.push(`${shown}: ${reply.status}`);
      for (const problem of problemsOf(document, target, reply))
        tally.problems.push(`${shown}: ${reply.status} ${problem}`);
      return reply;
    };
    const operations = Object.entries(document.paths)
      .filter(([path]) => path.startsWith("/v1/"))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => targetOf(document, method, path)));
    for (const [index, target] of operations.entries()) {
      await started.settle();
      const options = { seed: seed + index, numRuns: perOperation };
      for (const generated of fc.sample(requestsFor(document, target), options)) {
        const { sent, id } = await completed({ world, credentials }, target, generated);
        world.learn(target.operation.operationId, id, await check("valid", target, sent));
      }
      const violations = violationsOf(document, target.path, target);
      for (const [turn, generated] of fc.sample(requestsFor(document, target), options).entries()) {
        const { sent } = await completed({ world, credentials }, target, { ...generated, headers: {} }, true);
        await check("one violation", target, violations[(turn * 7 + seed) % violations.length]!.apply(sent));
      }
      for (const request of fc.sample(wildRequestsFor(document, target), options)) {
        const { sent, id } = await completed({ world, credentials }, target, request.generated);
        world.learn(target.operation.operationId, id, await check("wild", target, wild(sent, request)));
      }
    }
    await started.settle();
    const health = await started.client("GET", "/health");
    return {
      operations: operations.length,
      requests,
      healthFailures: health.status === 200 ? 0 : 1,
      failedJobs: health.body.jobs.failed,
    };
  } finally {
    await started.stop();
  }
}
