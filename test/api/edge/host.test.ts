// Host and Origin on a bare socket: the text of the header is checked before any URL is made of it.

import { describe, expect, test } from "bun:test";
import { createHostCheck } from "../../../src/http/host.ts";
import { rawRequest } from "../../helpers/raw.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer({
  socket: true,
  settings: { allowHost: ["db", "Proxy.Example:8443"], baseUrl: "https://ctx.example" },
});

const get = (lines: string[], target = "/v1/mcp/capabilities") =>
  rawRequest(
    started.port,
    [`GET ${target} HTTP/1.1`, "User-Agent: t/1", "Connection: close", ...lines, "", ""].join("\r\n"),
  );

describe("Host", () => {
  const port = () => started.port;
  test.each([
    ["localhost", () => `localhost:${port()}`],
    ["another case", () => `LOCALHOST:${port()}`],
    ["the bound address", () => `127.0.0.1:${port()}`],
    ["IPv6 loopback", () => `[::1]:${port()}`],
    ["an allowed short name, any port", () => "db"],
    ["an allowed short name with a port", () => "db:1"],
    ["an allowed name with its port", () => "proxy.example:8443"],
    ["the base URL without its default port", () => "ctx.example"],
    ["the base URL with its default port", () => "ctx.example:443"],
    ["the base URL with the bound port", () => `ctx.example:${port()}`],
  ])("%s is accepted", async (_name, host) => {
    const reply = await get([`Host: ${host()}`]);
    expect(reply.status).toBe(200);
    expect(reply.payload).toContain("capabilities");
  });

  test.each([
    ["another name", () => `evil.example:${port()}`],
    ["no port", () => "localhost"],
    ["another port", () => "localhost:1"],
    ["a name that starts with localhost", () => `localhost.evil.example:${port()}`],
    ["a name that ends with localhost", () => `evil-localhost:${port()}`],
    ["a trailing dot", () => `localhost.:${port()}`],
    ["user info", () => `a@localhost:${port()}`],
    ["the wildcard address", () => `0.0.0.0:${port()}`],
    ["a decimal address", () => `2130706433:${port()}`],
    ["a path", () => `localhost:${port()}/x`],
    ["nothing", () => ""],
    ["only a colon", () => ":"],
    ["a bracket", () => "["],
    ["spaces", () => "local host"],
    ["the base URL with another port", () => "ctx.example:8080"],
    ["an allowed name with another port", () => "proxy.example"],
  ])("%s is rejected", async (_name, host) => {
    const reply = await get([`Host: ${host()}`]);
    expect(reply.status).toBe(403);
    expect(reply.headers.get("transfer-encoding")).toBe("chunked");
    expect(reply.payload).toContain('"code":403');
  });

  test("two Host headers are rejected", async () => {
    const reply = await get([`Host: localhost:${port()}`, "Host: evil.example"]);
    expect([400, 403]).toContain(reply.status);
  });

  test("the check applies to every path", async () => {
    for (const target of ["/health", "/v1/nowhere", "/", "/openapi.json"]) {
      expect((await get(["Host: evil.example"], target)).status).toBe(403);
    }
  });
});

describe("Origin and Sec-Fetch-Site", () => {
  const host = () => `Host: localhost:${started.port}`;
  test.each([
    ["a page of this server", () => `Origin: http://localhost:${started.port}`, 200],
    ["the base URL's page", () => "Origin: https://ctx.example", 200],
    ["same-origin fetch", () => "Sec-Fetch-Site: same-origin", 200],
    ["typed by the user", () => "Sec-Fetch-Site: none", 200],
    ["another page", () => "Origin: https://evil.example", 403],
    ["the same name, another port", () => "Origin: http://localhost", 403],
    ["null", () => "Origin: null", 403],
    ["another scheme", () => `Origin: file://localhost:${started.port}`, 403],
    ["cross-site fetch", () => "Sec-Fetch-Site: cross-site", 403],
  ])("%s", async (_name, header, status) => {
    const reply = await get([host(), header()]);
    expect(reply.status).toBe(status);
    expect([...reply.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

test("on port 80 the port may be omitted, and a bound IPv6 address is in brackets", () => {
  const check = createHostCheck({ host: "fe80::1", port: 80, baseUrl: null, allowHost: [] });
  for (const host of ["localhost", "localhost:80", "[fe80::1]", "[FE80::1]:80"]) {
    expect(() => check(new Headers({ host }))).not.toThrow();
  }
  expect(() => check(new Headers({ host: "fe80::1" }))).toThrow("Host");
});
