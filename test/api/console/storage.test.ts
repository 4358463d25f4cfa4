// What the documents of each collection take up.

import { expect, test } from "bun:test";
import { consoleClient } from "../../helpers/console-client.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer();
const { client, create } = started;
const owner = await consoleClient(started);
const storage = async () => (await owner("GET", "/console/api/storage")).body.data;

test("nothing is stored at first", async () => {
  const nothing = { documents: 0, bytes: 0, chunks: 0 };
  expect(await storage()).toEqual({
    collections: [],
    none: nothing,
    others: { ...nothing, collections: 0 },
    total: nothing,
    isComplete: true,
  });
});

test("a document in two collections counts in both, and once in the total; versions count", async () => {
  const [small, large] = [
    await create("/v1/collections", { name: "small" }),
    await create("/v1/collections", { name: "large" }),
  ];
  const document = (content: string, collectionIds: string[]) =>
    create("/v1/documents", { title: "t", content, collectionIds });
  await document("é", [small, large]);
  const id = await document("12345", [large]);
  await client("PATCH", `/v1/documents/${id}`, { content: "123456" });
  await document("1234567", []);
  await started.clientOf("other@example.org")("POST", "/v1/documents", { title: "of others", content: "x" });
  await started.settle();
  const { collections, none, total } = await storage();
  expect(collections).toEqual([
    { id: large, name: "large", documents: 2, bytes: 13, chunks: expect.any(Number) },
    { id: small, name: "small", documents: 1, bytes: 2, chunks: expect.any(Number) },
  ]);
  expect(none).toEqual({ documents: 1, bytes: 7, chunks: expect.any(Number) });
  expect(total).toEqual({ documents: 3, bytes: 20, chunks: expect.any(Number) });
  expect(total.chunks).toBe(none.chunks + collections[0].chunks);
  expect(total.chunks).toBeGreaterThanOrEqual(3);
});

test("of many collections, the largest are listed", async () => {
  for (let n = 1; n <= 22; n++) {
    const collection = await create("/v1/collections", { name: `c${n}` });
    await create("/v1/documents", { title: "t", content: "x".repeat(100 + n), collectionIds: [collection] });
  }
  const { collections, others } = await storage();
  expect(collections).toHaveLength(20);
  expect(collections[0].name).toBe("c22");
  expect(others).toMatchObject({ collections: 4, documents: 5, bytes: 101 + 102 + 13 + 2 });
});
