// Requests sent before the response to an earlier one has arrived. The runtime closes the connection if the earlier
// operation is still running: the client gets either whole responses in order or none, and may repeat the requests.

import { beforeAll, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { requestText } from "../../helpers/raw.ts";
import { useServer } from "../../helpers/start.ts";

// Without the clock, a busy machine would let the later ones wait for their turn.
const started = useServer({ socket: true, clock: new ManualClock() });
beforeAll(async () => {
  await started.client("POST", "/v1/documents", { title: "a", content: "b" });
});

const json = ["Content-Type: application/json"];
const get = (path: string) => requestText(started, { path, keepAlive: true });
const post = (path: string, body: object) =>
  requestText(started, { method: "POST", path, headers: json, body: JSON.stringify(body), keepAlive: true });
const lastRequest = () => requestText(started, { path: "/v1/nowhere" });

/** Sends everything in one packet and returns what is received until the server closes. */
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

test("responses to quick operations arrive in order", async () => {
  const received = await exchange(get("/v1/documents"), get("/v1/user/me"), lastRequest());
  expect(statuses(received)).toEqual(["200", "200", "404"]);
});

test.each([
  ["a search", () => get("/v1/search?q=a")],
  ["a disclosure search", () => post("/v1/pd/search", { query: "a" })],
  ["a prompt list with a text", () => get("/v1/prompts?q=a")],
  ["a write", () => post("/v1/documents", { title: "t", content: "c" })],
])("behind %s: the connection closes, without half a response or a wrong one", async (_name, slow) => {
  const received = await exchange(slow(), lastRequest());
  // A runtime that can wait would return both, in order.
  expect(received).toMatch(/^$|^HTTP.1.1 20[01] /);
  expect(statuses(received).length).toBeLessThan(3);
  if (received !== "") expect(received).toEndWith("0\r\n\r\n");
});

test("a request after the response is served on the same connection", async () => {
  const { client } = started;
  expect((await client("GET", "/v1/search?q=a")).status).toBe(200);
  expect((await client("GET", "/v1/user/me")).status).toBe(200);
});
