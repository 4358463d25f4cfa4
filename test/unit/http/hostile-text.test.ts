// No parser of request data may take more than linear time: each one reads 64 kB of texts that make expressions
// backtrack.

import { expect, test } from "bun:test";
import { readScrapeUrl } from "../../../src/engine/fetching/scrape-url.ts";
import { readScrape } from "../../../src/features/documents/scraping/contract.ts";
import { checkContentHeaders } from "../../../src/http/body.ts";
import { parseJson } from "../../../src/http/json-body.ts";
import { createHostCheck } from "../../../src/http/host.ts";
import { readIdempotencyKey } from "../../../src/http/idempotency.ts";
import { readCursor } from "../../../src/http/pagination.ts";
import { isNotModified, readConditions } from "../../../src/http/preconditions.ts";
import { readQuery } from "../../../src/http/query.ts";
import { isRejectedUserAgent } from "../../../src/http/user-agent.ts";
import { ID_PATTERN } from "../../../src/kernel/ids.ts";
import { parseTagFilter } from "../../../src/kernel/tags.ts";
import { isHttpUri } from "../../../src/kernel/uri.ts";
import { OPERATIONS } from "../../../src/operations.ts";
import { startServer } from "../../helpers/start.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";

const SIZE = 64 * 1024;
const PREFIXES = [
  "", "application/json", "application/json;", "application/json;a=", 'application/json;a="', "application/json;charset=",
  '"', 'W/"', '"a",', '"a"', "W/", "*",
  "API-Key ", "API-Key gm_", "Bearer ", "bearer  a", "Bearer eyJ", "Bearer oat_", "Bearer a.b.",
  "localhost:", "[::1", "http://", "https://[", "http://localhost:",
  "python/3 aiohttp/", "pycurl/7", "pycurl/7 a/", "libcurl/8", "libcurl/8 a/", "guzzlehttp/7 curl/8 php/", "got (https://github.com/sindresorhus/got",
  "go-resty/2 (https://resty.dev", "apache-httpclient/5 (java", "rest-client/2 (", "httpclient/2 (1, ruby ", "scrapy/2 (+http",
  "q=", "tags=", "limit=", "scoreThreshold=0.", "q=a&limit=-", "cursor=",
  "https://a.example/", "javascript:", "user@", "http://a:b@",
]; // biome-ignore format: one parser a line reads better
const UNITS = [
  " ", "\t", ",", ";", '"', "\\", '\\"', "/", ".", "a", "a/", "a/a ", " a/", "1", "0", "-", "(", ")", "()", "((", "[", "]",
  "=", "a=", "a=b;", ";a=b", "&", "&a", "%", "%41", "%zz", "+", ":", "@", "#", "?", "é", "\u00a0", '"a",', '"a" ', 'W/"a", ',
  "eyJ", "a.", "_", "!", "{", "}", ", ,", " ;", "; ;", "\u0301",
]; // biome-ignore format: shapes
const SUFFIXES = ["", "x", "\u0001", '"', ")", "$"];

/** Every prefix with every unit, with the suffixes in turn. */
const texts = PREFIXES.flatMap((prefix, i) =>
  UNITS.map((unit, j) => {
    const suffix = SUFFIXES[(i + j) % SUFFIXES.length]!;
    return `${prefix}${unit.repeat((SIZE - prefix.length) / unit.length)}${suffix}`;
  }),
);

const checkHost = createHostCheck({ host: "127.0.0.1", port: 4817, baseUrl: null, allowHost: ["name"] });
const header = (name: string, value: string) =>
  ({ get: (asked: string) => (asked.toLowerCase() === name ? value : null) }) as Headers;
const queries = OPERATIONS.flatMap(({ query }) => (query ? [query] : []));

const PARSERS: Record<string, (text: string) => unknown> = {
  "Content-Type": (text) => checkContentHeaders(header("content-type", text), false),
  "Content-Encoding": (text) => checkContentHeaders(header("content-encoding", text), true),
  "If-Match": (text) => readConditions(header("if-match", text)),
  "If-None-Match": (text) => isNotModified(header("if-none-match", text), '"a"'),
  "Idempotency-Key": (text) => readIdempotencyKey(header("idempotency-key", text)),
  "User-Agent": isRejectedUserAgent,
  Host: (text) => checkHost(header("host", text)),
  Origin: (text) =>
    checkHost({
      get: (name: string) => (name === "host" ? "localhost:4817" : name === "origin" ? text : null),
    } as Headers),
  query: (text) => readQuery(queries[text.length % queries.length]!, text),
  cursor: (text) => readCursor({ userId: "u", list: "l", filters: {} }, text),
  tags: parseTagFilter,
  id: (text) => ID_PATTERN.test(text),
  sourceUrl: isHttpUri,
  "scrape URL": (text) => readScrapeUrl(text.slice(0, 8 * 1024), false),
  "scrape headers": (text) =>
    readScrape(
      { url: "https://a.example", options: { headers: { [text.slice(0, 8_000)]: text.slice(0, 8_000) } } },
      false,
    ),
  body: (text) => parseJson(Buffer.from(`{"a":${text}}`)),
};

test("every parser reads 64 kB of hostile text in linear time", async () => {
  const slow: string[] = [];
  for (const [name, parse] of Object.entries(PARSERS)) {
    for (const text of texts) {
      const startedAt = cpuMs();
      try {
        parse(text);
      } catch {
        // Rejected, which is fine.
      }
      const ms = cpuMs() - startedAt;
      if (ms > 1_000) slow.push(`${name} ${JSON.stringify(text.slice(0, 40))}: ${Math.round(ms)} ms`);
    }
  }
  expect(slow).toEqual([]);
});

test("so does authentication", async () => {
  const started = startServer();
  const { credentials } = started.app;
  const startedAt = cpuMs();
  for (const text of texts) await credentials.identify(text, []);
  for (const text of texts) await credentials.identify(text.slice(0, 8_000), []);
  expect(cpuMs() - startedAt).toBeLessThan(10_000);
  await started.stop();
});
