// Requests with one odd header value each, on bare sockets: no status may be 500 or above, and every rejection has the
// envelope of errors and a request id, except for those that the runtime sends before the program sees the request.

import { connect } from "node:net";

const MANY = 5_000;

/** Values that a header should not have, or not in this place: about 200. `port` is that of the server. @testOnly */
export function oddValues(port: number): string[] {
  const own = `localhost:${port}`;
  return [
    // Names of hosts, origins and paths.
    ...["", " ", "@", "x@y", `${own}@evil.example`, `a@${own}`, `a:b@${own}`, `@${own}`, `${own}@`, `${own}:80`, "localhost"],
    ...["localhost:", "localhost:0", "localhost:99999", "localhost:-1", "localhost:1:2", "localhost:80a", "localhost.", "LOCALHOST"],
    ...[":", "::", `:${port}`, "[", "]", "[]:80", "[::1", `[::1]:${port}x`, `[::1]:${port}`, `[v1.a]:${port}`, "[::ffff:127.0.0.1]", "::1"],
    ...["0", "0.0.0.0", "127.1", "2130706433", "0x7f000001", "017700000001", "127.0.0.1", `127.0.0.1:${port}`, `127.0.0.1:0${port}`],
    ...[`${own}/`, `${own}/x`, `${own}?x`, `${own}#x`, `${own}\\evil`, `${own} x`, `${own}\tx`, `${own},${own}`, `${own};x`, `evil\\@${own}`],
    ...["//evil", "http://", "http://[", "http:", `http://${own}`, `https://${own}`, `http://${own}/`, `HTTP://${own}`, `http://${own}@evil`],
    ...["null", "file:///x", "data:,x", "javascript:0", "about:blank", "chrome-extension://x", "../../etc/passwd", "/", "//", "/v1", "\\\\x"],
    // Escapes and bytes outside ASCII.
    ...["%", "%0", "%00", "%zz", "%c3%28", "%2e%2e", "localhost%00", "xn--", "xn--a", "xn--99999999", "\x80", "\xff\xfe", "\xc3\xa9", "\xe2\x80\xae"],
    ...["\xef\xbb\xbf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a b", "a\tb", "<script>", "'", "`id`", "$" + "{x}", "{{x}}", "%s%n", "\\u0000", "\\"],
    // Entity tags, quotes, lists and parameters.
    ...['"', '""', '"a', 'a"', '"a"', 'W/"a"', "W/", 'W/"', 'w/"a"', '"a" "b"', '"a","b"', '"a",', ',"a"', "*", "**", '*,"a"', '"*"', '"\\"'],
    ...[",", ",,,", ";", ";;", "=", "a=b", "a=b; c", "a=;b=", "; charset=utf-8", "=;=;=", "__proto__=1", "constructor=1", "a; b=c; ; ;"],
    ...["a=".repeat(MANY), ",".repeat(MANY), '"'.repeat(MANY), ";".repeat(MANY), "\\".repeat(MANY), '"a",'.repeat(MANY), 'W/"a",'.repeat(MANY)],
    ...["a".repeat(255), "a".repeat(256), "a".repeat(8_191), "a".repeat(8_193), "a".repeat(60_000), "\xff".repeat(MANY), "%".repeat(MANY)],
    // Numbers and words of JSON.
    ...["-0", "-1", "1", "1.5", "1e9", "+1", "00", "0x1", "9".repeat(15), "9".repeat(17), "9".repeat(400), "NaN", "Infinity", "undefined"],
    ...["true", "false", "{}", "[]", '{"a":1}', "[object Object]", "\u0661", "-", "--", ".", "..", "__proto__", "constructor", "toString"],
    // Credentials.
    ...["API-Key", "API-Key ", "API-Key x", "API-Key gm_", "API-Key gm_a_b", "api-key x", "API-Key\tx", `API-Key gm_${"0".repeat(16)}_${"0".repeat(49)}`],
    ...["Bearer", "Bearer ", "Bearer x", "Bearer .", "Bearer ..", "Bearer a.b.c", "Bearer e30.e30.", "Bearer eyJhbGciOiJub25lIn0.e30.", "Bearer gm_x"],
    ...["Bearer oat_", "Bearer mt_..", "Bearer ak_a.b.c", "bearer \x80", "Basic Og==", "Digest x", "Negotiate", "Local", "Local x.y"],
    ...[`Local ${"a".repeat(43)}.${"b".repeat(43)}`, `Local ${"a".repeat(43)}.`, `ctxrepo_console_${port}=x`, `ctxrepo_console_${port}=`],
    // Media types, codings and words of other headers.
    ...["application/json", "application/json;", "application/json; charset=", 'application/json; charset="utf-8', "application/json; charset=utf-16"],
    ...["application/json; charset=utf-8; charset=x", "application/JSON", "application/json,text/html", "text/html", "*/*", "a/", "/b", "a/b/c", "*/json"],
    ...["multipart/form-data; boundary=", "application/json; a=\"\\", "gzip", "identity", "br, gzip", "chunked", "same-origin", "cross-site", "CROSS-SITE"],
    ...["cross-site, same-origin", "none", "keep-alive", "close, keep-alive", "Upgrade", "websocket", "h2c", "100-continue", "bytes=0-", "bytes=-1"],
    ...["Sun, 06 Nov 1994 08:49:37 GMT", "curl/8", "node", "axios/1.7", "2025-06-18", "1900-01-01"],
  ]; // biome-ignore format: a family on a line reads better
}

/** Every header that the program reads. */
const READ_HEADERS = [
  ...["Host", "Origin", "Sec-Fetch-Site", "User-Agent", "Authorization", "Cookie", "X-Console", "Accept"],
  ...["Idempotency-Key", "Content-Type", "Content-Encoding", "If-Match", "If-None-Match"],
  ...["X-Service-Lease-Id", "X-Service-Lease-Fence", "X-Ctxrepo-Nonce", "X-Ctxrepo-Proof"],
  ...["Mcp-Protocol-Version", "Mcp-Session-Id", "Last-Event-Id"],
];
/**
 * Headers of the runtime: a request with a strange one gets its 400 without an envelope, or no response until its body
 * ends.
 */
const FRAMING_HEADERS = ["Content-Length", "Transfer-Encoding", "Connection", "Expect", "Upgrade"];

const UNKNOWN = "0".repeat(27);
/** Requests to each kind of path: method, path and body. */
const TARGETS: readonly (readonly [string, string, string?])[] = [
  ["GET", "/v1/user/me"],
  ["POST", "/v1/documents", '{"title":"odd","content":"headers"}'],
  ["PATCH", `/v1/documents/${UNKNOWN}`, "{}"],
  ["GET", "/health"],
  ["POST", "/mcp", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
  ["POST", "/console/api/session", "{}"],
  ["POST", "/local/check", ""],
  ["GET", "/"],
];

interface OddRequest {
  name: string;
  text: string;
  /** Whether the runtime may respond in place of the program, or not at all. */
  isFraming: boolean;
}

/** Every `step`th of all requests with an odd value in one header. */
export function* oddRequests({
  port,
  key,
  step,
}: {
  port: number;
  key: string;
  step: number;
}): Generator<OddRequest> {
  const values = oddValues(port);
  let count = 0;
  for (const name of [...READ_HEADERS, ...FRAMING_HEADERS])
    for (const value of values) {
      // One target for each value, in turn: all are used with every header.
      const [method, path, body] = TARGETS[count % TARGETS.length]!;
      // HTTP/1.0 has no Host header in the normal case.
      const version = Math.floor(count / TARGETS.length) % 4 === 3 ? "1.0" : "1.1";
      if (count++ % step !== 0) continue;
      const headers = new Map([
        ["Host", `localhost:${port}`],
        ["User-Agent", "torture/1"],
        ["Authorization", `API-Key ${key}`],
        ["Accept", "application/json, text/event-stream"],
        ["Connection", "close"],
        ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
        ...(body === undefined ? [] : [["Content-Length", String(body.length)] as const]),
      ]);
      headers.set(name, value);
      const lines = [...headers].map(([header, text]) => `${header}: ${text}\r\n`);
      yield {
        name: `${method} ${path} HTTP/${version} with ${name}: ${JSON.stringify(value.slice(0, 60))}`,
        text: `${method} ${path} HTTP/${version}\r\n${lines.join("")}\r\n${body ?? ""}`,
        isFraming: FRAMING_HEADERS.includes(name),
      };
    }
  for (const version of ["1.0", "1.1"])
    for (const [method, path] of TARGETS) {
      const text = `${method} ${path} HTTP/${version}\r\nUser-Agent: torture/1\r\nConnection: close\r\n\r\n`;
      yield { name: `${method} ${path} HTTP/${version} without Host`, text, isFraming: version === "1.1" };
    }
}

/** What is wrong with a response; undefined for one that is as it should be. */
export function problemWith({ isFraming, name }: OddRequest, received: string): string | undefined {
  const status = Number(/^HTTP\/1\.\d (\d+)/.exec(received)?.[1] ?? 0);
  if (status >= 500) return `${name}: ${status}`;
  if (isFraming || (status >= 200 && status < 400)) return undefined;
  if (status === 0) return `${name}: no response`;
  if (status === 403 && received.includes("error code: 1010")) return undefined;
  if (!/^x-request-id: /im.test(received)) return `${name}: ${status} without X-Request-Id`;
  return received.includes('"error":{') ? undefined : `${name}: ${status} without an envelope`;
}

const REPLY_MS = 10_000;
const FRAMING_REPLY_MS = 200;

/**
 * Sends a request on a connection of its own, byte for byte, and returns what was received until the server closed it.
 */
export function exchangeBytes(port: number, { text, isFraming }: OddRequest): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(text, "latin1")));
    socket.setTimeout(isFraming ? FRAMING_REPLY_MS : REPLY_MS, () => socket.destroy());
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
}
