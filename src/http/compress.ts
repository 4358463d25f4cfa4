// Compresses what the console reads, which is mostly lists of titles. Compression shows the length of a body to those
// who see the traffic; with chosen texts in the same body they could find others out (the attack BREACH). That needs
// requests that another page sends for the signed-in person, which the header and the cookie of the console prevent,
// and no body of these GET requests contains a key or a code. Replies of /v1 are never compressed.

import type { Operation } from "./operation.ts";
import { type Reply, textOf } from "./respond.ts";

/** UTF-16 units: shorter texts become hardly smaller; longer ones would hold up other requests. */
const MIN_UNITS = 1_024;
const MAX_UNITS = 4 * 1024 * 1024;
const ACCEPTS_GZIP = /(?:^|,)\s*gzip\s*(?:,|$|;\s*q=(?:1|0\.\d*[1-9]))/i;

/** The same reply, compressed if the client accepts that and it is one of the console's lists. */
export function compressed(
  { method, path }: Pick<Operation, "method" | "path">,
  sent: Headers,
  reply: Reply,
): Reply {
  const { stream, bytes, text: _text, body: _body, pieces: _pieces, ...rest } = reply;
  if (method !== "GET" || !path.startsWith("/console/api/") || stream || bytes) return reply;
  const text = textOf(reply);
  const headers = { ...reply.headers, Vary: "Accept-Encoding" };
  const isGzip = ACCEPTS_GZIP.test(sent.get("Accept-Encoding") ?? "");
  if (!isGzip || text.length < MIN_UNITS || text.length > MAX_UNITS) return { ...rest, headers, text };
  return {
    ...rest,
    headers: { ...headers, "Content-Encoding": "gzip" },
    bytes: Bun.gzipSync(text, { level: 1 }),
  };
}
