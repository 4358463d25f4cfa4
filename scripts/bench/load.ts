// A load generator on bare sockets: keep-alive connections that each send a request after the response to the previous
// one. It reads only the status and the length of a response, so that the server is measured and not the client.

export interface Load {
  /** Responses per second over all connections. */
  perSecond: number;
  /** Latency of every response, ms. */
  latencies: number[];
}

export interface LoadOptions {
  connections: number;
  /** No new request is sent after this time. */
  durationMs: number;
  /** Pause of each connection after a response. */
  pauseMs?: number;
}

/** The request that is sent repeatedly; `body` gets the number of the request, from 0. */
export interface RequestShape {
  url: string;
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: (index: number) => string;
}

const CHUNKED_END = Buffer.from("\r\n0\r\n\r\n");
const CHUNKED = /\r\ntransfer-encoding: chunked\r\n/i;
const LENGTH = /\r\ncontent-length: (\d+)\r\n/i;

/** Sends requests for `durationMs`. Throws if a response is not 2xx or a connection breaks. */
export async function load(
  shape: RequestShape,
  { connections, durationMs, pauseMs = 0 }: LoadOptions,
): Promise<Load> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const { hostname, port } = new URL(shape.url);
  const conversation = {
    hostname,
    port: Number(port),
    next: requests(shape),
    until: startedAt + durationMs,
    pauseMs,
    latencies,
  };
  await Promise.all(Array.from({ length: connections }, () => converse(conversation)));
  return { perSecond: latencies.length / ((performance.now() - startedAt) / 1000), latencies };
}

interface Conversation {
  hostname: string;
  port: number;
  next(): string;
  until: number;
  pauseMs: number;
  latencies: number[];
}

async function converse({ hostname, port, next, until, pauseMs, latencies }: Conversation): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const isComplete = trackResponses();
  let sentAt = 0;
  const ask = (connection: Bun.Socket) => {
    sentAt = performance.now();
    connection.write(next());
  };
  const socket = await Bun.connect({
    hostname,
    port,
    socket: {
      data(connection, bytes) {
        try {
          if (!isComplete(bytes)) return;
        } catch (error) {
          return reject(error);
        }
        const now = performance.now();
        latencies.push(now - sentAt);
        if (now >= until) resolve();
        else if (pauseMs > 0) setTimeout(ask, pauseMs, connection);
        else ask(connection);
      },
      close: () => reject(new Error("the server closed a connection")),
      error: (_connection, error) => reject(error),
    },
  });
  ask(socket);
  await promise.finally(() => socket.end());
}

/** Returns the complete next request at each call; the head is built once. */
function requests({ url, method, path, headers = {}, body }: RequestShape): () => string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${new URL(url).host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  const head = lines.join("\r\n");
  if (!body) return () => `${head}\r\n\r\n`;
  let index = 0;
  return () => {
    const text = body(index++);
    return `${head}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  };
}

/**
 * Tracks the responses of one connection: takes received bytes and returns whether a response is complete, so that the
 * next request may be sent. Throws if the status is not 2xx.
 */
function trackResponses(): (bytes: Buffer) => boolean {
  let expected: number | undefined;
  let received = 0;
  /** The last bytes of the response so far: its end may arrive in pieces. */
  let tail = Buffer.alloc(0);
  return (bytes) => {
    if (received === 0) {
      const status = bytes.toString("latin1", 9, 12);
      if (!status.startsWith("2")) throw new Error(`the server returned ${status}`);
      expected = expectedLength(bytes);
    }
    received += bytes.length;
    tail = Buffer.concat([tail, bytes.subarray(-CHUNKED_END.length)]).subarray(-CHUNKED_END.length);
    const ended = expected === undefined ? tail.equals(CHUNKED_END) : received >= expected;
    if (ended) received = 0;
    return ended;
  };
}

/** Bytes of the whole response that starts here; undefined if it is chunked. On loopback, heads arrive in one piece. */
function expectedLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.toString("latin1", 0, end + 2);
  if (end < 0) throw new Error("the head of a response arrived in pieces");
  const length = LENGTH.exec(head)?.[1];
  if (length === undefined && !CHUNKED.test(head)) throw new Error("a response has no framing");
  return length === undefined ? undefined : end + 4 + Number(length);
}
