// Bursts of requests with large responses: others are served in between, whole and exact, and a client that does not
// read is given up.

import { beforeAll, describe, expect, test } from "bun:test";
import { documentOperations } from "../../../src/features/documents/routes.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { mcpPoster } from "../../helpers/mcp.ts";
import { requestText } from "../../helpers/raw.ts";
import { useServer } from "../../helpers/start.ts";

const BURST = 24;
const KB = 1024;

/** 100 kB of JSON that is worth reading. */
const METADATA = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [`member ${index}`, `é"${index}`.repeat(200)]),
);

describe("a burst of one user", () => {
  const server = useServer();
  const other = server.clientOf("other@example.com");
  const ids: string[] = [];
  let collection = "";
  let chunk = "";
  beforeAll(async () => {
    const made = await server.client("POST", "/v1/collections", { name: "c" });
    collection = made.body.data.id;
    const text = "A line of words.\n\n".repeat(20_000);
    for (let n = 0; n < 12; n++) {
      const body = {
        title: `kettle ${n}`,
        content: n === 0 ? text : `text ${n}`,
        contentHtml: text,
        metadata: METADATA,
        collectionIds: [collection],
      };
      ids.push((await server.client("POST", "/v1/documents", body)).body.data.id);
    }
    for (let n = 0; n < 6; n++)
      await server.client("PATCH", `/v1/documents/${ids[0]}`, { content: `${text}${n}` });
    await server.settle();
    const search = { query: "words", documentId: ids[1], scoreThreshold: 0 };
    const found = await server.client("POST", "/v1/pd/search", search);
    chunk = found.body.data.results[0].chunkId;
  });

  test.each<[string, () => [method: string, path: string, body?: object], number]>([
    ["lists with metadata", () => ["GET", "/v1/documents?limit=100&includeMetadata=true"], 200],
    ["versions", () => ["GET", `/v1/documents/${ids[0]}/versions`], 200],
    ["items with content", () => ["GET", `/v1/collections/${collection}/items?includeContent=true`], 200],
    ["large documents", () => ["GET", `/v1/documents/${ids[0]}`], 200],
    ["expansions", () => ["POST", "/v1/pd/expand", { chunkId: chunk, direction: "up" }], 200],
    ["scrapes", () => ["POST", "/v1/documents/scrape", { url: "https://example.com" }], 202],
    ["writes", () => ["POST", "/v1/documents", { title: "t", content: "x".repeat(200 * KB) }], 201],
  ])("%s: others are served in between", async (_name, requestNow, status) => {
    const request = requestNow();
    const finished: string[] = [];
    const record = (name: string, reply: Promise<{ status: number }>) =>
      reply.then((received) => {
        finished.push(name);
        return received.status;
      });
    const mine = Array.from({ length: BURST }, () => record("mine", server.client(...request)));
    const theirs = record("theirs", other("GET", "/v1/documents"));
    const health = record("health", server.client("GET", "/health"));
    expect(new Set(await Promise.all(mine))).toEqual(new Set([status]));
    expect([await theirs, await health]).toEqual([200, 200]);
    const before = (name: string) =>
      finished.slice(0, finished.indexOf(name)).filter((one) => one === "mine");
    expect(before("theirs").length).toBeLessThan(BURST / 2);
    expect(before("health").length).toBeLessThan(BURST / 2);
  });

  test("the responses are complete, also through MCP", async () => {
    const lists = await Promise.all(
      Array.from({ length: 4 }, () =>
        server.client("GET", "/v1/documents?search=kettle&includeMetadata=true"),
      ),
    );
    const expected = ids.map((id, n) => ({ id, title: `kettle ${n}`, metadata: METADATA })).toReversed();
    for (const { body } of lists) expect(body.data).toMatchObject(expected);
    const { tool } = mcpPoster(server);
    const document = await tool("get_document", { documentId: ids[1], response_format: "detailed" });
    expect(document.text).toContain("text 1");
    const versions = await tool("get_document_versions", { documentId: ids[0], limit: 100 });
    expect(versions.text.match(/versionId/g)).toHaveLength(7);
  });

  test("a document that is deleted before its text is read is not found", async () => {
    const { body } = await server.client("POST", "/v1/documents", { title: "gone", content: "text" });
    const { id } = body.data;
    const get = documentOperations.find(({ name }) => name === "documents.get")!;
    const query = { includeContent: true, textFrom: 0 };
    const call = { caller: server.owner, id, query, headers: new Headers() };
    const { pieces } = await get.handle(call as never, server.app as never);
    await server.client("DELETE", `/v1/documents/${id}`);
    expect(() => [...pieces!]).toThrow("document not found");
  });
});

describe("a client that reads nothing", () => {
  const clock = new ManualClock();
  const server = useServer({ socket: true, clock });

  test("is given up, and holds up nobody else", async () => {
    const other = server.clientOf("other@example.com");
    const content = "x".repeat(LIMITS.collection.itemBytes);
    const collection = (await server.client("POST", "/v1/collections", { name: "c" })).body.data.id;
    // More than the buffers between two sockets can hold.
    for (let n = 0; n < 16; n++)
      await server.client("POST", "/v1/documents", { title: "t", content, collectionIds: [collection] });
    const path = `/v1/collections/${collection}/items?includeContent=true`;
    let received = 0;
    const closed = Promise.withResolvers<void>();
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: server.port,
      socket: {
        data(self, bytes) {
          received += bytes.length;
          self.pause();
        },
        close: () => closed.resolve(),
        error: () => closed.resolve(),
      },
    });
    socket.write(requestText(server, { path }));
    while (received === 0) await Bun.sleep(1);
    for (let turn = 0; turn < 200; turn++) expect((await server.client("GET", "/health")).status).toBe(200);
    expect((await other("GET", "/v1/documents")).status).toBe(200);
    expect((await server.client("GET", "/v1/user/me")).status).toBe(200);
    expect(server.log.some((line) => line.includes(":id/items"))).toBe(false);
    clock.advance(LIMITS.responses.unreadS * 1_000);
    while (!server.log.some((line) => line.includes(":id/items"))) await Bun.sleep(1);
    socket.resume();
    await closed.promise;
    expect(received).toBeLessThan(16 * LIMITS.collection.itemBytes);
  });
});
