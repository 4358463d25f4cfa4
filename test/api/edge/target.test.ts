// Paths are compared as sent. The runtime normalises them in request.url, so these requests go over a bare socket.

import { describe, expect, test } from "bun:test";
import { rawRequest, requestText } from "../../helpers/raw.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer({ socket: true });

const get = (path: string, from: { host?: string; userAgent?: string } = {}) =>
  rawRequest(started.port, requestText(started, { path, ...from }));

const deep = `${"/x".repeat(20)}${"/..".repeat(20)}`;

describe("a path that is known only after normalisation is 404", () => {
  test.each([
    "/v1/./documents",
    "/v1/%2e/documents",
    "/v1/%2E/documents",
    "/v1/../v1/documents",
    "/v1/%2e%2e/v1/documents",
    "/v1/.%2E/v1/documents",
    "/./v1/documents",
    "/v1/documents/.",
    "/v1/documents/x/..",
    "/v1\\documents",
    "/v1/x\\..\\documents",
    "/v1/user\\me",
    "/health/../v1/user/me",
    "/v1/../health",
    "/./health",
    "/%2e/openapi.json",
    "/health\\",
    "/health/.",
    "//v1/documents",
    "/v1//documents",
    "/v1/documents/",
    "/v1/documents#x",
  ])("%s", async (target) => {
    const reply = await get(target);
    expect(reply.status).toBe(404);
    expect(reply.payload).toContain("no such path");
    const isV1 = target.startsWith("/v1/");
    expect(reply.headers.get("x-api-version")).toBe(isV1 ? "v1" : undefined);
  });

  test.each([`${deep}/v1/user/me`, `${deep}/health`, deep])("also in a very deep path", async (target) => {
    expect((await get(target)).status).toBe(404);
  });

  test("a query is not normalised and does not matter", async () => {
    expect((await get("/v1/documents?search=/../a")).status).toBe(200);
    expect((await get("/v1/documents?search=a\\b")).status).toBe(200);
    expect((await get("/health?x=/./")).status).toBe(200);
  });
});

test("known paths are served in absolute form, with a short host, and with an id that has escapes", async () => {
  expect((await get(`http://localhost:${started.port}/v1/user/me`)).status).toBe(200);
  expect((await get("/v1/documents/a%5cb")).status).toBe(400);
  expect((await get("/v1/documents/a%2fb")).status).toBe(400);
  expect((await get("/v1/documents/%zz")).status).toBe(400);
});

test("Host and User-Agent are checked first", async () => {
  expect((await get("/v1/./documents", { host: "evil.example" })).payload).toContain("Host");
  expect((await get("/v1/./documents", { userAgent: "curl/8" })).status).toBe(404);
  expect((await get("/v1/./documents", { userAgent: "axios" })).payload).toContain("error code: 1010");
});
