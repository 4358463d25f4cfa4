// Odd values in every header that the program reads, on bare sockets.

import { expect, test } from "bun:test";
import { inLanes } from "../../../scripts/bench/bench.ts";
import {
  exchangeBytes,
  oddRequests,
  oddValues,
  problemWith,
} from "../../../scripts/torture/hostile/headers.ts";
import { rawRequest } from "../../helpers/raw.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer({ socket: true });
const LANES = 8;

test.each([
  ["user information after the port", (port: number) => `localhost:${port}@evil.example`],
  ["a port out of range", () => "localhost:99999"],
  ["a bracket", () => "["],
  ["a space", () => "a b"],
])("a Host with %s is rejected before any URL is made of it", async (_name, host) => {
  const { port } = started;
  for (const version of ["1.0", "1.1"]) {
    const head = `GET /v1/user/me HTTP/${version}\r\nHost: ${host(port)}\r\nUser-Agent: t/1\r\nConnection: close\r\n\r\n`;
    const { status, headers, payload } = await rawRequest(port, head);
    expect(status).toBe(403);
    expect(headers.has("x-request-id")).toBe(true);
    expect(payload).toContain('"code":403');
  }
});

test("HTTP/1.0 without Host is rejected", async () => {
  const { status, payload } = await rawRequest(
    started.port,
    "GET /health HTTP/1.0\r\nUser-Agent: t/1\r\n\r\n",
  );
  expect(status).toBe(403);
  expect(payload).toContain('"code":403');
});

test("there are about 200 odd values, all different", () => {
  const values = oddValues(4817);
  expect(new Set(values).size).toBe(values.length);
  expect(values.length).toBeGreaterThanOrEqual(200);
});

test("no value of a header gives 5xx, and every rejection has the envelope and a request id", async () => {
  const problems: string[] = [];
  const { port, key } = started;
  // Each header with a fifth of the values; bun run torture hostile sends all.
  await inLanes([...oddRequests({ port, key: key.key, step: 5 })], LANES, async (request) => {
    const problem = problemWith(request, await exchangeBytes(port, request));
    if (problem !== undefined) problems.push(problem);
  });
  expect(problems).toEqual([]);
}, 120_000);
