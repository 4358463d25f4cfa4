// collectionIds changes the members of a collection, so every operation that accepts it requires documents.write.

import { beforeAll, expect, test } from "bun:test";
import type { Scope } from "../../../src/auth/scopes.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer();
let collection: string;
beforeAll(async () => {
  collection = (await started.client("POST", "/v1/collections", { name: "c" })).body.data.id;
});

const prompt = { title: "t", description: "", content: "c" };
const page = { url: "https://kettles.example/" };
const itemCount = async () =>
  (await started.client("GET", `/v1/collections/${collection}`)).body.data.itemCount;

test.each<[string, Scope[], string, object]>([
  ["prompts", ["prompts.write"], "/v1/prompts", prompt],
  ["prompts, with documents.read too", ["prompts.write", "documents.read"], "/v1/prompts", prompt],
  ["scrape", ["documents.scrape"], "/v1/documents/scrape", page],
])("POST %s without documents.write: 403, and nothing is written", async (_name, scopes, path, body) => {
  const client = started.clientOf("owner@localhost", scopes);
  const count = async (list: string) => (await started.client("GET", `/v1/${list}`)).body.data.length;
  const before = [await count("prompts"), await count("documents")];
  const reply = await client("POST", path, { ...body, collectionIds: [collection] });
  expect(reply.status).toBe(403);
  expect(reply.body.error.message).toContain("documents.write");
  expect(await itemCount()).toBe(0);
  expect([await count("prompts"), await count("documents")]).toEqual(before);
  const unknown = await client("POST", path, { ...body, collectionIds: ["0".repeat(27)] });
  expect(unknown.status).toBe(403);
  expect((await client("POST", path, { ...body, collectionIds: [] })).status).toBeLessThan(300);
  expect((await client("POST", path, body)).status).toBeLessThan(300);
});

test("with documents.write each of them adds its record to the collection", async () => {
  const client = started.clientOf("owner@localhost", ["prompts.write", "documents.write"]);
  const collectionIds = [collection];
  expect((await client("POST", "/v1/prompts", { ...prompt, collectionIds })).status).toBe(201);
  expect((await client("POST", "/v1/documents/scrape", { ...page, collectionIds })).status).toBe(202);
  const both = { title: "t", content: "c", collectionIds };
  expect((await client("POST", "/v1/documents", both)).status).toBe(201);
  expect(await itemCount()).toBe(3);
});
