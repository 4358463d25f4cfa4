// GET /v1/prompts: filters, the two names of q, pages, and walks during concurrent writes.

import { beforeAll, describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { type Client, useServer } from "../../helpers/start.ts";
import { walkPages } from "../../helpers/walk.ts";

const clock = new ManualClock();
const ids: Record<string, string> = {};

async function make(by: Client, prompt: { title: string; [member: string]: unknown }) {
  const { status, body } = await by("POST", "/v1/prompts", { description: "", content: "c", ...prompt });
  expect(status).toBe(201);
  ids[prompt.title] = body.data.id;
  clock.advance(10);
}

const started = useServer({ clock });
const { client } = started;
const other = started.clientOf("list-other@example.org");

beforeAll(async () => {
  await make(client, { title: "Alpha", content: "ax", tags: ["red", "big"], workspaceId: "w1" });
  await make(client, { title: "Émile 100%", description: "a\0b", tags: ["red"] });
  await make(other, { title: "Foreign private", tags: ["red"] });
  await make(other, { title: "Foreign public alpha", tags: ["red"], workspaceId: "w1", isPublic: true });
  await make(client, { title: "Gamma_ray", description: "of ALPHA particles", workspaceId: "w1" });
  await make(client, { title: "Delta", tags: ["Big"], isPublic: true });
});

const list = async (query = "", by: Client = client) => by("GET", `/v1/prompts${query && `?${query}`}`);
const titles = async (query = "", by: Client = client) => {
  const { status, body } = await list(query, by);
  expect(status).toBe(200);
  return body.data.map(({ title }: { title: string }) => title);
};

const OWN = ["Delta", "Gamma_ray", "Émile 100%", "Alpha"];

describe("filters", () => {
  test.each([
    ["", OWN],
    ["includePublic=false", OWN],
    ["includePublic=true", ["Delta", "Gamma_ray", "Foreign public alpha", "Émile 100%", "Alpha"]],
    ["q=ALPHA", ["Gamma_ray", "Alpha"]],
    ["search=ALPHA", ["Gamma_ray", "Alpha"]],
    ["q=alpha&search=alpha", ["Gamma_ray", "Alpha"]],
    ["q=alpha&includePublic=true", ["Gamma_ray", "Foreign public alpha", "Alpha"]],
    ["q=%C3%A9mile", ["Émile 100%"]],
    ["q=E%CC%81MILE", ["Émile 100%"]],
    ["q=100%25", ["Émile 100%"]],
    ["q=a_r", ["Gamma_ray"]],
    ["q=a%20b", ["Émile 100%"]],
    ["q=ax", []],
    ["q=zzz", []],
    ["q=", OWN],
    ["search=", OWN],
    ["q=&search=delta", ["Delta"]],
    ["tags=red", ["Émile 100%", "Alpha"]],
    ["tags=red,big", ["Alpha"]],
    ["tags=%20big%20,,", ["Alpha"]],
    ["tags=,", OWN],
    ["tags=", OWN],
    ["tags=red&includePublic=true", ["Foreign public alpha", "Émile 100%", "Alpha"]],
    ["workspace=w1", ["Gamma_ray", "Alpha"]],
    ["workspace=w1&tags=red", ["Alpha"]],
    ["workspace=w1&includePublic=true&q=a", ["Gamma_ray", "Foreign public alpha", "Alpha"]],
    ["workspace=W1", []],
    ["workspace=", OWN],
    ["unknown=1&q=delta", ["Delta"]],
  ])("%s", async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test("another user gets their own prompts, and public ones with includePublic", async () => {
    expect(await titles("", other)).toEqual(["Foreign public alpha", "Foreign private"]);
    expect(await titles("includePublic=true", other)).toEqual([
      "Delta",
      "Foreign public alpha",
      "Foreign private",
    ]);
    expect(await titles("includePublic=true&q=gamma", other)).toEqual([]);
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=-1",
    "limit=1.5",
    "limit=x",
    "limit=",
    "includePublic=1",
    "includePublic=",
    "cursor=garbage",
    "limit=1&limit=2",
    "zzz=1&zzz=2",
    "q=a&search=b",
    "q=a&search=A",
    "q=a%00",
    "search=%00",
    `q=${"x".repeat(4001)}`,
  ])("%s is 400", async (query) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBeString();
  });

  test("4,000 characters are accepted, whatever their size in bytes", async () => {
    expect(await titles(`q=${encodeURIComponent("👩".repeat(4000))}`)).toEqual([]);
  });
});

describe("an item", () => {
  test("has the fields of the list", async () => {
    const [item] = (await list("q=Alpha&tags=big")).body.data;
    expect(item).toEqual({
      id: ids.Alpha,
      title: "Alpha",
      description: "",
      content: "ax",
      tags: ["red", "big"],
      isPublic: false,
      currentVersion: 1,
      stats: { views: 0, copies: 0 },
      workspaceId: "w1",
      updatedAt: expect.any(Number),
    });
    const [bare] = (await list("q=Delta")).body.data;
    expect(bare).not.toHaveProperty("workspaceId");
    expect(bare.isPublic).toBe(true);
  });

  test.each([
    ["short", "x"],
    ["exactly 2,000", "x".repeat(2000)],
    ["one more", "x".repeat(2001)],
    ["three bytes each", "語".repeat(3000)],
    ["exactly 2,000 of four bytes each", "👩".repeat(2000)],
    ["one more of four bytes each", "👩".repeat(2001)],
    ["a pair on the cut", `${"x".repeat(1999)}👩x`],
    ["mixed widths", "aé語👩".repeat(700)],
    ["NUL, a byte order mark and line ends", `\ufeff\0\r\n${"x".repeat(2500)}`],
  ])("its content is cut at 2,000 characters, between characters: %s", async (_name, content) => {
    const writer = started.clientOf("contents@example.org");
    const { id } = (await writer("POST", "/v1/prompts", { title: "t", description: "", content })).body.data;
    const items = (await list("", writer)).body.data;
    const expected = [...content].slice(0, 2000).join("");
    expect(items.find((item: { id: string }) => item.id === id).content).toBe(expected);
    expect((await writer("GET", `/v1/prompts/${id}`)).body.data.content).toBe(content);
  });
});

describe("pages", () => {
  const walk = async (query: string, between?: () => Promise<unknown>, by = client) =>
    (await walkPages(by, `/v1/prompts?${query}`, between)).map(({ title }) => title);

  test.each([
    "limit=1",
    "limit=3",
    "limit=1&includePublic=true",
    "limit=2&q=a&includePublic=true",
    "limit=100",
  ])("%s: a walk returns every row once, newest first", async (query) => {
    expect(await walk(query)).toEqual(await titles(query.replace(/limit=\d+&?/, "")));
  });

  test("the default limit is 20", async () => {
    const many = started.clientOf("many@example.org");
    for (let i = 0; i < 23; i++) await make(many, { title: `Many ${i}` });
    const { data, pagination } = (await list("", many)).body;
    expect([data.length, pagination.hasMore]).toEqual([20, true]);
  });

  test("the limit may change between pages, the filters may not", async () => {
    const { cursor } = (await list("limit=1&q=a")).body.pagination;
    expect((await list(`limit=7&q=a&cursor=${cursor}`)).status).toBe(200);
    expect((await list(`limit=7&search=a&cursor=${cursor}`)).status).toBe(200);
    for (const changed of ["q=b", "", "q=a&tags=red", "q=a&workspace=w1", "q=a&includePublic=true"])
      expect((await list(`${changed}&cursor=${cursor}`)).status).toBe(400);
  });

  test("a cursor of another user, of another list, or a changed one, is 400", async () => {
    const { cursor } = (await list("limit=1")).body.pagination;
    expect((await list(`limit=1&cursor=${cursor}`, other)).status).toBe(400);
    expect((await client("GET", `/v1/documents?limit=1&cursor=${cursor}`)).status).toBe(400);
    const changedCursor = `${cursor[0] === "A" ? "B" : "A"}${cursor.slice(1)}`;
    expect((await list(`limit=1&cursor=${changedCursor}`)).status).toBe(400);
  });

  test("rows with equal times, new rows and deleted ones: the others are returned exactly once", async () => {
    const walker = started.clientOf("walker@example.org");
    const post = async (title: string) =>
      (await walker("POST", "/v1/prompts", { title, description: "", content: "c" })).body.data.id as string;
    const made: string[] = [];
    for (let i = 0; i < 12; i++) made.push(await post(`Row ${i}`));
    let step = 0;
    const between = async () => {
      await post(`New ${step}`);
      // A row that was returned already, and one that was not.
      await walker("DELETE", `/v1/prompts/${made[11 - step]}`);
      await walker("DELETE", `/v1/prompts/${made[step]}`);
      await walker("PATCH", `/v1/prompts/${made[5]}`, { title: "Row 5", content: `edited ${step}` });
      step++;
    };
    const seen = await walk("limit=3", between, walker);
    const remaining = seen.filter((title) => !/New/.test(title));
    expect(new Set(remaining).size).toBe(remaining.length);
    expect(remaining).toContain("Row 5");
    expect(remaining).toContain("Row 6");
  });
});
