// Requests on a bare socket, for what fetch hides: framing, unusual Host headers, bodies that never end.

import type { Started } from "./start.ts";

export interface RawRequest {
  /** GET by default. */
  method?: string;
  path: string;
  /** `localhost` with the bound port by default. */
  host?: string;
  userAgent?: string;
  /** The API key that is sent: the first user's by default, null for none. */
  key?: string | null;
  /** Further header lines. */
  headers?: string[];
  body?: string;
  /** Without `Connection: close`. */
  keepAlive?: boolean;
}

/** The text of a request to a server with a socket. */
export function requestText({ port, key: ownKey }: Started, request: RawRequest): string {
  const { method = "GET", path, host = `localhost:${port}`, userAgent = "t/1", body = "" } = request;
  const { key = ownKey.key, headers = [], keepAlive = false } = request;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    `User-Agent: ${userAgent}`,
    ...(key === null ? [] : [`Authorization: API-Key ${key}`]),
    ...headers,
    ...(request.body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...(keepAlive ? [] : ["Connection: close"]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

export interface RawReply {
  status: number;
  /** Header names in lower case. */
  headers: Map<string, string>;
  /** Everything after the header block, unchanged. */
  payload: string;
}

/** Sends `request` unchanged and reads until the server closes or `until` returns true. */
export async function rawRequest(
  port: number,
  request: string,
  until: (received: string) => boolean = isComplete,
): Promise<RawReply> {
  let received = "";
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_socket, data) {
        received += data.toString("latin1");
        if (until(received)) resolve();
      },
      close: () => resolve(),
      error: (_socket, error) => reject(error),
    },
  });
  socket.write(request);
  await promise;
  socket.end();
  const [head = "", ...rest] = received.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, payload: rest.join("\r\n\r\n") };
}

function isComplete(received: string): boolean {
  const [head = "", ...rest] = received.split("\r\n\r\n");
  if (rest.length === 0) return false;
  const payload = rest.join("\r\n\r\n");
  if (/transfer-encoding: chunked/i.test(head)) return payload.endsWith("0\r\n\r\n");
  const [, length = "0"] = /content-length: (\d+)/i.exec(head) ?? [];
  return payload.length >= Number(length);
}
