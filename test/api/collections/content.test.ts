// GET /v1/collections/{id}/items?includeContent=true: everything in one response, which is made while it is sent.

import { beforeAll, describe, expect, test } from "bun:test";
import { createKey } from "../../../src/auth/keys.ts";
import { ensureUser } from "../../../src/auth/users.ts";
import { waitBriefly } from "../../../src/db/open.ts";
import { createExchanges } from "../../../src/http/exchange.ts";
import { responseTo } from "../../../src/http/respond.ts";
import { openTurns } from "../../../src/http/turns.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { rawRequest, requestText } from "../../helpers/raw.ts";
import { useServer } from "../../helpers/start.ts";

const MB = 1024 * 1024;
const started = useServer({ socket: true });
const { client } = started;

beforeAll(async () => {
  // These tests do not search: large texts need not be indexed.
  await started.stopJobs();
});

const post = async (path: string, body: object): Promise<string> => {
  const { status, body: created } = await client("POST", path, body);
  expect(status).toBe(201);
  return created.data.id;
};
const makeCollection = () => post("/v1/collections", { name: "c" });
const addDocument = (id: string, content: string) =>
  post("/v1/documents", { title: "t", content, collectionIds: [id] });
const addPrompt = (id: string, title: string, content: string, isPublic = false) =>
  post("/v1/prompts", { title, description: "d", content, isPublic, collectionIds: [id] });
const itemsOf = (id: string, query = "") =>
  client("GET", `/v1/collections/${id}/items?includeContent=true${query}`);

/** The request on a bare socket, so that its reader can stop reading. */
const requestOf = (id: string, method = "GET", key?: string) =>
  requestText(started, { method, path: `/v1/collections/${id}/items?includeContent=true`, key });

test("an item has all fields of the list, and its content", async () => {
  const id = await makeCollection();
  const document = await addDocument(id, "x".repeat(300));
  const prompt = await addPrompt(id, "p", "Say {{this}}\0");
  const { status, body } = await itemsOf(id);
  expect(status).toBe(200);
  const listed = (await client("GET", `/v1/collections/${id}/items`)).body;
  expect(body.pagination).toEqual({ cursor: "", hasMore: false });
  expect(body.data).toEqual([
    { ...listed.data[0], itemId: prompt, content: "Say {{this}}\0" },
    { ...listed.data[1], itemId: document, content: "x".repeat(300) },
  ]);
});

test("limit and cursor are ignored: there is one response with everything", async () => {
  const id = await makeCollection();
  for (let i = 0; i < 105; i++) await addDocument(id, `${i}`);
  for (const query of ["", "&limit=1", "&limit=1&cursor=garbage"]) {
    const { body } = await itemsOf(id, query);
    expect(body.data.map(({ content }: { content: string }) => content)).toEqual(
      Array.from({ length: 105 }, (_, i) => `${104 - i}`),
    );
    expect(body.pagination).toEqual({ cursor: "", hasMore: false });
  }
});

test.each([
  ["an empty text", "", ""],
  ["a byte order mark and a NUL", "\ufeffa\0b", "\ufeffa\0b"],
  ["2 MB", "x".repeat(2 * MB), "x".repeat(2 * MB)],
  ["one character more than 2 MB", "x".repeat(2 * MB + 1), "x".repeat(2 * MB)],
  ["a character of two bytes across the cut", `x${"é".repeat(MB)}`, `x${"é".repeat(MB - 1)}`],
  ["a character of four bytes across the cut", `x${"🙂".repeat(MB / 2)}`, `x${"🙂".repeat(MB / 2 - 1)}`],
])("the content of %s", async (_name, content, expected) => {
  const id = await makeCollection();
  await addDocument(id, content);
  const { body } = await itemsOf(id);
  expect(body.data[0].content === expected).toBe(true);
});

describe("framing", () => {
  test.each([0, 1, 3])("a response with %d items is chunked JSON", async (count) => {
    const id = await makeCollection();
    for (let i = 0; i < count; i++) await addDocument(id, "c");
    const { status, headers, payload } = await rawRequest(started.port, requestOf(id));
    expect(status).toBe(200);
    expect(headers.get("transfer-encoding")).toBe("chunked");
    expect(headers.has("content-length")).toBe(false);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("x-api-version")).toBe("v1");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.has("ratelimit-remaining")).toBe(true);
    expect(payload).toEndWith("0\r\n\r\n");
    expect((await itemsOf(id)).body.data.length).toBe(count);
  });

  test("HEAD has the headers and no body", async () => {
    const id = await makeCollection();
    await addDocument(id, "c");
    const { status, headers, payload } = await rawRequest(started.port, requestOf(id, "HEAD"), (received) =>
      received.includes("\r\n\r\n"),
    );
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(payload).toBe("");
  });
});

/** Requests the items, stops reading at the first byte, runs `meanwhile`, reads the rest. */
async function readSlowly(id: string, meanwhile: () => Promise<void>, key?: string): Promise<string> {
  const received: Buffer[] = [];
  const arrived = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: started.port,
    socket: {
      data(self, data) {
        if (received.length === 0) self.pause();
        received.push(Buffer.from(data));
        arrived.resolve();
      },
      close: () => ended.resolve(),
      error: () => ended.resolve(),
    },
  });
  socket.write(requestOf(id, "GET", key));
  await arrived.promise;
  // Enough turns of the event loop to make every piece, if the reader were not waited for.
  for (let turn = 0; turn < 100; turn++) expect((await client("GET", "/health")).status).toBe(200);
  await meanwhile();
  socket.resume();
  await ended.promise;
  return Buffer.concat(received).toString();
}

/** Adds more prompts than the buffers between two sockets can hold. */
async function fillBeyondBuffers(id: string): Promise<string[]> {
  const prompts: string[] = [];
  for (let i = 0; i < 32; i++) prompts.push(await addPrompt(id, `big ${i}`, "x".repeat(MB), true));
  return prompts;
}

describe("while it is sent", () => {
  test("nothing is read ahead for a slow reader, and other requests are served", async () => {
    const id = await makeCollection();
    const prompts = await fillBeyondBuffers(id);
    const received = await readSlowly(id, async () => {
      // The oldest item is the last: it is deleted, and others change, before they are sent.
      expect((await client("DELETE", `/v1/prompts/${prompts[0]}`)).status).toBe(200);
      await client("PUT", `/v1/collections/${id}/items`, { itemType: "prompt", itemIds: [prompts[1]] });
      await client("PATCH", `/v1/prompts/${prompts[2]}`, { title: "changed" });
      await addPrompt(id, "late", "x");
    });
    const titles = [...received.matchAll(/"title":"([^"]*)"/g)].map(([, title]) => title);
    const untouched = Array.from({ length: 29 }, (_, i) => `big ${31 - i}`);
    expect(titles).toEqual([...untouched, "changed"]);
    expect(received).toEndWith("0\r\n\r\n");
  });

  test("an item that is made private before it is sent is not sent to others", async () => {
    const id = await makeCollection();
    await client("PATCH", `/v1/collections/${id}`, { isPublic: true });
    const [oldest] = await fillBeyondBuffers(id);
    const hide = async () => {
      expect((await client("PATCH", `/v1/prompts/${oldest}`, { isPublic: false })).status).toBe(200);
    };
    const { key } = started.write((write) =>
      createKey(write, ensureUser(write, "content-other@example.org"), {
        name: null,
        scopes: ["documents.read"],
      }),
    );
    const received = await readSlowly(id, hide, key);
    expect(received).toContain('"title":"big 1"');
    expect(received).not.toContain('"title":"big 0"');
  });

  test("a failure closes the connection before the end of the body and is logged", async () => {
    const id = await makeCollection();
    await fillBeyondBuffers(id);
    const { sql } = started.app.store;
    // The worker that copies the log may hold the lock for a moment.
    sql.run("PRAGMA busy_timeout = 10000");
    try {
      const received = await readSlowly(id, async () => {
        sql.run("ALTER TABLE bodies RENAME TO mislaid");
      });
      expect(received).toStartWith("HTTP/1.1 200");
      expect(received).not.toContain("0\r\n\r\n");
      expect(received).not.toContain("pagination");
    } finally {
      sql.run("ALTER TABLE mislaid RENAME TO bodies");
      waitBriefly(sql);
    }
    const line = started.log.find((text) => text.includes("response broken off"))!;
    expect(JSON.parse(line)).toMatchObject({ method: "GET", route: "/v1/collections/:id/items" });
    expect((await itemsOf(await makeCollection())).status).toBe(200);
  });

  test("reading stops when the client disconnects", async () => {
    const gone = Promise.withResolvers<number>();
    function* endless() {
      let made = 0;
      try {
        while (true) {
          made++;
          yield "x".repeat(MB);
        }
      } finally {
        gone.resolve(made);
      }
    }
    const broken = Promise.withResolvers<boolean>();
    const startExchange = createExchanges(systemClock, ({ isBrokenOff }) => broken.resolve(isBrokenOff));
    const turns = openTurns(systemClock);
    const server = Bun.serve({
      port: 0,
      fetch: (request) => {
        const turn = turns.of({ userId: "u", cancelled: request.signal });
        const received = { exchange: startExchange(request), path: "/v1/x", turn };
        return responseTo(received, { status: 200, pieces: endless() });
      },
    });
    const leaving = new AbortController();
    const { body } = await fetch(server.url, { signal: leaving.signal });
    const { value } = await body!.getReader().read();
    expect(value!.length).toBeGreaterThan(0);
    leaving.abort();
    expect(await gone.promise).toBeGreaterThan(0);
    expect(await broken.promise).toBe(true);
    await server.stop(true);
  });
});
