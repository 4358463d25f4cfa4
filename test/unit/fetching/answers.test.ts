// One page fetched from real servers on loopback: headers, responses, and time limits.

import { describe, expect, test } from "bun:test";
import type { FetchError } from "../../../src/engine/fetching/errors.ts";
import { failureOf } from "../../helpers/failure-of.ts";
import { startPages, startRaw } from "../../helpers/pages.ts";
import { cert, open, text, useSites } from "./fetcher.ts";

const { site, secure } = useSites();

describe("requests and responses", () => {
  test("it sends its name and what it accepts; the caller may override both", async () => {
    site.pages["/a"] = text("a");
    await open().get(`http://page.test:${site.port}/a`);
    await open().get(`http://page.test:${site.port}/a`, {
      headers: { "USER-Agent": "mine/1", "x-Own": "é" },
    });
    expect(site.seen[0]?.headers.get("user-agent")).toBe("ctxrepo/test");
    expect(site.seen[0]?.headers.get("accept")).toContain("text/html");
    expect(site.seen[0]?.headers.get("accept-encoding")).toBe("gzip, br, zstd");
    expect(site.seen[1]?.headers.get("user-agent")).toBe("mine/1");
  });

  test("validators are sent to their own URL, and 304 is reported", async () => {
    site.pages["/a"] = ({ headers }) =>
      headers.get("if-none-match") === '"v1"'
        ? new Response(null, { status: 304 })
        : new Response("v1", {
            headers: {
              "Content-Type": "text/plain",
              ETag: '"v1"',
              "Last-Modified": "Sat, 21 Nov 2026 12:00:00 GMT",
            },
          });
    const url = `http://page.test:${site.port}/a`;
    const page = await open().get(url);
    expect(page).toMatchObject({ etag: '"v1"', lastModified: "Sat, 21 Nov 2026 12:00:00 GMT" });
    expect(await open().get(url, { validators: { url, etag: '"v1"' } })).toBe("not modified");
    expect(await open().get(url, { validators: { url: `${url}b`, etag: '"v1"' } })).toMatchObject({
      text: "v1",
    });
    const { headers } = site.seen[1]!;
    expect([headers.get("if-none-match"), headers.get("if-modified-since")]).toEqual(['"v1"', null]);
  });

  test("a 304 without validators is an error", async () => {
    site.pages["/a"] = () => new Response(null, { status: 304 });
    expect((await open().failure(`http://page.test:${site.port}/a`)).code).toBe("HTTP_304");
  });

  test.each([
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [410, false],
    [429, true],
    [500, true],
    [503, true],
    [204, false],
    [206, false],
    [300, false],
  ])("status %p, retryable: %p", async (status, retryable) => {
    const headers = { "Retry-After": "7" };
    site.pages["/a"] = () => new Response(status === 204 ? null : "x", { status, headers });
    const error = await open().failure(`http://page.test:${site.port}/a`);
    expect(error).toMatchObject({ code: `HTTP_${status}`, retryable, retryAfterMs: 7000 });
  });

  test.each([
    "text/html",
    "TEXT/HTML; charset=x",
    "application/xhtml+xml",
    "text/plain",
    "text/markdown",
    "application/json",
  ])("%s is accepted", async (contentType) => {
    site.pages["/a"] = text("x", { "Content-Type": contentType });
    expect(await open().get(`http://page.test:${site.port}/a`)).toMatchObject({ contentType, text: "x" });
  });

  test.each(["application/pdf", "image/png", "application/octet-stream", "text/css", "video/mp4"])(
    "%s is rejected with its name",
    async (contentType) => {
      site.pages["/a"] = text("x", { "Content-Type": contentType });
      const error = await open().failure(`http://page.test:${site.port}/a`);
      expect(error.code).toBe("UNSUPPORTED_CONTENT_TYPE");
      expect(error.message).toContain(contentType);
    },
  );

  test("a server with a bad certificate, another name, or no TLS at all is rejected", async () => {
    secure.pages["/"] = text("x");
    for (const [options, url] of [
      [{}, `https://secure.test:${secure.port}/`],
      [{ certificateAuthority: cert }, `https://page.test:${secure.port}/`],
      [{ certificateAuthority: cert }, `https://secure.test:${site.port}/`],
    ] as const) {
      const error = await open(options).failure(url);
      expect([error.code, error.retryable]).toEqual(["TLS_FAILURE", false]);
    }
    expect(secure.seen).toEqual([]);
  });

  test("a closed port", async () => {
    const gone = startPages();
    await gone.stop();
    const error = await open().failure(gone.url);
    expect([error.code, error.retryable]).toEqual(["CONNECTION_FAILED", true]);
  });

  test.each([
    ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "INVALID_RESPONSE"],
    [
      "another protocol",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "INVALID_RESPONSE",
    ],
    ["closed without a response", "", "CONNECTION_FAILED"],
    [
      "an incomplete body",
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nx",
      "CONNECTION_FAILED",
    ],
    [
      "incomplete chunks",
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
      "CONNECTION_FAILED",
    ],
    [
      "headers without end",
      `HTTP/1.1 200 OK\r\n${`X-A: ${"y".repeat(1000)}\r\n`.repeat(100)}`,
      "INVALID_RESPONSE",
    ],
  ])("%s", async (_name, response, code) => {
    const raw = await startRaw((write, end) => {
      write(response);
      end();
    });
    expect((await open().failure(raw.url)).code).toBe(code as FetchError["code"]);
    raw.stop();
  });
});

describe("time limits", () => {
  test("a server that sends nothing, or one byte at a time, fails after the time limit", async () => {
    const silent = await startRaw(() => {});
    const drips: Timer[] = [];
    // Complete after 20 seconds: a fetch without a time limit for the body would succeed.
    const dripping = await startRaw((write) => {
      write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n");
      drips.push(setInterval(() => write("x"), 20));
    });
    for (const { url } of [silent, dripping]) {
      const error = await open().failure(url, { timeoutMs: 2_000 });
      expect([error.code, error.retryable]).toEqual(["TIMEOUT", true]);
    }
    expect(drips).toHaveLength(1);
    for (const drip of drips) clearInterval(drip);
    silent.stop();
    dripping.stop();
  });

  test("a server without response headers and a connection that is not made fail after their own time limits", async () => {
    const silent = await startRaw(() => {});
    const unresolved = open({ resolve: () => new Promise(() => {}) });
    const [mute, lost] = await Promise.all([
      open().failure(silent.url, { headersMs: 100 }),
      unresolved.failure("http://page.test/", { connectMs: 100 }),
    ]);
    expect([mute.code, mute.retryable]).toEqual(["HEADERS_TIMEOUT", true]);
    expect([lost.code, lost.retryable]).toEqual(["CONNECT_TIMEOUT", true]);
    silent.stop();
  });

  test("a name that never resolves fails after the time limit", async () => {
    const fetcher = open({ resolve: () => new Promise(() => {}) });
    expect((await fetcher.failure("http://page.test/", { timeoutMs: 200 })).code).toBe("TIMEOUT");
  });

  test("the caller's signal aborts it with the caller's reason", async () => {
    const connected = Promise.withResolvers<void>();
    const silent = await startRaw(() => connected.resolve());
    const stopping = new AbortController();
    const fetching = open().get(silent.url, {}, stopping.signal);
    const failed = failureOf(fetching);
    await connected.promise;
    stopping.abort(new Error("the server is stopping"));
    expect(await failed).toHaveProperty("message", "the server is stopping");
    silent.stop();
  });
});
