// GET /v1/collections: items, filters and pages of the list.

import { beforeAll, describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { useServer } from "../../helpers/start.ts";
import { walkPages } from "../../helpers/walk.ts";

const clock = new ManualClock();
const ids: string[] = [];
const create = async (body: object, by = client): Promise<string> =>
  (await by("POST", "/v1/collections", body)).body.data.id;

const started = useServer({ clock });
const { client } = started;

beforeAll(async () => {
  for (const body of [
    { name: "Alpha", description: "Everything about ÉCOLES", tags: ["red", "big"], workspaceId: "w1" },
    { name: "Émile 100%", tags: ["red"], isPublic: true },
    { name: "Gamma_ray", tags: ["big"], workspaceId: "w1" },
    { name: "Delta", description: "alpha again", color: "#fff", icon: "🙂" },
  ]) {
    ids.push(await create(body));
    clock.advance(10);
  }
});

const list = (query = "", by = client) => by("GET", `/v1/collections?${query}`);
const names = async (query = "") => (await list(query)).body.data.map(({ name }: { name: string }) => name);
const all = ["Delta", "Gamma_ray", "Émile 100%", "Alpha"];

describe("filters", () => {
  test.each([
    ["", all],
    ["search=ALPHA", ["Delta", "Alpha"]],
    ["search=%C3%A9mile", ["Émile 100%"]],
    ["search=e%CC%81mile", ["Émile 100%"]],
    ["search=about%20%C3%A9coles", ["Alpha"]],
    ["search=100%25", ["Émile 100%"]],
    ["search=a_r", ["Gamma_ray"]],
    ["search=zzz", []],
    ["search=", all],
    ["tags=red", ["Émile 100%", "Alpha"]],
    ["tags=red,big", ["Alpha"]],
    ["tags=%20big%20,,", ["Gamma_ray", "Alpha"]],
    ["tags=Red", []],
    ["tags=", all],
    ["workspace=w1", ["Gamma_ray", "Alpha"]],
    ["workspace=w1&tags=red", ["Alpha"]],
    ["workspace=", all],
    ["workspace=W1", []],
    ["includePublic=false", all],
    ["zzz=1", all],
    [`tags=${Array.from({ length: 3000 }, (_, i) => i).join(",")}`, []],
  ])("%s", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=",
    "limit=2.0",
    "includePublic=1",
    "cursor=garbage",
    "limit=1&limit=1",
  ])("%s is 400", async (query) => {
    expect((await list(query)).status).toBe(400);
  });
});

test("an item has the fields of the list", async () => {
  const id = ids[3];
  const document = { title: "d", content: "", collectionIds: [id] };
  expect((await client("POST", "/v1/documents", document)).status).toBe(201);
  expect((await list("search=Delta")).body).toEqual({
    data: [
      {
        id,
        name: "Delta",
        description: "alpha again",
        color: "#fff",
        icon: "🙂",
        isPublic: false,
        tags: [],
        itemCount: 1,
        lastActivityAt: clock.now(),
      },
    ],
    pagination: { cursor: "", hasMore: false },
  });
});

describe("pages", () => {
  const walk = async (query: string, between?: () => Promise<unknown>) =>
    (await walkPages(client, `/v1/collections?${query}`, between)).map(({ id }) => id);

  test.each([1, 2, 3, 4])("a walk in steps of %d returns every collection once", async (limit) => {
    expect(await walk(`limit=${limit}`)).toEqual(ids.toReversed());
  });

  test("a walk during writes returns every unchanged row exactly once", async () => {
    let doomed = await create({ name: "doomed" });
    const seen = await walk("limit=1", async () => {
      await create({ name: "meanwhile" });
      await client("DELETE", `/v1/collections/${doomed}`);
      await client("PATCH", `/v1/collections/${ids[0]}`, { description: `${clock.now()}` });
      doomed = await create({ name: "doomed" });
      clock.advance(1);
    });
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids.toReversed());
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("a search continues after a batch of rows without a match", async () => {
    const other = started.clientOf("many@example.org");
    const wanted = [await create({ name: "needle one" }, other)];
    for (let i = 0; i < 205; i++) await create({ name: `hay ${i}` }, other);
    wanted.push(await create({ name: "needle two" }, other));
    const first = (await list("search=needle&limit=1", other)).body;
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual([wanted[1]]);
    const second = (await list(`search=needle&limit=1&cursor=${first.pagination.cursor}`, other)).body;
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual([wanted[0]]);
    expect(second.pagination).toEqual({ cursor: "", hasMore: false });
  });

  test("the limit may change between pages; filters, list and user may not", async () => {
    const { cursor } = (await list("limit=1&tags=red")).body.pagination;
    expect((await list(`limit=7&tags=%20red,&cursor=${cursor}`)).body.data.length).toBe(1);
    for (const other of [
      "tags=big",
      "",
      "tags=red&workspace=w1",
      "tags=red&search=a",
      "tags=red&includePublic=true",
    ])
      expect((await list(`${other}&cursor=${cursor}`)).status).toBe(400);
    const stranger = started.clientOf("cursor@example.org");
    expect((await list(`limit=1&tags=red&cursor=${cursor}`, stranger)).status).toBe(400);
    expect((await client("GET", `/v1/documents?tags=red&cursor=${cursor}`)).status).toBe(400);
  });
});
