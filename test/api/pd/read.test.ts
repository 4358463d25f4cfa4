// GET /v1/pd/read/{chunkId}: a chunk with its position in the tree; the content is the stored text between its indexes.

import { beforeAll, expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

let documentId: string;
const CONTENT =
  "intro line\r\n\r\n# First\r\n\r\nalpha paragraph\r\n\r\n```sh\r\n# not a heading\r\n```\r\n\r\n## Second\r\n\r\nbeta 👩‍👩‍👧\r\n\r\n\r\n";

interface ChunkRef {
  id: string;
  level: string;
}
const chunks = () =>
  started.app.store.sql
    .query<ChunkRef, [string]>(
      `SELECT c.id, c.level FROM chunks AS c JOIN index_generations AS g ON g.id = c.generation_id
       WHERE g.document_id = ? AND g.state = 'live' ORDER BY c.key`,
    )
    .all(documentId);
const read = async (id: string) => (await client("GET", `/v1/pd/read/${id}`)).body.data;

const started = useServer();
const { client } = started;

beforeAll(async () => {
  documentId = (await client("POST", "/v1/documents", { title: "Tree", content: CONTENT })).body.data.id;
  await started.settle();
});

test("every chunk is the stored text between its indexes", async () => {
  const levels: string[] = [];
  for (const { id, level } of chunks()) {
    const data = await read(id);
    levels.push(level);
    expect(data.chunkId).toBe(id);
    expect(data.level).toBe(level);
    expect(data.content).toBe(CONTENT.slice(data.metadata.startIndex, data.metadata.endIndex));
    expect(data.hierarchy.documentId).toBe(documentId);
    expect(data.hierarchy.documentTitle).toBe("Tree");
    expect(data.metadata.sectionPath).toBe(data.hierarchy.sectionPath);
  }
  expect(levels).toEqual([
    "document",
    "paragraph",
    "section",
    "paragraph",
    "paragraph",
    "section",
    "paragraph",
  ]);
});

test("the tree can be walked by ids", async () => {
  const [root, intro, first, alpha, fence, second, beta] = chunks().map(({ id }) => id);
  const position = async (id = "") => (await read(id)).hierarchy.position;
  expect(await position(root)).toEqual({
    chunkIndex: 0,
    parentChunkId: null,
    prevSiblingId: null,
    nextSiblingId: null,
  });
  expect(await position(intro)).toEqual({
    chunkIndex: 0,
    parentChunkId: root,
    prevSiblingId: null,
    nextSiblingId: first,
  });
  expect(await position(first)).toEqual({
    chunkIndex: 1,
    parentChunkId: root,
    prevSiblingId: intro,
    nextSiblingId: second,
  });
  expect(await position(alpha)).toEqual({
    chunkIndex: 0,
    parentChunkId: first,
    prevSiblingId: null,
    nextSiblingId: fence,
  });
  expect(await position(fence)).toEqual({
    chunkIndex: 1,
    parentChunkId: first,
    prevSiblingId: alpha,
    nextSiblingId: null,
  });
  expect(await position(beta)).toEqual({
    chunkIndex: 0,
    parentChunkId: second,
    prevSiblingId: null,
    nextSiblingId: null,
  });
});

test("a paragraph has the path of its section", async () => {
  const data = await read(chunks()[6]!.id);
  expect(data.content).toBe("beta 👩‍👩‍👧");
  expect(data.hierarchy.sectionPath).toBe("First > Second");
  expect(data.metadata.headingText).toBe("Second");
  expect(data.metadata.wordCount).toBe(1);
});

test("unknown, foreign and deleted chunks are 404, a malformed id 400", async () => {
  const { id } = chunks()[0]!;
  expect((await client("GET", `/v1/pd/read/${"0".repeat(27)}`)).status).toBe(404);
  expect((await started.clientOf("pd-other@example.org")("GET", `/v1/pd/read/${id}`)).status).toBe(404);
  expect((await client("GET", "/v1/pd/read/x")).status).toBe(400);
  await client("DELETE", `/v1/documents/${documentId}`);
  expect((await client("GET", `/v1/pd/read/${id}`)).status).toBe(404);
});

test("a chunk of the whole document is cut at 2 MB", async () => {
  const content = "word ".repeat(500_000);
  documentId = (await client("POST", "/v1/documents", { title: "Long", content })).body.data.id;
  await started.settle();
  expect((await read(chunks()[0]!.id)).content.length).toBe(2 * 1024 * 1024);
});
