// The edge rejects a User-Agent that is missing, blank, or entirely the default of an HTTP library. Tools that a person
// runs (curl, Wget, HTTPie, Postman, browsers) and custom names are accepted, and so is `node`: the client of the
// hosted service sends it.

import type { Exchange } from "./exchange.ts";
import { plainResponse } from "./respond.ts";

/** Rejected as `NAME` or `NAME/VERSION`. */
const LIBRARIES = [
  "python-requests", "python-urllib", "python-urllib3", "python-httpx", "aiohttp", "pycurl", "scrapy",
  "undici", "node-fetch", "axios", "got", "superagent", "node-superagent", "ky", "bun", "deno",
  "go-http-client", "fasthttp", "go-resty", "resty",
  "reqwest", "hyper", "ureq",
  "java", "java-http-client", "okhttp", "apache-httpclient", "apache-httpasyncclient", "jakarta commons-httpclient",
  "ktor-client", "ktor client",
  "guzzlehttp", "guzzle", "symfony httpclient", "ruby", "faraday", "rest-client", "httpclient",
  "libwww-perl", "lwp::simple", "lwp", "restsharp", "dart", "cfnetwork", "libcurl", "libcurl-agent",
]; // biome-ignore format: one family a line reads better

/** Longer defaults that some of these libraries send. */
const LONG_FORMS = [
  /^python\/[\w.]+ aiohttp\/[\w.]+$/,
  /^pycurl\/[\w.]+( [\w-]+\/[\w.()-]+)*$/,
  /^scrapy\/[\w.]+ \(\+https?:\/\/scrapy\.org\)$/,
  /^node-fetch(\/[\w.]+)? \(\+https:\/\/github\.com\/(node-fetch|bitinn)\/node-fetch\)$/,
  /^got(\/[\w.]+)? \(https:\/\/github\.com\/sindresorhus\/got\)$/,
  /^go-resty\/[\w.-]+ \(https:\/\/(github\.com\/go-resty\/resty|resty\.dev)[^)]*\)$/,
  /^apache-http(async)?client\/[\w.-]+ \(java[^)]*\)$/,
  /^guzzlehttp\/[\w.]+( curl\/[\w.-]+)?( php\/[\w.+~-]+)?$/,
  /^faraday v[\w.]+$/,
  /^rest-client\/[\w.]+ \([^)]*\) ruby\/[\w.]+$/,
  /^httpclient\/[\w.]+ \([\w.]+, ruby [^)]*\)$/,
  /^lwp::simple\/[\w.]+ libwww-perl\/[\w.]+$/,
  /^dart\/[\w.]+ \(dart:io\)$/,
  /^cfnetwork\/[\w.]+ darwin\/[\w.]+$/,
  /^libcurl\/[\w.-]+( [\w-]+\/[\w.+-]+)*$/,
];

const SHORT_FORM = new RegExp(`^(${LIBRARIES.join("|")})(/v?[\\w.+~-]+)?$`);

/** Whether the edge must reject this value with `error code: 1010`. */
export function isRejectedUserAgent(userAgent: string | null): boolean {
  const value = (userAgent ?? "").trim().toLowerCase();
  return value === "" || SHORT_FORM.test(value) || LONG_FORMS.some((form) => form.test(value));
}

export const USER_AGENT_REJECTION = "error code: 1010";

/** The rejection: plain text, without the headers and framing of /v1. */
export function userAgentRejection(exchange: Exchange): Response {
  const headers = { "Content-Type": "text/plain" };
  return plainResponse(exchange, { status: 403, text: USER_AGENT_REJECTION, headers });
}
