// Repeated semantic searches: the second one is answered from memory only while nothing has changed.

import { beforeEach, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { databasePath } from "../../../src/db/open.ts";
import { fakeEmbedder, GENEROUS } from "../../helpers/embedder.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer({ embedder: fakeEmbedder(undefined, GENEROUS) });
const { client } = started;
const { call } = started.app.searchWorker;
let searches = 0;

beforeEach(() => {
  searches = 0;
  const records: typeof call.records = (search) => {
    searches++;
    return call.records(search);
  };
  Object.assign(started.app.searchWorker, { call: { records, prepare: call.prepare } });
});

async function search(parameters = "", by = client) {
  const { status, body } = await by("GET", `/v1/search?q=otter${parameters}`);
  expect(status).toBe(200);
  return body.data;
}

const titles = ({ documents }: { documents: { title: string }[] }) => documents.map(({ title }) => title);

async function create(title: string): Promise<string> {
  const { body } = await client("POST", "/v1/documents", {
    title,
    content: `an otter: ${title}`,
    tags: ["sea"],
  });
  await started.settle();
  return body.data.id;
}

test("the same search again gives the same results without the search worker", async () => {
  await create("first");
  const found = await search();
  expect(titles(found)).toEqual(["first"]);
  expect(await search()).toEqual(found);
  expect(searches).toBe(1);
});

test("every parameter that changes the results is a search of its own", async () => {
  await search();
  for (const parameters of ["&limit=1", "&scoreThreshold=0.9", "&type=prompts", "&tags=sea", "&tags=land"])
    await search(parameters);
  expect(searches).toBeGreaterThanOrEqual(5);
  expect(titles(await search("&tags=land"))).toEqual([]);
  expect(titles(await search("&tags=sea"))).not.toEqual([]);
});

test("a new, a renamed and a deleted document change the next result", async () => {
  await search();
  const id = await create("second");
  expect(titles(await search())).toContain("second");
  await client("PATCH", `/v1/documents/${id}`, { title: "renamed" });
  expect(titles(await search())).toContain("renamed");
  await client("DELETE", `/v1/documents/${id}`);
  expect(titles(await search())).not.toContain("renamed");
});

test("a new item of a collection changes its number of items", async () => {
  const id = await create("member");
  const { body } = await client("POST", "/v1/collections", { name: "otters" });
  const path = `/v1/collections/${body.data.id}`;
  expect((await search()).collections).toMatchObject([{ itemCount: 0 }]);
  await client("POST", `${path}/items`, { itemType: "document", itemIds: [id] });
  expect((await search()).collections).toMatchObject([{ itemCount: 1 }]);
});

test("another user and another scope have their own results", async () => {
  await create("private");
  await search();
  expect(titles(await search("", started.clientOf("other@example.com")))).toEqual([]);
  const withoutDocuments = started.clientOf("owner@localhost", ["prompts.read"]);
  expect(titles(await search("", withoutDocuments))).toEqual([]);
  expect(titles(await search())).toContain("private");
});

test("a change by another process changes the next result", async () => {
  const id = await create("third");
  expect(titles(await search())).toContain("third");
  const other = new Database(databasePath(started.app.settings.dataDir));
  other.query("UPDATE documents SET title = 'changed outside' WHERE id = ?").run(id);
  other.close();
  expect(titles(await search())).toContain("changed outside");
});
