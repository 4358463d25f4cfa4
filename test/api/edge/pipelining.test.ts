// Requests sent before the response to an earlier one has come. The runtime closes the connection if the earlier operation
// is still running: the client gets either whole responses in order or none, and may repeat the requests.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Started, startServer } from "../../helpers/start.ts";

let started: Started;
beforeAll(async () => {
  started = startServer({ socket: true });
  await started.client("POST", "/v1/documents", { title: "a", content: "b" });
});
afterAll(() => started.stop());

const CLOSE = "Connection: close";

function request(method: string, path: string, body?: object, headers: string[] = []) {
  const text = body && JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: localhost:${started.port}`,
    "User-Agent: t/1",
    `Authorization: API-Key ${started.key.key}`,
    ...headers,
    ...(text ? ["Content-Type: application/json", `Content-Length: ${text.length}`] : []),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${text ?? ""}`;
}

/** Sends everything in one packet and returns what comes until the server closes. */
async function exchange(...requests: string[]): Promise<string> {
  let received = "";
  const closed = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: started.port,
    socket: {
      data: (_socket, data) => {
        received += data.toString("latin1");
      },
      close: () => closed.resolve(),
      error: (_socket, error) => closed.reject(error),
    },
  });
  socket.write(requests.join(""));
  await closed.promise;
  return received;
}

const statuses = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

test("requests behind quick operations are answered in order", async () => {
  const create = request("POST", "/v1/documents", { title: "t", content: "c" });
  const last = request("GET", "/v1/nowhere", undefined, [CLOSE]);
  const received = await exchange(create, request("GET", "/v1/user/me"), last);
  expect(statuses(received)).toEqual(["201", "200", "404"]);
});

test.each([
  ["a search", () => request("GET", "/v1/search?q=a")],
  ["a disclosure search", () => request("POST", "/v1/pd/search", { query: "a" })],
  ["a prompt list with a text", () => request("GET", "/v1/prompts?q=a")],
])("behind %s: the connection closes, without half a response or a wrong one", async (_name, slow) => {
  const received = await exchange(slow(), request("GET", "/v1/nowhere", undefined, [CLOSE]));
  // A runtime that can wait would return both, in order.
  expect([[], ["200"], ["200", "404"]]).toContainEqual(statuses(received));
  if (received !== "") expect(received).toEndWith("0\r\n\r\n");
});

test("a request after the response is served on the same connection", async () => {
  const { client } = started;
  expect((await client("GET", "/v1/search?q=a")).status).toBe(200);
  expect((await client("GET", "/v1/user/me")).status).toBe(200);
});
