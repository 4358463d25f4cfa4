// One page fetched from real servers on loopback: where it may go, redirects, headers, answers. Names are resolved by the test.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FetchError } from "../../../src/engine/fetching/errors.ts";
import {
  type FetcherOptions,
  openFetcher,
  type PageRequest,
} from "../../../src/engine/fetching/fetch-page.ts";
import { type Pages, redirect, startPages, startRaw } from "../../helpers/pages.ts";

const TLS = join(import.meta.dir, "../../fixtures/tls");
const cert = readFileSync(join(TLS, "certificate.pem"), "utf8");
const key = readFileSync(join(TLS, "key.pem"), "utf8");

let site: Pages;
let secure: Pages;
beforeAll(() => {
  site = startPages();
  secure = startPages({}, { cert, key });
});
afterAll(() => Promise.all([site.stop(), secure.stop()]));
beforeEach(() => {
  for (const { seen, pages } of [site, secure]) {
    seen.length = 0;
    for (const path of Object.keys(pages)) delete pages[path];
  }
});

const NAMES: Record<string, string[]> = {
  "page.test": ["127.0.0.1"],
  "other.test": ["127.0.0.1"],
  "secure.test": ["127.0.0.1"],
  "mixed.test": ["93.184.216.34", "127.0.0.1"],
  "metadata.test": ["169.254.169.254"],
  "nowhere.test": [],
  localhost: ["127.0.0.1"],
};
const resolve: FetcherOptions["resolve"] = async (hostname) => {
  if (!NAMES[hostname]) throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
  return NAMES[hostname].map((address) => ({ address, family: 4 }));
};

function open(options: Partial<FetcherOptions> = {}) {
  const fetcher = openFetcher({ userAgent: "ctxrepo/test", allowPrivate: true, resolve, ...options });
  return {
    avoid: fetcher.avoid,
    get: async (url: string, page: Partial<PageRequest> = {}, signal = new AbortController().signal) => {
      const answer = await fetcher.fetch({ url, timeoutMs: 10_000, ...page }, signal);
      return answer.notModified ? "not modified" : { ...answer, text: new TextDecoder().decode(answer.body) };
    },
    failure: async (url: string, page: Partial<PageRequest> = {}): Promise<FetchError> => {
      try {
        await fetcher.fetch({ url, timeoutMs: 10_000, ...page }, new AbortController().signal);
      } catch (error) {
        return error as FetchError;
      }
      throw new Error(`${url} was fetched`);
    },
  };
}
const text =
  (body: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(body, { headers: { "Content-Type": "text/plain", ...headers } });

describe("the address that was checked is the one dialled", () => {
  test("a name goes where its checked address is, with its own Host header", async () => {
    site.pages["/a"] = text("hello");
    const page = await open().get(`http://page.test:${site.port}/a#part`);
    expect(page).toMatchObject({ text: "hello", finalUrl: `http://page.test:${site.port}/a` });
    expect(site.seen[0].headers.get("host")).toBe(`page.test:${site.port}`);
  });

  test.each([
    ["a name that leads to this machine", "page.test"],
    ["one address of several that is private", "mixed.test"],
    ["localhost", "localhost"],
    ["a name below localhost", "a.localhost"],
    ["an inside name", "vault.internal"],
    ["an inside name with its dot", "vault.internal."],
    ["an address", "127.0.0.1"],
    ["an address in IPv6", "[::1]"],
    ["metadata", "metadata.test"],
  ])("%s is refused, and nothing is asked", async (_name, host) => {
    site.pages["/a"] = text("secret");
    const error = await open({ allowPrivate: false }).failure(`http://${host}:${site.port}/a`);
    expect([error.code, error.retryable]).toEqual(["ADDRESS_REFUSED", false]);
    expect(error.message).not.toContain("169.254.169.254");
    expect(site.seen).toEqual([]);
  });

  test.each(["metadata.test", "169.254.169.254", "[::ffff:169.254.169.254]"])(
    "%s is refused where private networks are allowed too",
    async (host) => {
      expect((await open().failure(`http://${host}:8080/latest`)).code).toBe("ADDRESS_REFUSED");
    },
  );

  test.each([["unknown.test"], ["nowhere.test"]])("%s cannot be resolved", async (host) => {
    const error = await open().failure(`http://${host}/`);
    expect([error.code, error.retryable]).toEqual(["DNS_FAILURE", true]);
  });

  test.each([22, 25, 1, 1023, 6667, 10080])("port %p is refused", async (port) => {
    expect((await open().failure(`http://page.test:${port}/`)).code).toBe("PORT_REFUSED");
  });

  test("our own port on an address of this machine is refused, unless private networks are allowed", async () => {
    const own = "8.8.8.8";
    const options = { allowPrivate: false, ownAddresses: () => [own] };
    for (const host of [own, "public.test"]) {
      const fetcher = open({ ...options, resolve: async () => [{ address: own, family: 4 }] });
      fetcher.avoid(4817);
      const error = await fetcher.failure(`http://${host}:4817/`);
      expect([error.code, error.message]).toEqual(["ADDRESS_REFUSED", `${host} is this server`]);
    }
    const allowed = open();
    allowed.avoid(site.port);
    for (const host of ["page.test", "127.0.0.1", "127.0.0.9", "[::1]", "[::ffff:127.0.0.1]", "localhost"]) {
      expect((await allowed.failure(`http://${host}:${site.port}/`)).code).toBe("ADDRESS_REFUSED");
    }
  });

  test("of several addresses the next is dialled where one does not answer", async () => {
    site.pages["/"] = text("found");
    const addresses = ["::1", "127.0.0.9", "127.0.0.1"];
    const fetcher = open({
      resolve: async () => addresses.map((address) => ({ address, family: address === "::1" ? 6 : 4 })),
    });
    expect(await fetcher.get(`http://page.test:${site.port}/`)).toMatchObject({ text: "found" });
  });
});

describe("redirects", () => {
  test.each([301, 302, 303, 307, 308])("%p is followed, relative too", async (status) => {
    site.pages["/from"] = () => redirect("to?x=1#y", status);
    site.pages["/to"] = text("there");
    const page = await open().get(`http://page.test:${site.port}/from`);
    expect(page).toMatchObject({ text: "there", finalUrl: `http://page.test:${site.port}/to?x=1` });
  });

  test("five are followed, six are not", async () => {
    for (let i = 0; i < 7; i++) site.pages[`/${i}`] = () => redirect(`/${i + 1}`);
    site.pages["/7"] = text("end");
    expect(await open().get(`http://page.test:${site.port}/2`)).toMatchObject({ text: "end" });
    const error = await open().failure(`http://page.test:${site.port}/1`);
    expect([error.code, error.retryable]).toEqual(["TOO_MANY_REDIRECTS", false]);
  });

  test.each([
    ["http://169.254.169.254/latest/meta-data/", "ADDRESS_REFUSED"],
    ["http://2852039166/", "ADDRESS_REFUSED"],
    ["//metadata.test:8080/", "ADDRESS_REFUSED"],
    ["http://page.test:22/", "PORT_REFUSED"],
    ["file:///etc/passwd", "URL_REFUSED"],
    ["ftp://page.test/", "URL_REFUSED"],
    ["javascript:alert(1)", "URL_REFUSED"],
    ["http://ada:secret@page.test/", "URL_REFUSED"],
    ["http://", "URL_REFUSED"],
    [`/${"x".repeat(9000)}`, "URL_REFUSED"],
  ])("to %s is refused", async (location, code) => {
    site.pages["/from"] = () => redirect(location);
    expect((await open().failure(`http://page.test:${site.port}/from`)).code).toBe(
      code as FetchError["code"],
    );
  });

  test("a public page that redirects inside is refused, and nothing is asked there", async () => {
    // The page's own address is private too: only the hop to it is let through, by its address.
    site.pages["/from"] = () => redirect(`http://127.0.0.1:${secure.port}/admin`);
    let asked = 0;
    const fetcher = open({
      allowPrivate: false,
      resolve: async () => {
        asked++;
        return [{ address: "127.0.0.1", family: 4 }];
      },
    });
    expect((await fetcher.failure(`http://page.test:${site.port}/from`)).code).toBe("ADDRESS_REFUSED");
    expect([asked, secure.seen.length]).toEqual([1, 0]);
  });

  test("a name is resolved anew at every hop: one that turns inside is refused there", async () => {
    site.pages["/a"] = () => redirect("/b");
    const answers = ["127.0.0.1", "169.254.169.254"];
    const fetcher = open({ resolve: async () => [{ address: answers.shift()!, family: 4 }] });
    expect((await fetcher.failure(`http://page.test:${site.port}/a`)).code).toBe("ADDRESS_REFUSED");
    expect(site.seen.map(({ path }) => path)).toEqual(["/a"]);
  });

  test("from https to http is refused; from http to https is followed", async () => {
    const fetcher = open({ certificateAuthority: cert });
    site.pages["/up"] = () => redirect(`https://secure.test:${secure.port}/up`);
    secure.pages["/up"] = text("secured");
    secure.pages["/down"] = () => redirect(`http://page.test:${site.port}/`);
    expect(await fetcher.get(`http://page.test:${site.port}/up`)).toMatchObject({ text: "secured" });
    const error = await fetcher.failure(`https://secure.test:${secure.port}/down`);
    expect(error.code).toBe("REDIRECT_DOWNGRADE");
  });

  test("the caller's headers stay at the origin they were meant for, but for those that name nobody", async () => {
    site.pages["/from"] = () => redirect(`http://other.test:${site.port}/over`);
    site.pages["/over"] = () => redirect(`http://page.test:${site.port}/back`);
    site.pages["/back"] = text("end");
    const headers = { Authorization: "Bearer s", Cookie: "s", "X-Api-Key": "s", "Accept-Language": "de" };
    await open().get(`http://page.test:${site.port}/from`, { headers });
    const sent = site.seen.map(({ headers: got }) =>
      ["authorization", "cookie", "x-api-key", "accept-language"].map((name) => got.get(name)),
    );
    expect(sent).toEqual([
      ["Bearer s", "s", "s", "de"],
      [null, null, null, "de"],
      [null, null, null, "de"],
    ]);
  });
});

describe("requests and answers", () => {
  test("it names itself, and what it reads; the caller may say otherwise", async () => {
    site.pages["/a"] = text("a");
    await open().get(`http://page.test:${site.port}/a`);
    await open().get(`http://page.test:${site.port}/a`, {
      headers: { "USER-Agent": "mine/1", "x-Own": "é" },
    });
    expect(site.seen[0].headers.get("user-agent")).toBe("ctxrepo/test");
    expect(site.seen[0].headers.get("accept")).toContain("text/html");
    expect(site.seen[0].headers.get("accept-encoding")).toBe("gzip, br, zstd");
    expect(site.seen[1].headers.get("user-agent")).toBe("mine/1");
  });

  test("validators go to their own URL, and 304 is told", async () => {
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
    const { headers } = site.seen[1];
    expect([headers.get("if-none-match"), headers.get("if-modified-since")]).toEqual(['"v1"', null]);
  });

  test("a 304 that nobody asked for is an error", async () => {
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
  ])("status %p, which is tried again: %p", async (status, retryable) => {
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
  ])("%s is read", async (contentType) => {
    site.pages["/a"] = text("x", { "Content-Type": contentType });
    expect(await open().get(`http://page.test:${site.port}/a`)).toMatchObject({ contentType, text: "x" });
  });

  test.each(["application/pdf", "image/png", "application/octet-stream", "text/css", "video/mp4"])(
    "%s is refused, and named",
    async (contentType) => {
      site.pages["/a"] = text("x", { "Content-Type": contentType });
      const error = await open().failure(`http://page.test:${site.port}/a`);
      expect(error.code).toBe("UNSUPPORTED_CONTENT_TYPE");
      expect(error.message).toContain(contentType);
    },
  );

  test("a server with a bad certificate, another name, or no TLS at all is refused", async () => {
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

  test("a port where nobody listens", async () => {
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
    ["closed before a word", "", "CONNECTION_FAILED"],
    [
      "a body that breaks off",
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nx",
      "CONNECTION_FAILED",
    ],
    [
      "chunks that break off",
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
      "CONNECTION_FAILED",
    ],
    [
      "headers without end",
      `HTTP/1.1 200 OK\r\n${`X-A: ${"y".repeat(1000)}\r\n`.repeat(100)}`,
      "INVALID_RESPONSE",
    ],
  ])("%s", async (_name, answer, code) => {
    const raw = await startRaw((write, end) => {
      write(answer);
      end();
    });
    expect((await open().failure(raw.url)).code).toBe(code as FetchError["code"]);
    raw.stop();
  });
});

describe("time", () => {
  test("a server that says nothing, or drips, or redirects for ever, is left after the time that was given", async () => {
    const silent = await startRaw(() => {});
    const dripping = await startRaw((write) => {
      write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n");
      const drip = setInterval(() => write("x"), 20);
      setTimeout(() => clearInterval(drip), 3_000);
    });
    for (const { url } of [silent, dripping]) {
      const startedAt = performance.now();
      const error = await open().failure(url, { timeoutMs: 300 });
      expect([error.code, error.retryable]).toEqual(["TIMEOUT", true]);
      expect(performance.now() - startedAt).toBeLessThan(2_500);
    }
    silent.stop();
    dripping.stop();
  });

  test("no word within the time for an answer, no connection within five seconds", async () => {
    const silent = await startRaw(() => {});
    const unresolved = open({ resolve: () => new Promise(() => {}) });
    const [mute, lost] = await Promise.all([
      open().failure(silent.url, { headersMs: 100 }),
      unresolved.failure("http://page.test/"),
    ]);
    expect([mute.code, mute.retryable]).toEqual(["HEADERS_TIMEOUT", true]);
    expect([lost.code, lost.retryable]).toEqual(["CONNECT_TIMEOUT", true]);
    silent.stop();
  });

  test("a name that takes for ever to resolve is left too", async () => {
    const fetcher = open({ resolve: () => new Promise(() => {}) });
    expect((await fetcher.failure("http://page.test/", { timeoutMs: 200 })).code).toBe("TIMEOUT");
  });

  test("the caller's signal ends it with the caller's reason", async () => {
    const silent = await startRaw(() => {});
    const stopping = new AbortController();
    const fetching = open().get(silent.url, {}, stopping.signal);
    setTimeout(() => stopping.abort(new Error("the server is stopping")), 50);
    expect(fetching).rejects.toThrow("the server is stopping");
    await fetching.catch(() => {});
    silent.stop();
  });
});
