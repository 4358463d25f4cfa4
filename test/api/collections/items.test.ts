// /v1/collections/{id}/items: adding, listing, removing; what counts as activity; deletion of records.

import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { useServer } from "../../helpers/start.ts";
import { walkPages } from "../../helpers/walk.ts";

const clock = new ManualClock();
const UNKNOWN = "0".repeat(27);
let id: string;
let documents: [string, string, string];
let prompts: [string, string];

const post = async (path: string, body: object, by = client): Promise<string> => {
  const { status, body: created } = await by("POST", path, body);
  expect(status).toBe(201);
  return created.data.id;
};
const makeDocument = (title: string, content = "text", by = client) =>
  post("/v1/documents", { title, content }, by);
const makePrompt = (title: string, content = "text", by = client) =>
  post("/v1/prompts", { title, description: `about ${title}`, content }, by);

const started = useServer({ clock });
const { client } = started;
const other = started.clientOf("items-other@example.org");

beforeAll(async () => {
  documents = [await makeDocument("D0"), await makeDocument("D1"), await makeDocument("D2")];
  prompts = [await makePrompt("P0"), await makePrompt("P1")];
});
beforeEach(async () => {
  id = await post("/v1/collections", { name: "c" });
});

const change = (method: "POST" | "PUT", itemType: string, itemIds: unknown) =>
  client(method, `/v1/collections/${id}/items`, { itemType, itemIds });
const add = (itemType: string, itemIds: string[]) => change("POST", itemType, itemIds);
const list = async (query = "") => (await client("GET", `/v1/collections/${id}/items?${query}`)).body;
const titles = async () => (await list()).data.map(({ title }: { title: string }) => title);
const collection = async () => (await client("GET", `/v1/collections/${id}`)).body.data;

describe("adding", () => {
  test("counts new and present items, with both names of the latter", async () => {
    expect((await add("document", documents.slice(0, 2))).body).toEqual({
      data: { added: 2, alreadyInCollection: 0, alreadyPresent: 0 },
    });
    expect((await add("document", documents)).body).toEqual({
      data: { added: 1, alreadyInCollection: 2, alreadyPresent: 2 },
    });
    expect((await add("prompt", prompts)).body.data.added).toBe(2);
    expect((await collection()).itemCount).toBe(5);
  });

  test("duplicates count once", async () => {
    const [a, b] = documents;
    await add("document", [a]);
    expect((await add("document", [a, b, b, a])).body.data).toEqual({
      added: 1,
      alreadyInCollection: 1,
      alreadyPresent: 1,
    });
  });

  test("an empty list does nothing", async () => {
    expect((await add("document", [])).body.data.added).toBe(0);
  });

  test("500 ids pass, 501 do not", async () => {
    expect((await add("document", Array(500).fill(documents[0]))).body.data.added).toBe(1);
    expect((await add("document", Array(501).fill(documents[0]))).status).toBe(400);
  });

  test("a record may be in several collections", async () => {
    const second = await post("/v1/collections", { name: "second" });
    await add("document", documents);
    const { body } = await client("POST", `/v1/collections/${second}/items`, {
      itemType: "document",
      itemIds: documents,
    });
    expect(body.data.added).toBe(3);
  });
});

describe.each(["POST", "PUT"] as const)("%s rejects", (method) => {
  test.each<[string, unknown, unknown, string]>([
    ["no type", undefined, [], "itemType"],
    ["another type", "collection", [], "itemType"],
    ["no ids", "document", undefined, "itemIds"],
    ["null ids", "document", null, "itemIds"],
    ["one id as text", "document", UNKNOWN, "itemIds"],
    ["a null id", "document", [null], "itemIds"],
    ["a number as id", "document", [5], "itemIds"],
  ])("%s: 400", async (_name, itemType, itemIds, path) => {
    const { status, body } = await change(method, itemType as string, itemIds);
    expect(status).toBe(400);
    expect(body.error.details[0].path).toStartWith(path);
  });

  test.each<[string, string, () => string | Promise<string>]>([
    ["an unknown document", "document", () => UNKNOWN],
    ["a malformed id", "document", () => "x"],
    ["another user's document", "document", () => makeDocument("foreign", "", other)],
    ["a prompt as a document", "document", () => prompts[0]],
    ["an unknown prompt", "prompt", () => UNKNOWN],
    ["another user's prompt", "prompt", () => makePrompt("foreign", "x", other)],
    ["a document as a prompt", "prompt", () => documents[0]],
  ])("%s: 404, and nothing is written", async (_name, itemType, bad) => {
    const own = itemType === "document" ? documents[1] : prompts[1];
    if (method === "PUT") await add(itemType, [own]);
    const before = await collection();
    clock.advance(1);
    expect((await change(method, itemType, [own, await bad()])).status).toBe(404);
    expect(await collection()).toEqual(before);
  });

  test("another user's public prompt: 404", async () => {
    const foreign = await makePrompt("public", "x", other);
    await other("PATCH", `/v1/prompts/${foreign}`, { isPublic: true });
    expect((await change(method, "prompt", [foreign])).status).toBe(404);
  });

  test("an unknown collection: 404", async () => {
    id = UNKNOWN;
    expect((await change(method, "document", documents)).status).toBe(404);
  });
});

describe("removing", () => {
  test("counts the removed items; the records are not deleted", async () => {
    const [a, b, c] = documents;
    await add("document", [a, b]);
    await add("prompt", prompts);
    expect((await change("PUT", "document", [a, a, c])).body).toEqual({ data: { removed: 1 } });
    expect((await change("PUT", "document", [a])).body).toEqual({ data: { removed: 0 } });
    expect(await titles()).toEqual(["P1", "P0", "D1"]);
    expect((await client("GET", `/v1/documents/${a}`)).status).toBe(200);
  });

  test("a removed item can be added again, and is the newest then", async () => {
    await add("document", documents);
    await change("PUT", "document", [documents[0]]);
    expect((await add("document", [documents[0]])).body.data.added).toBe(1);
    expect(await titles()).toEqual(["D0", "D2", "D1"]);
  });
});

describe("activity", () => {
  test.each<[string, () => Promise<unknown>, boolean]>([
    ["adding", () => add("document", [documents[1]]), true],
    ["adding a present item", () => add("document", [documents[0]]), false],
    ["removing", () => change("PUT", "document", [documents[0]]), true],
    ["removing an absent item", () => change("PUT", "document", [documents[2]]), false],
    [
      "a new document made in it",
      () => client("POST", "/v1/documents", { title: "n", content: "", collectionIds: [id] }),
      true,
    ],
    ["reading", () => list(), false],
  ])("%s", async (_name, act, isActivity) => {
    await add("document", [documents[0]]);
    const { lastActivityAt: before, updatedAt } = await collection();
    clock.advance(7);
    await act();
    const after = await collection();
    expect(after.lastActivityAt).toBe(isActivity ? clock.now() : before);
    expect(after.updatedAt).toBe(updatedAt);
  });
});

describe("listing", () => {
  test("both kinds, newest added first, with both names of each member", async () => {
    await add("document", [documents[0]]);
    const firstAt = clock.now();
    clock.advance(10);
    await add("prompt", [prompts[0]]);
    expect(await list()).toEqual({
      data: [
        {
          itemType: "prompt",
          type: "prompt",
          itemId: prompts[0],
          id: prompts[0],
          title: "P0",
          summary: "about P0",
          preview: "text",
          addedAt: clock.now(),
        },
        {
          itemType: "document",
          type: "document",
          itemId: documents[0],
          id: documents[0],
          title: "D0",
          summary: null,
          preview: "text",
          addedAt: firstAt,
        },
      ],
      pagination: { cursor: "", hasMore: false },
    });
  });

  test.each([
    ["nothing", "", ""],
    ["a short text", "short\n", "short\n"],
    ["a NUL inside", "a\0b", "a\0b"],
    ["a byte order mark", "\ufeffx", "\ufeffx"],
    ["201 letters", "x".repeat(201), "x".repeat(200)],
    ["201 wide letters", "語".repeat(201), "語".repeat(200)],
    ["201 surrogate pairs", "🙂".repeat(201), "🙂".repeat(200)],
    ["a megabyte", "é".repeat(1024 * 1024), "é".repeat(200)],
  ])("the preview of %s", async (_name, content, preview) => {
    await add("document", [await makeDocument("previewed", content)]);
    expect((await list()).data[0].preview).toBe(preview);
  });

  test("an item has the current state of its record", async () => {
    await add("document", [documents[2]]);
    await client("PATCH", `/v1/documents/${documents[2]}`, { title: "New", content: "new text" });
    expect((await list()).data[0]).toMatchObject({ title: "New", preview: "new text" });
    await client("PATCH", `/v1/documents/${documents[2]}`, { title: "D2", content: "text" });
  });

  test.each(["limit=0", "limit=101", "includeContent=1", "cursor=x"])("%s is 400", async (query) => {
    expect((await client("GET", `/v1/collections/${id}/items?${query}`)).status).toBe(400);
  });

  test("an unknown collection is 404", async () => {
    expect((await client("GET", `/v1/collections/${UNKNOWN}/items`)).status).toBe(404);
  });

  test("a walk during writes returns every remaining item exactly once", async () => {
    await add("document", documents);
    await add("prompt", prompts);
    const all = ["P1", "P0", "D2", "D1", "D0"];
    for (const limit of [1, 2, 5]) {
      const rows = await walkPages(client, `/v1/collections/${id}/items?limit=${limit}`, async () => {
        const late = await makeDocument("late");
        await add("document", [late]);
        if (limit === 2) await change("PUT", "document", [late]);
        clock.advance(1);
      });
      const seen = rows.map(({ title }) => title);
      expect(seen.filter((title) => title !== "late")).toEqual(all);
    }
  });

  test("a cursor belongs to its collection and its user", async () => {
    await add("document", documents);
    const { cursor } = (await list("limit=1")).pagination;
    await client("PATCH", `/v1/collections/${id}`, { isPublic: true });
    const path = `/v1/collections/${id}/items?limit=1&cursor=${cursor}`;
    expect((await client("GET", path)).status).toBe(200);
    expect((await other("GET", path)).status).toBe(400);
    const second = await post("/v1/collections", { name: "second" });
    expect((await client("GET", path.replace(id, second))).status).toBe(400);
  });
});

test("a deleted record is removed from its collections", async () => {
  const document = await makeDocument("doomed");
  const prompt = await makePrompt("doomed");
  await add("document", [document, documents[0]]);
  await add("prompt", [prompt]);
  expect((await client("DELETE", `/v1/documents/${document}`)).status).toBe(200);
  expect(await titles()).toEqual(["doomed", "D0"]);
  expect((await client("DELETE", `/v1/prompts/${prompt}`)).status).toBe(200);
  expect(await titles()).toEqual(["D0"]);
  expect((await collection()).itemCount).toBe(1);
});

describe("as a filter of documents", () => {
  const found = async (collectionId: string, by = client) =>
    (await by("GET", `/v1/documents?collectionId=${collectionId}`)).body.data.map(
      ({ id }: { id: string }) => id,
    );

  test("the collection's documents", async () => {
    await add("document", documents.slice(0, 2));
    await add("prompt", prompts);
    expect(await found(id)).toEqual([documents[1], documents[0]]);
  });

  test("an unknown collection, another user's, even a public one: nothing", async () => {
    await add("document", documents);
    expect(await found(UNKNOWN)).toEqual([]);
    expect(await found(id, other)).toEqual([]);
    await client("PATCH", `/v1/collections/${id}`, { isPublic: true });
    expect(await found(id, other)).toEqual([]);
  });
});
