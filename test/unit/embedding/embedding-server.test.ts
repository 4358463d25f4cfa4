// The client of an embedding server: what it sends, what it accepts, and what it does when the server fails.

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Embedder } from "../../../src/engine/embedding/embedder.ts";
import { openEmbeddingServer } from "../../../src/engine/embedding/embedding-server.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { type EmbeddingStub, serveEmbeddings } from "../../helpers/embedding-server.ts";
import { cosine } from "./vectors.ts";

let stub: EmbeddingStub;
let embedder: Embedder;
const pauses: number[] = [];
/** Pauses end at once. */
const clock: Clock = {
  ...systemClock,
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    pauses.push(ms);
  },
};
const open = (url = stub.url, key: string | null = "secret-key") =>
  openEmbeddingServer({ url, model: "words", key, clock });
beforeEach(() => {
  stub = serveEmbeddings();
  embedder = open();
  pauses.length = 0;
});
afterEach(async () => {
  await embedder.close();
  await stub.stop();
});

test("the model is described by the server's vectors", async () => {
  expect(embedder.state()).toBe("loading");
  const info = await embedder.describe();
  expect(info).toMatchObject({
    name: "words",
    dimension: 64,
    calibration: {
      points: [
        [0, 0],
        [1, 1],
      ],
    },
  });
  expect(embedder.state()).toBe("ok");
  expect(stub.requests[0]).toMatchObject({ model: "words", authorization: "Bearer secret-key" });
});

test("vectors are in the order of the texts, of unit length and 1,536 numbers", async () => {
  const texts = ["the kettle whistles", "the court adjourned", "a kettle"];
  const { windows } = await embedder.embedPassages(texts.map((text) => ({ context: "", text })));
  const query = await embedder.embedQuery("kettle");
  expect(query).toHaveLength(1_536);
  const [first, second, third] = windows.map(([vector]) => cosine(query, vector!));
  expect(third!).toBeGreaterThan(first!);
  expect(first!).toBeGreaterThan(second! + 0.2);
});

test("a long passage has several windows with its context, in requests of at most 32 texts", async () => {
  const text = "word ".repeat(18_000);
  const { windows } = await embedder.embedPassages([{ context: "Title", text }]);
  const sent = stub.requests.slice(1).map(({ input }) => input);
  expect(windows[0]).toHaveLength(45);
  expect(sent.map(({ length }) => length)).toEqual([32, 13]);
  expect(sent.flat().every((one) => one.startsWith("Title\n") && one.length < 2_100)).toBe(true);
});

test("a repeated query is sent once", async () => {
  await embedder.embedQuery("tea");
  await embedder.embedQuery("tea");
  expect(stub.requests.filter(({ input }) => input[0] === "tea")).toHaveLength(1);
});

test("a request is sent again after 503 and 429, and not after 401", async () => {
  await embedder.describe();
  const statuses = [503, 429];
  stub.respond = () => {
    const status = statuses.shift();
    if (statuses.length === 0) stub.respond = undefined;
    return new Response("busy", { status });
  };
  await embedder.embedQuery("tea");
  expect(pauses).toEqual([500, 2_000]);
  stub.respond = () => new Response("who are you?", { status: 401 });
  const before = stub.requests.length;
  await expect(embedder.embedQuery("milk")).rejects.toThrow("status 401");
  expect(stub.requests.length).toBe(before + 1);
  expect(embedder.state()).toBe("degraded");
  expect(embedder.problem()).toContain("embedding server");
  stub.respond = undefined;
  await embedder.embedQuery("milk");
  expect(embedder.state()).toBe("ok");
});

const vectors = (embedding: unknown) => Response.json({ data: [{ index: 0, embedding }] });
test.each([
  ["no JSON", () => new Response("<html>"), "not JSON"],
  ["no list", () => Response.json({ data: 7 }), "a vector for each"],
  ["null", () => Response.json(null), "a vector for each"],
  ["too few vectors", () => Response.json({ data: [] }), "a vector for each"],
  ["texts as numbers", () => vectors(["1", "2"]), "a vector for each"],
  ["an empty vector", () => vectors([]), "a vector for each"],
  ["base64", () => vectors("AAAA"), "a vector for each"],
  ["other dimensions than before", () => vectors([1, 2, 3]), "other dimensions"],
  ["a redirect", () => Response.redirect("http://127.0.0.1:9/v1/embeddings"), "status 302"],
  ["a reply without end", () => new Response("[".repeat(9_000_000)), "more than 100000 bytes"],
])("%s is refused", async (_, respond, message) => {
  await embedder.describe();
  stub.respond = respond;
  const failed = embedder.embedQuery("tea");
  await expect(failed).rejects.toThrow(message);
  await expect(failed).rejects.not.toThrow("secret-key");
});

test("more than 1,536 dimensions are refused", async () => {
  const wide = serveEmbeddings(2_048);
  const client = open(wide.url);
  await expect(client.describe()).rejects.toThrow("2048 dimensions");
  expect(client.state()).toBe("degraded");
  await client.close();
  await wide.stop();
});

test("a server that does not run is tried again, then reported", async () => {
  await stub.stop();
  await expect(embedder.embedQuery("tea")).rejects.toThrow(stub.url);
  expect(pauses).toEqual([500, 2_000, 5_000]);
});

test("closing rejects what waits, and nothing is sent afterwards", async () => {
  await embedder.describe();
  stub.respond = () => new Response(new ReadableStream({ start() {} }));
  const waiting = embedder.embedQuery("tea");
  await Bun.sleep(50);
  await embedder.close();
  await expect(waiting).rejects.toThrow();
  await expect(embedder.embedQuery("milk")).rejects.toThrow();
  expect(embedder.problem()).toBe("the server is stopping");
});
