// How an answer goes onto the wire: JSON, chunked framing, the headers that every /v1 answer carries.

/** What an operation answers: plain data, made into a Response in one place. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** JSON; absent for 304. */
  body?: unknown;
  /** The body as text that is sent as it is, instead of `body`. */
  text?: string;
  /** The body as pieces of JSON, instead of `body`, each made when the one before is on its way: for what is too large to hold. */
  pieces?: Iterable<string>;
}

const VERSION_HEADERS = { "X-API-Version": "v1", Deprecation: "?0" };
const NO_BODY = new Set([204, 304]);

/** Makes the Response of a /v1 answer. The runtime leaves the body out where the method is HEAD, and keeps the framing. */
export function v1Response(answer: Answer, headers: Record<string, string>): Response {
  const all = new Headers({ ...VERSION_HEADERS, ...headers, ...answer.headers });
  if (NO_BODY.has(answer.status)) return new Response(null, { status: answer.status, headers: all });
  if (!all.has("Content-Type")) all.set("Content-Type", "application/json");
  const body = answer.pieces ? streamed(answer.pieces) : chunked(answer.text ?? JSON.stringify(answer.body));
  return new Response(body, { status: answer.status, headers: all });
}

/** Answers outside /v1 need neither framing nor version headers, and may be something else than JSON. */
export function plainResponse(
  { status, body, text, headers }: Answer,
  extra: Record<string, string>,
): Response {
  const all = { "Content-Type": "application/json", ...extra, ...headers };
  return new Response(text ?? JSON.stringify(body), { status, headers: all });
}

/**
 * A body that Bun sends with Transfer-Encoding: chunked. Of all the ways to stream, only a direct stream that flushes
 * before it closes keeps the runtime from turning a short body into Content-Length.
 */
function chunked(text: string): ReadableStream {
  return new ReadableStream({
    type: "direct",
    async pull(controller) {
      controller.write(text);
      await controller.flush();
      controller.close();
    },
  });
}

/**
 * The same for a body in pieces. It waits while the reader is behind, lets other requests have their turn between two
 * pieces, and stops when the reader has gone. A piece that throws breaks the connection off, so that nobody takes the
 * beginning for the whole.
 */
function streamed(pieces: Iterable<string>): ReadableStream {
  let isWanted = true;
  return new ReadableStream({
    type: "direct",
    async pull(controller) {
      for (const piece of pieces) {
        await controller.write(piece);
        await new Promise((turn) => setImmediate(turn));
        if (!isWanted) return;
      }
      await controller.flush();
      controller.close();
    },
    cancel() {
      isWanted = false;
    },
  });
}
