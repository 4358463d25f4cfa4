// Writes responses: JSON, chunked framing, the headers of every /v1 response. Reports the size and the end of each
// body.

import type { Noted } from "../kernel/noted.ts";
import { cutUnits, utf8Length } from "../kernel/text.ts";
import type { Exchange } from "./exchange.ts";
import { MAX_PART_UNITS } from "./pieces.ts";
import { isApiPath } from "./target.ts";
import type { Turn } from "./turns.ts";

/** The result of an operation as plain data; the functions below turn it into a Response. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /** JSON; absent for 304. */
  body?: unknown;
  /** The body as text that is sent unchanged, instead of `body`. */
  text?: string;
  /** The body as bytes that are sent unchanged, instead of `body`; outside /v1 only. */
  bytes?: Uint8Array<ArrayBuffer>;
  /** The body as bytes that are sent as they come, instead of `body`; outside /v1 only. */
  stream?: ReadableStream<Uint8Array>;
  /**
   * The body as pieces of JSON, instead of `body`, each made after the previous ones were sent: for bodies that can be
   * large.
   */
  pieces?: Iterable<string>;
  /** What the activity log notes if an agent has sent the request. */
  noted?: Noted;
}

const VERSION_HEADERS = { "X-API-Version": "v1", Deprecation: "?0" };
const NO_BODY = new Set([204, 304]);

/** What a response depends on besides its reply. */
export interface Received {
  exchange: Exchange;
  /** As it was sent, without the query. */
  path: string;
  /** For bodies that are sent in parts; without it, the body is sent at once. */
  turn?: Turn;
}

/** Creates the Response to a request, with the headers and the framing of /v1 if its path is in /v1. */
export function responseTo(
  { exchange, path, turn }: Received,
  reply: Reply,
  headers: Record<string, string> = {},
): Response {
  if (isApiPath(path)) {
    return v1Response(exchange, { ...reply, headers: { ...headers, ...reply.headers } }, turn);
  }
  return plainResponse(exchange, { ...reply, headers: { ...headers, ...reply.headers } });
}

/** Creates a Response of /v1. For HEAD the runtime cancels the body and retains the framing. */
function v1Response(exchange: Exchange, reply: Reply, turn: Turn | undefined): Response {
  const headers = new Headers({ ...VERSION_HEADERS, ...reply.headers });
  if (NO_BODY.has(reply.status)) return new Response(null, { status: reply.status, headers });
  if (!headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  exchange.streamsBody();
  return new Response(bodyOf(exchange, reply, turn), { status: reply.status, headers });
}

function bodyOf(exchange: Exchange, reply: Reply, turn: Turn | undefined): ReadableStream {
  if (turn && reply.pieces) return inParts(exchange, reply.pieces, turn);
  const text = textOf(reply);
  return turn && text.length > MAX_PART_UNITS ? inParts(exchange, [text], turn) : atOnce(exchange, text);
}

/** The body of a reply that is a text or JSON. */
export const textOf = ({ pieces, text, body }: Reply): string =>
  pieces ? [...pieces].join("") : (text ?? JSON.stringify(body));

/**
 * Creates a Response outside /v1: without chunked framing and version headers, and of any content type. The runtime
 * does not tell when such a body was sent; without an exchange, nothing is counted.
 */
export function plainResponse(
  exchange: Exchange | undefined,
  { status, headers, ...content }: Reply,
): Response {
  const all = { "Content-Type": "application/json", ...headers };
  if (content.stream) {
    const response = new Response(content.stream, { status, headers: all });
    return exchange ? observedResponse(exchange, response) : response;
  }
  const body = content.bytes ?? textOf({ status, ...content });
  if (exchange && exchange.method !== "HEAD") {
    exchange.bytes = typeof body === "string" ? utf8Length(body) : body.byteLength;
  }
  return new Response(body, { status, headers: all });
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
 * A body that Bun sends with Transfer-Encoding: chunked. Only a direct stream that flushes before it closes ensures
 * this; otherwise the runtime sends a short body with Content-Length.
 */
function atOnce(exchange: Exchange, text: string): ReadableStream {
  return new ReadableStream({
    type: "direct",
    async pull(controller) {
      // A promise if the client is slower than the server. Not awaited otherwise: a reply at once allows pipelining.
      const written: unknown = controller.write(text);
      if (written instanceof Promise) await written;
      await controller.flush();
      controller.close();
      exchange.bytes = utf8Length(text);
      exchange.end();
    },
    // The client disconnected, or the request was a HEAD.
    cancel: () => exchange.end(exchange.method !== "HEAD"),
  });
}

/**
 * The same in parts. It waits for slow clients, and takes a turn for each part. If a piece throws, or the client reads
 * nothing for too long, the connection is closed, so that a truncated body is not mistaken for a complete one.
 */
function inParts(exchange: Exchange, pieces: Iterable<string>, turn: Turn): ReadableStream {
  let isConnected = true;
  return new ReadableStream({
    type: "direct",
    async pull(controller) {
      try {
        for (const piece of pieces) {
          turn.hold(utf8Length(piece));
          for (let left = piece; left !== ""; ) {
            const part = cutUnits(left, MAX_PART_UNITS);
            left = left.slice(part.length);
            // A promise if the client is slower than the server.
            const written: unknown = controller.write(part);
            if (written instanceof Promise) await turn.whenRead(written);
            exchange.bytes += utf8Length(part);
            if (left !== "") await turn.take();
            if (!isConnected) return;
          }
          turn.hold(0);
          await turn.takeWithRoom();
        }
        await controller.flush();
        controller.close();
        exchange.end();
      } finally {
        turn.hold(0);
        exchange.end(true);
      }
    },
    cancel() {
      isConnected = false;
      exchange.end(exchange.method !== "HEAD");
    },
  });
}
