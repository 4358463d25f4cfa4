// A load generator on bare sockets: keep-alive connections that each send one request after the answer to the last. It
// reads no more of an answer than its status and where it ends, so that the server is measured and not the client.

export interface Load {
  /** Answers per second over all connections. */
  perSecond: number;
  /** Of every answer, ms. */
  latencies: number[];
}

export interface LoadOptions {
  connections: number;
  /** Sends no new request after this. */
  durationMs: number;
  /** Each connection rests this long after an answer. */
  pauseMs?: number;
}

/** What a server is asked, over and over; `body` counts from 0. */
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

/** Loads a server for a while. Throws when an answer is not a 2xx or a connection breaks. */
export async function load(
  shape: RequestShape,
  { connections, durationMs, pauseMs = 0 }: LoadOptions,
): Promise<Load> {
  const latencies: number[] = [];
  const begun = performance.now();
  const { hostname, port } = new URL(shape.url);
  const talk = {
    hostname,
    port: Number(port),
    next: requests(shape),
    until: begun + durationMs,
    pauseMs,
    latencies,
  };
  await Promise.all(Array.from({ length: connections }, () => converse(talk)));
  return { perSecond: latencies.length / ((performance.now() - begun) / 1000), latencies };
}

interface Talk {
  hostname: string;
  port: number;
  next(): string;
  until: number;
  pauseMs: number;
  latencies: number[];
}

async function converse({ hostname, port, next, until, pauseMs, latencies }: Talk): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ended = answerFollower();
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
          if (!ended(bytes)) return;
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

/** The whole of one request at each call, its head made once. */
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
 * Follows the answers of one connection: takes what arrived and tells whether an answer has ended with it, so that the next
 * one may begin. Throws when its status is not a 2xx.
 */
function answerFollower(): (bytes: Buffer) => boolean {
  let expected: number | undefined;
  let received = 0;
  return (bytes) => {
    if (received === 0) {
      const status = bytes.toString("latin1", 9, 12);
      if (!status.startsWith("2")) throw new Error(`the server answered ${status}`);
      expected = expectedLength(bytes);
    }
    received += bytes.length;
    const ended =
      expected === undefined ? bytes.subarray(-CHUNKED_END.length).equals(CHUNKED_END) : received >= expected;
    if (ended) received = 0;
    return ended;
  };
}

/** Bytes of the whole answer that begins here; undefined when it is chunked. Heads come in one piece on loopback. */
function expectedLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.toString("latin1", 0, end + 2);
  if (end < 0) throw new Error("the head of an answer came in pieces");
  const length = LENGTH.exec(head)?.[1];
  if (length === undefined && !CHUNKED.test(head)) throw new Error("an answer has no framing");
  return length === undefined ? undefined : end + 4 + Number(length);
}
