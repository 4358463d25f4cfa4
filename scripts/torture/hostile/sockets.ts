// Clients that behave badly on bare sockets: requests that arrive byte by byte, and header blocks that are too large.

import type { Socket } from "bun";

const HEAD = (key: string) =>
  `POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nUser-Agent: torture/1\r\nAuthorization: API-Key ${key}\r\n`;
/** Pause between the bytes of a slow client. */
const DRIP_MS = 100;

interface Open {
  socket: Socket<undefined>;
  isClosed: boolean;
  received: string;
}

async function connect(port: number): Promise<Open> {
  const open: Open = { isClosed: false, received: "" } as Open;
  open.socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_socket, bytes) {
        if (open.received.length < 4096) open.received += bytes.toString("latin1");
      },
      close() {
        open.isClosed = true;
      },
      error() {
        open.isClosed = true;
      },
    },
  });
  return open;
}

/** The status line's number, or 0 if the connection was closed without a response. */
const statusOf = ({ received }: Open) => Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0);

/** Connections whose requests never become complete: half of them in the headers, half in the body. */
export async function openSlow(
  { port, key }: { port: number; key: string },
  count: number,
): Promise<{ openInHeaders(): number; openInBody(): number; serverErrors(): number; stop(): void }> {
  const all: Open[] = [];
  for (let index = 0; index < count; index++) {
    const open = await connect(port);
    const body = `Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"title":"`;
    open.socket.write(
      HEAD(key).replace("localhost", `localhost:${port}`) + (index % 2 === 0 ? "X-Slow: " : body),
    );
    all.push(open);
  }
  const drip = setInterval(() => {
    for (const { socket, isClosed } of all) if (!isClosed) socket.write("a");
  }, DRIP_MS);
  const stillOpen = (kind: number) =>
    all.filter(({ isClosed }, index) => !isClosed && index % 2 === kind).length;
  return {
    openInHeaders: () => stillOpen(0),
    openInBody: () => stillOpen(1),
    serverErrors: () => all.filter((open) => statusOf(open) >= 500).length,
    stop() {
      clearInterval(drip);
      for (const { socket } of all) socket.terminate();
    },
  };
}

const lines = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, index) => `X-${index}: ${"h".repeat(bytes)}\r\n`).join("");

/** Requests with headers or pieces that nobody sends: name, and the text after the usual headers. */
const FLOODS: readonly [string, string][] = [
  ["150 headers", `${lines(150, 20)}\r\n`],
  ["1,000 headers", `${lines(1_000, 20)}\r\n`],
  ["20,000 headers", `${lines(20_000, 20)}\r\n`],
  [
    "a body in a million pieces",
    `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\n \r\n".repeat(1_000_000)}`,
  ],
  ["a header of 60 kB", `${lines(1, 60_000)}\r\n`],
  ["a header of 100 kB", `${lines(1, 100_000)}\r\n`],
  ["a header of 5 MB", `${lines(1, 5_000_000)}\r\n`],
  ["a header block that never ends", lines(100_000, 50)],
  ["the same header 2,000 times", `${"Cookie: a=b\r\n".repeat(2_000)}\r\n`],
  ["a header without a colon", "no colon here\r\n\r\n"],
  ["a folded header", "X-Folded: a\r\n b\r\n\r\n"],
  ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"],
  ["a length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["a negative length", "Content-Length: -5\r\n\r\n{}"],
  [
    "a chunk of 16 EB",
    "Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nffffffffffffffff\r\n{}\r\n",
  ],
];

/** How long a client waits for the response to a flood. */
const REPLY_MS = 5_000;

/**
 * Sends all floods, `times` each and at the same time. Returns the status of each, 0 for a connection closed without a
 * response.
 */
export async function floodHeaders(
  { port, key }: { port: number; key: string },
  times: number,
): Promise<[string, number][]> {
  const one = async ([name, rest]: readonly [string, string]): Promise<[string, number]> => {
    const open = await connect(port);
    await writeAll(open, HEAD(key).replace("localhost", `localhost:${port}`) + rest);
    const deadline = performance.now() + REPLY_MS;
    while (!open.isClosed && statusOf(open) === 0 && performance.now() < deadline) await Bun.sleep(5);
    open.socket.terminate();
    return [name, statusOf(open)];
  };
  return Promise.all(Array.from({ length: times }, () => FLOODS.map(one)).flat());
}

/** Writes a text as fast as the server reads it, until the server closes the connection. */
async function writeAll(open: Open, text: string): Promise<void> {
  let rest = Buffer.from(text);
  const deadline = performance.now() + REPLY_MS;
  while (rest.length > 0 && !open.isClosed && performance.now() < deadline) {
    const written = open.socket.write(rest);
    if (written < 0) return;
    rest = rest.subarray(written);
    if (written === 0) await Bun.sleep(2);
  }
}
