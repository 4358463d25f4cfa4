// The pages of the console: addresses, headers, the redirect, and the files of the bundle.

import { describe, expect, test } from "bun:test";
import { routeOf } from "../../../src/console/frame/routes.ts";
import { VIEWS } from "../../../src/site/console/pages.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer();
const ID = "2yGqQzDbdVZNFCVpSyVEFDUUbZ5";
const get = (path: string, headers: Record<string, string> = {}) =>
  started.client("GET", path, undefined, { Authorization: "", ...headers });

describe("every view", () => {
  test.each(VIEWS.map((view) => view.replace(":id", ID)))(
    "%s is a page and has a route in the client",
    async (path) => {
      const { status, headers, body } = await get(path);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(body).toContain("<title>ctxrepo</title>");
      expect(routeOf(path).view).not.toBe("unknown");
    },
  );

  test.each(["/console/nothing", "/console/documents/", `/console/documents/${ID}/x`, "/console//"])(
    "%s does not exist",
    async (path) => {
      expect((await get(path)).status).toBe(404);
      expect(routeOf(path).view).toBe("unknown");
    },
  );

  test("may load only its own files, and sends no inline code", async () => {
    const { headers, body } = await get("/console/");
    const policy = headers.get("content-security-policy") ?? "";
    const directives = Object.fromEntries(
      policy
        .split("; ")
        .map((directive) => [directive.split(" ")[0], directive.split(" ").slice(1).join(" ")]),
    );
    expect(directives).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self' blob:",
      "connect-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "dompurify",
    });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-dns-prefetch-control")).toBe("off");
    expect(body).not.toMatch(/<style|style="| on\w+="|<script>/);
    const addresses = [...String(body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      expect(address).toStartWith("/console/assets/");
      const file = await get(address);
      expect(file.status).toBe(200);
      expect(file.headers.get("cache-control")).toContain("immutable");
      expect(file.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("sends its files compressed to those who accept it", async () => {
    const page = String((await get("/console/")).body);
    const [, main = ""] = /src="([^"]+\.js)"/.exec(page) ?? [];
    const load = (headers: Record<string, string>) =>
      started.send(new Request(started.url + main, { headers: { "User-Agent": "test/1", ...headers } }));
    const [plain, compressed] = [await load({}), await load({ "Accept-Encoding": "br, gzip" })];
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    expect(compressed.headers.get("vary")).toBe("Accept-Encoding");
    const unpacked = Bun.gunzipSync(await compressed.arrayBuffer());
    expect(new TextDecoder().decode(unpacked)).toBe(await plain.text());
  });

  test("loads at most 120 kB of compressed script", async () => {
    const page = String((await get("/console/")).body);
    const [, main = ""] = /src="([^"]+\.js)"/.exec(page) ?? [];
    const scripts = new Map<string, string>();
    const load = async (path: string) => {
      if (scripts.has(path)) return;
      const text = String((await get(path)).body);
      scripts.set(path, text);
      // Static imports only: the others are loaded when they are needed.
      for (const [, name] of text.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g))
        await load(`/console/assets/${name}`);
    };
    await load(main);
    const bytes = [...scripts.values()].map((text) => Bun.gzipSync(Buffer.from(text)).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(120 * 1024);
  });

  test("an unknown file is a 404, also one with dots", async () => {
    expect((await get("/console/assets/none.js")).status).toBe(404);
    expect((await get("/console/assets/..%2f..%2fpackage.json")).status).toBe(404);
  });

  test("other methods are rejected", async () => {
    const { status, headers } = await started.client("POST", "/console/");
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("GET, HEAD");
  });
});

describe("the root", () => {
  const root = async (method: string, accept?: string) => {
    const headers = { "User-Agent": "test/1", ...(accept !== undefined && { Accept: accept }) };
    return started.send(new Request(`${started.url}/`, { method, headers }));
  };

  test.each(["text/html", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"])(
    "sends browsers to the console (%s)",
    async (accept) => {
      const reply = await root("GET", accept);
      expect(reply.status).toBe(302);
      expect(reply.headers.get("location")).toBe("/console/");
    },
  );

  test.each([
    ["GET", "*/*"],
    ["GET", "application/json"],
    ["GET", undefined],
    ["POST", "text/html"],
  ])("is an unknown path otherwise (%s, %s)", async (method, accept) => {
    const reply = await root(method, accept);
    expect(reply.status).toBe(404);
    expect(await reply.json()).toEqual({ error: { code: 404, message: "no such path" } });
  });
});
