// Writes responses: JSON, chunked framing, the headers of every /v1 response. Reports the size and the end of each body.

import type { Exchange } from "./exchange.ts";
import { isApiPath } from "./target.ts";

/** The result of an operation as plain data; the functions below turn it into a Response. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /** JSON; absent for 304. */
  body?: unknown;
  /** The body as text that is sent unchanged, instead of `body`. */
  text?: string;
  /** The body as pieces of JSON, instead of `body`, each created after the previous one was sent: for bodies too large for memory. */
  pieces?: Iterable<string>;
}

const VERSION_HEADERS = { "X-API-Version": "v1", Deprecation: "?0" };
const NO_BODY = new Set([204, 304]);

/** What a response depends on besides its reply. */
export interface Received {
  exchange: Exchange;
  /** As it was sent, without the query. */
  path: string;
}

/** Creates the Response to a request, with the headers and the framing of /v1 if its path is in /v1. */
export function responseTo(
  { exchange, path }: Received,
  reply: Reply,
  headers: Record<string, string> = {},
): Response {
  if (isApiPath(path)) return v1Response(exchange, reply, headers);
  return plainResponse(exchange, { ...reply, headers: { ...headers, ...reply.headers } });
}

/** Creates a Response of /v1 with additional headers. For HEAD the runtime cancels the body and retains the framing. */
function v1Response(exchange: Exchange, reply: Reply, headers: Record<string, string> = {}): Response {
  const all = new Headers({ ...VERSION_HEADERS, ...headers, ...reply.headers });
  if (NO_BODY.has(reply.status)) return new Response(null, { status: reply.status, headers: all });
  if (!all.has("Content-Type")) all.set("Content-Type", "application/json");
  exchange.streamsBody();
  const body = reply.pieces
    ? streamed(exchange, reply.pieces)
    : chunked(exchange, reply.text ?? JSON.stringify(reply.body));
  return new Response(body, { status: reply.status, headers: all });
}

/**
 * Creates a Response outside /v1: without chunked framing and version headers, and of any content type. The runtime does not
 * tell when such a body was sent; without an exchange, nothing is counted.
 */
export function plainResponse(
  exchange: Exchange | undefined,
  { status, body, text, headers }: Reply,
): Response {
  const all = { "Content-Type": "application/json", ...headers };
  const content = text ?? JSON.stringify(body);
  if (exchange && exchange.method !== "HEAD") exchange.bytes = Buffer.byteLength(content);
  return new Response(content, { status, headers: all });
}

/** The same response, created elsewhere, whose size and end are reported. */
export function observedResponse(exchange: Exchange, response: Response): Response {
  const source: ReadableStream<Uint8Array> | null = response.body;
  if (!source) return response;
  exchange.streamsBody();
  const reader = source.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          exchange.end();
        } else {
          exchange.bytes += value.byteLength;
          controller.enqueue(value);
        }
      } catch (error) {
        exchange.end(true);
        controller.error(error);
      }
    },
    cancel(reason) {
      exchange.end(true);
      return reader.cancel(reason);
    },
  });
  return new Response(body, response);
}

/**
 * A body that Bun sends with Transfer-Encoding: chunked. Only a direct stream that flushes before it closes ensures this;
 * otherwise the runtime sends a short body with Content-Length.
 */
function chunked(exchange: Exchange, text: string): ReadableStream {
  return new ReadableStream({
    type: "direct",
    async pull(controller) {
      // A promise if the client is slower than the server. Not awaited otherwise: a reply at once allows pipelining.
      const written: unknown = controller.write(text);
      if (written instanceof Promise) await written;
      await controller.flush();
      controller.close();
      exchange.bytes = Buffer.byteLength(text);
      exchange.end();
    },
    // The client disconnected, or the request was a HEAD.
    cancel: () => exchange.end(exchange.method !== "HEAD"),
  });
}

/**
 * The same for a body in pieces. It waits for slow clients, yields to other requests between two pieces, and stops when
 * the client disconnects. If a piece throws, the connection is closed, so that a truncated body is not mistaken for a
 * complete one.
 */
function streamed(exchange: Exchange, pieces: Iterable<string>): ReadableStream {
  let isConnected = true;
  return new ReadableStream({
    type: "direct",
    async pull(controller) {
      try {
        for (const piece of pieces) {
          await controller.write(piece);
          exchange.bytes += Buffer.byteLength(piece);
          await new Promise((turn) => setImmediate(turn));
          if (!isConnected) return;
        }
        await controller.flush();
        controller.close();
        exchange.end();
      } finally {
        exchange.end(true);
      }
    },
    cancel() {
      isConnected = false;
      exchange.end(exchange.method !== "HEAD");
    },
  });
}
