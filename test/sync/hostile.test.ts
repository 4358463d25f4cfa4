// Another server that is broken or hostile: its answers are refused clearly, and the key goes to no one else.

import { afterAll, describe, expect, test } from "bun:test";
import { ManualClock } from "../../src/kernel/clock.ts";
import { openPeer } from "../../src/sync/peer.ts";
import { openSide } from "../../src/sync/side.ts";
import { useServer } from "../helpers/start.ts";
import { addRemote, commandOf, run } from "./two-servers.ts";

type Answer = (url: URL, request: Request) => Response | Promise<Response>;

const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
});

/** A connection to a server that answers like this; what it waits passes at once. */
function peerOf(answer: Answer) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => answer(new URL(request.url), request),
  });
  stops.push(() => server.stop(true));
  return openPeer({
    url: `http://127.0.0.1:${server.port}`,
    authorization: "Bearer secret",
    userAgent: "ctxrepo-sync/1.0",
    clock: new ManualClock(undefined, { advancesOnSleep: true }),
    signal: new AbortController().signal,
  });
}

const sideOf = (answer: Answer) => openSide(peerOf(answer), { changeLog: "synced", newKey: () => "key" });
const item = (id: unknown, others: object = {}) => ({ id, title: "Tea", tags: [], updatedAt: 1, ...others });
const pageOf = (data: unknown, pagination: unknown = { cursor: "", hasMore: false }) =>
  Response.json({ data, pagination });

async function listed(answer: Answer): Promise<number> {
  let count = 0;
  for await (const _ of sideOf(answer).list("document")) count++;
  return count;
}

describe("lists", () => {
  let pages = 0;
  test.each<[string, Answer, string]>([
    [
      "a cursor that comes again",
      () => pageOf([item(`A${++pages}`)], { cursor: "x", hasMore: true }),
      "cursor comes again",
    ],
    ["pages without end", () => pageOf([], { cursor: String(++pages), hasMore: true }), "bring nothing new"],
    [
      "the same page for ever",
      () => pageOf([item("A")], { cursor: String(++pages), hasMore: true }),
      "bring nothing new",
    ],
    [
      "a huge page",
      () => pageOf(Array.from({ length: 1_001 }, (_, at) => item(`A${at}`))),
      "more than 1000 items",
    ],
    ["a long cursor", () => pageOf([item("A")], { cursor: "x".repeat(5_000), hasMore: true }), "cursor"],
    ["no list", () => pageOf({ length: 1 }), "is no list"],
    ["no JSON", () => new Response("<html>"), "is no object"],
    ["nothing", () => new Response(null), "is no object"],
    ["an item that is null", () => pageOf([null]), "is no object"],
    ["an id with a path", () => pageOf([item("../user/me")]), "an id is no id"],
    ["an id that is a number", () => pageOf([item(7)]), "an id is no id"],
    ["a title that is a list", () => pageOf([item("A", { title: ["x"] })]), "title is no text"],
    ["tags that are texts of no list", () => pageOf([item("A", { tags: "tea" })]), "tags is no list"],
  ])("%s is refused", async (_name, answer, message) => {
    await expect(listed(answer)).rejects.toThrow(message);
  });

  test("pagination of any other form ends the list", async () => {
    for (const pagination of [
      undefined,
      null,
      "x",
      { hasMore: "yes", cursor: "x" },
      { hasMore: true, cursor: 5 },
    ]) {
      expect(await listed(() => pageOf([item("A")], pagination))).toBe(1);
    }
  });
});

describe("records", () => {
  test.each<[string, unknown, string]>([
    ["another record", item("Another"), "it is not the record"],
    ["metadata that is a list", item("A", { content: "", metadata: [1] }), "metadata is no object"],
    ["content that is a number", item("A", { content: 5 }), "content is no text"],
    ["no record", "text", "is no object"],
  ])("%s is refused", async (_name, data, message) => {
    await expect(sideOf(() => Response.json({ data })).read("document", "A")).rejects.toThrow(message);
  });

  test("a text that the server cannot send completely is no record that is cut", async () => {
    const content = "x".repeat(2 * 1024 * 1024);
    const side = sideOf(() => Response.json({ data: item("A", { content }) }));
    await expect(side.read("document", "A")).rejects.toThrow("longer than the server sends");
  });

  test("members such as __proto__ are values of metadata, and change nothing else", async () => {
    const data = '{"data":{"id":"A","title":"T","content":"","metadata":{"__proto__":{"polluted":true}}}}';
    const form = await sideOf(() => new Response(data)).read("document", "A");
    expect(JSON.stringify(form!.fields.metadata)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

test("an answer without end is not read to its end", async () => {
  let sent = 0;
  const chunk = new Uint8Array(1024 * 1024).fill(32);
  const peer = peerOf(
    () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += chunk.byteLength;
            controller.enqueue(chunk);
          },
        }),
      ),
  );
  await expect(peer.request("GET", "/v1/documents")).rejects.toThrow("more than");
  expect(sent).toBeLessThan(120 * 1024 * 1024);
});

test("a redirect is not followed: the key and the records go nowhere else", async () => {
  const reached: string[] = [];
  const elsewhere = Bun.serve({
    port: 0,
    fetch(request) {
      reached.push(request.url);
      return pageOf([]);
    },
  });
  stops.push(() => elsewhere.stop(true));
  for (const status of [301, 302, 307, 308]) {
    const peer = peerOf(() => Response.redirect(`http://127.0.0.1:${elsewhere.port}/v1/documents`, status));
    await expect(peer.request("POST", "/v1/documents", { body: { title: "secret" } })).rejects.toThrow(
      "redirects to",
    );
  }
  expect(reached).toEqual([]);
});

describe("waiting and repeating", () => {
  test("a passing failure is repeated with the same key; a creation without one is not", async () => {
    const keys: (string | null)[] = [];
    const failing = (times: number) =>
      peerOf((_url, request) => {
        keys.push(request.headers.get("idempotency-key"));
        return keys.length <= times ? new Response("", { status: 503 }) : Response.json({ data: {} });
      });
    const options = { body: {}, headers: { "Idempotency-Key": "one" } };
    expect((await failing(3).request("POST", "/v1/documents", options)).status).toBe(200);
    expect(keys).toEqual(["one", "one", "one", "one"]);
    keys.length = 0;
    const once = await failing(3).request("POST", "/v1/prompts", { ...options, isRepeatable: false });
    expect([once.status, keys.length]).toEqual([503, 1]);
  });

  test("a server that always asks to wait, or for hours, is given up", async () => {
    for (const seconds of ["1", "7200", "soon"]) {
      let count = 0;
      const peer = peerOf(() => {
        count++;
        return new Response("{}", { status: 429, headers: { "Retry-After": seconds } });
      });
      expect((await peer.request("GET", "/v1/documents")).status).toBe(429);
      expect(count).toBeLessThan(30);
    }
  });
});

describe("a run", () => {
  const here = useServer();
  const command = commandOf(here);

  test("a record that cannot be read or stored is reported, and the others come", async () => {
    const records: Record<string, object> = {
      A: item("A", { title: "Good", content: "good" }),
      B: item("B", { title: "Bad", content: 5 }),
      C: item("C", { title: "x".repeat(600), content: "the title is too long" }),
      D: item("D", { title: "Nul \0", content: "NUL in the title" }),
    };
    const peer = peerOf((url) => {
      const [, , kind, id] = url.pathname.split("/");
      if (kind !== "documents") return pageOf([]);
      return id === undefined ? pageOf(Object.values(records)) : Response.json({ data: records[id] });
    });
    const { counts } = await run({ command, remoteId: await addRemote(command), peer });
    expect(counts).toMatchObject({ created: 1, failed: 3 });
    const { body } = await here.client("GET", "/v1/documents");
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(["Good"]);
  });
});
