// Which User-Agent values the edge rejects, and its reply.

import { describe, expect, test } from "bun:test";
import { isRejectedUserAgent } from "../../../src/http/user-agent.ts";
import { type Started, startServer, useServer } from "../../helpers/start.ts";

const started = useServer();

describe("rejected", () => {
  test.each([
    [null],
    [""],
    ["   "],
    ["python-requests"],
    ["python-requests/2.34.2"],
    ["Python-urllib/3.11"],
    ["python-httpx/0.27.0"],
    ["Python/3.11 aiohttp/3.9.5"],
    ["aiohttp"],
    ["PycURL/7.45.3 libcurl/8.5.0 OpenSSL/3.0.13 zlib/1.3 brotli/1.1.0"],
    ["Scrapy/2.11 (+https://scrapy.org)"],
    ["undici"],
    ["node-fetch/1.0 (+https://github.com/bitinn/node-fetch)"],
    ["node-fetch"],
    ["axios/1.7.2"],
    ["got (https://github.com/sindresorhus/got)"],
    ["superagent/8.1"],
    ["ky"],
    ["Bun/1.4.5"],
    ["Deno/1.44.4"],
    ["Go-http-client/1.1"],
    ["Go-http-client/2.0"],
    ["fasthttp"],
    ["go-resty/2.13.1 (https://github.com/go-resty/resty)"],
    ["reqwest/0.12.5"],
    ["hyper/1.4"],
    ["ureq/2.10.0"],
    ["Java/17.0.11"],
    ["okhttp/4.12.0"],
    ["Apache-HttpClient/4.5.14 (Java/17.0.11)"],
    ["ktor-client"],
    ["GuzzleHttp/7"],
    ["GuzzleHttp/6.5.5 curl/7.88.1 PHP/8.2.20"],
    ["Ruby"],
    ["Faraday v2.9.2"],
    ["rest-client/2.1.0 (linux x86_64) ruby/3.1.2p20"],
    ["libwww-perl/6.68"],
    ["LWP::Simple/6.68 libwww-perl/6.68"],
    ["RestSharp/111.4.0.0"],
    ["Dart/3.4 (dart:io)"],
    ["CFNetwork/1498.700.2 Darwin/23.6.0"],
    ["libcurl/8.5.0"],
    ["PYTHON-REQUESTS/2.0"],
  ])("%s", (value) => {
    expect(isRejectedUserAgent(value)).toBe(true);
  });
});

describe("accepted", () => {
  test.each([
    ["curl/8.5.0"],
    ["Wget/1.21.3"],
    ["HTTPie/3.2.2"],
    ["PostmanRuntime/7.39.0"],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"],
    ["my-agent/1.0"],
    ["my-agent"],
    ["context-repo-mcp/2.1 node/20"],
    ["node"],
    ["node/22.1.0"],
    ["Node.js/20"],
    ["my-agent/1.0 python-requests/2.31"],
    ["python-requests/2.31 my-agent/1.0"],
    ["javascript-notes/1"],
    ["nodeling"],
    ["MyApp/1 CFNetwork/1498.700.2 Darwin/23.6.0"],
  ])("%s", (value) => {
    expect(isRejectedUserAgent(value)).toBe(false);
  });
});

/** A request without a User-Agent, or with the given one. */
const request = (path: string, agent?: string, to: Started = started) =>
  to.send(new Request(to.url + path, { headers: agent === undefined ? {} : { "User-Agent": agent } }));

test("the rejection is plain text without the envelope and headers of /v1", async () => {
  for (const path of ["/v1/mcp/capabilities", "/v1/user/me", "/v1/nowhere"]) {
    const reply = await request(path);
    expect(reply.status).toBe(403);
    expect(await reply.text()).toBe("error code: 1010");
    expect(reply.headers.get("content-type")).toBe("text/plain");
    expect(reply.headers.has("x-api-version")).toBe(false);
  }
  await request("/v1/user/me", `axios/${"1".repeat(200)}`);
  const { message, userAgent } = JSON.parse(started.log.findLast((line) => line.includes("User-Agent"))!);
  expect(message).toContain("my-agent/1.0, or start the server with --user-agent-policy off");
  expect(userAgent).toBe("axios");
});

test("outside /v1 it is not required", async () => {
  expect((await request("/health")).status).toBe(200);
});

test("with the policy off every value passes", async () => {
  const lenient = startServer({ settings: { userAgentPolicy: "off" } });
  try {
    const reply = await request("/v1/mcp/capabilities", "undici", lenient);
    expect(reply.status).toBe(200);
  } finally {
    await lenient.stop();
  }
});
