// GET /v1/documents: filters, pages, and a walk during concurrent writes.

import { beforeAll, describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { startServer, useServer } from "../../helpers/start.ts";
import { walkPages } from "../../helpers/walk.ts";

const clock = new ManualClock();
const ids: string[] = [];
const started = useServer({ clock });
const { client } = started;

beforeAll(async () => {
  const documents = [
    { title: "Alpha", content: "a".repeat(3000), tags: ["red", "big"], workspaceId: "w1" },
    { title: "Émile 100%", content: "b", tags: ["red"] },
    { title: "Gamma_ray", content: "c", tags: ["big"], workspaceId: "w1" },
    { title: "Delta", content: "d" },
    { title: "Archived alpha", content: "e", tags: ["red"] },
  ];
  for (const document of documents) {
    ids.push((await client("POST", "/v1/documents", document)).body.data.id);
    clock.advance(10);
  }
  await client("PATCH", `/v1/documents/${ids[4]}`, { status: "archived" });
  await client("PATCH", `/v1/documents/${ids[3]}`, { status: "draft" });
});

const list = async (query = "") => client("GET", `/v1/documents${query && `?${query}`}`);
const titles = async (query = "") =>
  (await list(query)).body.data.map(({ title }: { title: string }) => title);

describe("filters", () => {
  test.each([
    ["", ["Delta", "Gamma_ray", "Émile 100%", "Alpha"]],
    ["includeArchived=true", ["Archived alpha", "Delta", "Gamma_ray", "Émile 100%", "Alpha"]],
    ["status=archived", ["Archived alpha"]],
    ["status=draft", ["Delta"]],
    ["status=published", ["Gamma_ray", "Émile 100%", "Alpha"]],
    ["search=ALPHA", ["Alpha"]],
    ["search=ALPHA&includeArchived=true", ["Archived alpha", "Alpha"]],
    ["search=%C3%A9mile", ["Émile 100%"]],
    ["search=100%25", ["Émile 100%"]],
    ["search=a_r", ["Gamma_ray"]],
    ["search=zzz", []],
    ["search=", ["Delta", "Gamma_ray", "Émile 100%", "Alpha"]],
    ["tags=red", ["Émile 100%", "Alpha"]],
    ["tags=red,big", ["Alpha"]],
    ["tags=%20big%20,,", ["Gamma_ray", "Alpha"]],
    ["tags=", ["Delta", "Gamma_ray", "Émile 100%", "Alpha"]],
    ["workspace=w1", ["Gamma_ray", "Alpha"]],
    ["workspace=w1&tags=red", ["Alpha"]],
    ["workspace=w2", []],
    ["collectionId=nothing", []],
    [`collectionId=${"0".repeat(27)}`, []],
  ])("%s", async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=x",
    "status=completed",
    "status=x",
    "includeArchived=1",
    "includeContent=yes",
    "cursor=garbage",
    "limit=1&limit=2",
  ])("%s is 400", async (query) => {
    expect((await list(query)).status).toBe(400);
  });
});

test("an item has the fields of the list, and content only with includeContent, cut at 2,000 characters", async () => {
  const [item] = (await list("search=Alpha")).body.data;
  expect(item).toEqual({
    id: ids[0],
    title: "Alpha",
    status: "published",
    isArchived: false,
    tags: ["red", "big"],
    updatedAt: expect.any(Number),
    workspaceId: "w1",
  });
  const [withContent] = (await list("search=Alpha&includeContent=true")).body.data;
  expect(withContent.content).toBe("a".repeat(2000));
});

test("metadata is listed only when it is requested, for documents and prompts", async () => {
  const writer = started.clientOf("metadata@example.org");
  const record = { title: "t", content: "c", metadata: { author: "Ada" } };
  await writer("POST", "/v1/documents", record);
  await writer("POST", "/v1/prompts", { ...record, description: "" });
  for (const path of ["/v1/documents", "/v1/prompts"]) {
    expect((await writer("GET", path)).body.data[0]).not.toHaveProperty("metadata");
    const { body } = await writer("GET", `${path}?includeMetadata=true`);
    expect(body.data[0].metadata).toEqual({ author: "Ada" });
  }
});

test("the content of an item is cut by characters, not by UTF-16 units", async () => {
  const writer = started.clientOf("giraffes@example.org");
  await writer("POST", "/v1/documents", { title: "t", content: `a${"🦒".repeat(2000)}` });
  const { body } = await writer("GET", "/v1/documents?includeContent=true");
  expect(body.data[0].content).toBe(`a${"🦒".repeat(1999)}`);
});

describe("pages", () => {
  const walk = async (query: string) =>
    (await walkPages(client, `/v1/documents?${query}`)).map(({ id }) => id);

  test("a walk returns every row once; the last page has an empty cursor", async () => {
    expect(await walk("limit=1&includeArchived=true")).toEqual(ids.toReversed());
    expect((await list("limit=4")).body.pagination).toEqual({ cursor: "", hasMore: false });
  });

  test("the limit may change between pages, the filters may not", async () => {
    const { cursor } = (await list("limit=1&tags=red")).body.pagination;
    expect((await list(`limit=7&tags=red&cursor=${cursor}`)).body.data.length).toBe(1);
    for (const same of ["tags=red,", "tags=%20red&search=", "tags=red&includeContent=true"]) {
      expect((await list(`limit=1&${same}&cursor=${cursor}`)).status).toBe(200);
    }
    for (const other of ["tags=big", "tags=", "tags=red&workspace=w1", "tags=red&status=draft"]) {
      expect((await list(`limit=1&${other}&cursor=${cursor}`)).status).toBe(400);
    }
  });

  test("a cursor of another user, or a changed one, is 400", async () => {
    const { cursor } = (await list("limit=1")).body.pagination;
    const other = started.clientOf("list-other@example.org");
    expect((await other("GET", `/v1/documents?limit=1&cursor=${cursor}`)).status).toBe(400);
    for (let at = 0; at < cursor.length; at += 7) {
      const changed = cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1);
      expect((await list(`limit=1&cursor=${changed}`)).status).toBe(400);
    }
  });

  test("inserts, changes and deletions during a walk: every remaining row is returned exactly once", async () => {
    const walker = startServer();
    try {
      const all: string[] = [];
      for (let i = 0; i < 60; i++) {
        all.push(
          (await walker.client("POST", "/v1/documents", { title: `d${i}`, content: "" })).body.data.id,
        );
      }
      const doomed = new Set(all.filter((_, index) => index % 7 === 0));
      let step = 0;
      const rows = await walkPages(walker.client, "/v1/documents?limit=5", async () => {
        await walker.client("POST", "/v1/documents", { title: `new ${step}`, content: "" });
        await walker.client("PATCH", `/v1/documents/${all[(step * 13 + 1) % 60]}`, {
          title: `changed ${step}`,
        });
        const victim = [...doomed][step % doomed.size];
        await walker.client("DELETE", `/v1/documents/${victim}`);
        step++;
      });
      const seen = rows.map(({ id }) => id);
      expect(new Set(seen).size).toBe(seen.length);
      const stable = all.filter((id) => !doomed.has(id)).toReversed();
      expect(seen.filter((id) => stable.includes(id))).toEqual(stable);
    } finally {
      await walker.stop();
    }
  });
});

test("another user's documents are not listed", async () => {
  const other = started.clientOf("list-stranger@example.org");
  expect((await other("GET", "/v1/documents")).body).toEqual({
    data: [],
    pagination: { cursor: "", hasMore: false },
  });
});
