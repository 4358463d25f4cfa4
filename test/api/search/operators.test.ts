// The operators of a query in GET /v1/search and POST /v1/pd/search: what they select, in every kind of search.

import { beforeAll, describe, expect, test } from "bun:test";
import { fakeEmbedder, GENEROUS } from "../../helpers/embedder.ts";
import { startServer, useServer } from "../../helpers/start.ts";

const started = useServer({ embedder: fakeEmbedder(undefined, GENEROUS) });
const { client, create } = started;

const FOLDER = "/home/ada/notes";
const note = (title: string, content: string, more: object = {}) =>
  create("/v1/documents", { title, content, ...more });
const file = (path: string) => ({ importPath: `${FOLDER}/${path}`, importRoot: FOLDER });

beforeAll(async () => {
  const kitchen = await create("/v1/collections", { name: "My Kitchen", tags: ["home"] });
  const other = await create("/v1/collections", { name: "Travel" });
  await note(
    "Tea",
    "# Tea\n\nThe kettle whistles.\n\n## Water\n\nBoil the green\nwater twice, the kettle does not care.",
    {
      tags: ["home", "Café"],
      collectionIds: [kitchen],
      metadata: file("Drinks/Tea time.md"),
    },
  );
  await note("Coffee", "The kettle heats water. Green coffee is roasted first.", {
    tags: ["home"],
    metadata: file("Drinks/coffee.md"),
    collectionIds: [other],
  });
  await note("Kettle shop", "Kettles are sold here. News of greenhouses.", {
    sourceUrl: "https://Shop.example/kettles/list",
  });
  await note("退款规则", "退款需要三十天。The kettle can be returned.");
  await create("/v1/prompts", {
    title: "Kettle prompt",
    description: "about a kettle",
    content: "Describe the green water.",
    tags: ["home"],
    collectionIds: [kitchen],
  });
  const stranger = started.clientOf("stranger@example.org");
  await stranger("POST", "/v1/documents", {
    title: "Tea",
    content: "The kettle whistles. Boil the green water.",
    tags: ["home"],
  });
  await started.settle();
});

const SHOP = "Kettle shop";
const titles = (rows: { title: string }[]) => rows.map(({ title }) => title).sort();
const find = async (q: string, more = "") =>
  (await client("GET", `/v1/search?type=documents&scoreThreshold=0&q=${encodeURIComponent(q)}${more}`)).body
    .data.documents;

const CASES: [query: string, titles: string[]][] = [
  ["kettle tag:home", ["Coffee", "Tea"]],
  ["kettle -tag:home", [SHOP, "退款规则"]],
  ["kettle tag:Cafe\u0301", ["Tea"]],
  ["kettle tag:nothing", []],
  ["kettle path:Drinks", ["Coffee", "Tea"]],
  ["kettle path:drinks/tea", ["Tea"]],
  ['kettle path:"Drinks/Tea time.md"', ["Tea"]],
  ["kettle path:rinks", []],
  [`kettle path:${FOLDER}/Drinks`, ["Coffee", "Tea"]],
  ["kettle path:https://shop.example", [SHOP]],
  ["kettle path:shop.example/kettles", [SHOP]],
  ["kettle -path:drinks", [SHOP, "退款规则"]],
  ["kettle title:KETT", [SHOP]],
  ['kettle in:"my kitchen"', ["Tea"]],
  ["kettle in:travel -tag:x", ["Coffee"]],
  ["kettle in:Nowhere", []],
  ["kettle -green", [SHOP, "退款规则"]],
  ["kettle -whistles -shop", ["Coffee", "退款规则"]],
  ["kettle -new", ["Coffee", SHOP, "Tea", "退款规则"]],
  ['kettle "green water"', ["Tea"]],
  ['kettle "GREEN coffee"', ["Coffee"]],
  ['kettle -"green water" tag:home', ["Coffee"]],
  ['"reen water"', []],
  ['"kettle shop"', [SHOP]],
  ['"退款"', ["退款规则"]],
  ['"三十天"', ["退款规则"]],
  ['"the kettle" "green coffee"', ["Coffee"]],
  ["after:2000-01-01 kettle", ["Coffee", SHOP, "Tea", "退款规则"]],
  ["kettle before:2000-01-01", []],
];

describe("by meaning and by text", () => {
  test.each(CASES)("%s", async (query, expected) => {
    expect(titles(await find(query))).toEqual([...expected].sort());
    expect(titles(await find(query, "&semantic=false"))).toEqual([...expected].sort());
  });
});

describe("passages", () => {
  const passages = async (query: string, more: object = {}) =>
    (await client("POST", "/v1/pd/search", { query, scoreThreshold: 0, ...more })).body;
  test.each(CASES)("%s", async (query, expected) => {
    const { data } = await passages(query);
    const found = new Set(data.results.map(({ documentTitle }: { documentTitle: string }) => documentTitle));
    expect([...found].sort()).toEqual([...expected].sort());
  });

  test("contain the phrase themselves, whatever their score is", async () => {
    const { results } = (await client("POST", "/v1/pd/search", { query: '"kettle whistles"' })).body.data;
    expect(results.length).toBeGreaterThan(0);
    for (const { content } of results) expect(content).toContain("kettle whistles");
  });

  test("operators alone are 400", async () => {
    const { status, body } = await client("POST", "/v1/pd/search", { query: "tag:home" });
    expect([status, body.error.details]).toEqual([
      400,
      [{ path: "query", message: expect.stringContaining("word") }],
    ]);
  });
});

test("a search by meaning finds every document with a phrase, and shows where", async () => {
  const { data } = (await client("GET", `/v1/search?q=${encodeURIComponent('"green water"')}`)).body;
  expect(data.documents).toMatchObject([{ title: "Tea", highlight: expect.stringContaining("green water") }]);
  expect(data.prompts).toMatchObject([{ title: "Kettle prompt" }]);
});

test("operators alone select, newest first and without scores", async () => {
  const { data, meta } = (await client("GET", "/v1/search?q=tag:home")).body;
  expect(data.documents.map(({ title }: { title: string }) => title)).toEqual(["Coffee", "Tea"]);
  expect(data.documents[0].score).toBeUndefined();
  expect(data.prompts).toMatchObject([{ title: "Kettle prompt" }]);
  expect(data.collections).toMatchObject([{ name: "My Kitchen" }]);
  expect(meta).toMatchObject({ query: "tag:home", semantic: false });
});

test("prompts and collections", async () => {
  const search = async (q: string) =>
    (await client("GET", `/v1/search?scoreThreshold=0&q=${encodeURIComponent(q)}`)).body.data;
  const groups = async (q: string) => {
    const { prompts, collections } = await search(q);
    return [prompts.length, collections.map(({ name }: { name: string }) => name)];
  };
  expect(await groups("kettle kitchen tag:home")).toEqual([1, ["My Kitchen"]]);
  expect(await groups("kettle -whistles -describe")).toEqual([0, ["Travel"]]);
  expect(await groups("kettle in:travel")).toEqual([0, []]);
  expect(await groups("kitchen title:kitchen")).toEqual([0, ["My Kitchen"]]);
});

test("after and before compare the day of the last change", async () => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  expect(await find(`kettle after:${day(-2)} before:${day(2)}`)).toHaveLength(4);
  expect(await find(`kettle after:${day(2)}`)).toEqual([]);
  expect(await find(`kettle before:${day(-2)}`)).toEqual([]);
});

test("a document that is not indexed yet is compared by its title and start", async () => {
  const waiting = startServer();
  await waiting.stopJobs();
  await waiting.create("/v1/documents", { title: "Waits", content: "The kettle is blue." });
  const count = async (q: string) =>
    (await waiting.client("GET", `/v1/search?semantic=false&q=${encodeURIComponent(q)}`)).body.data.documents
      .length;
  expect([
    await count('kettle "is blue"'),
    await count("kettle -blue"),
    await count("kettle title:waits"),
  ]).toEqual([1, 0, 1]);
  await waiting.stop();
});

test("17 operators are 400, naming the parameter", async () => {
  for (const semantic of [true, false]) {
    const { status, body } = await client(
      "GET",
      `/v1/search?semantic=${semantic}&q=${"tag:x%20".repeat(17)}`,
    );
    expect([status, body.error.details[0].path]).toEqual([400, "q"]);
  }
});

test("lists take a path", async () => {
  const list = async (path: string) => titles((await client("GET", `/v1/documents?path=${path}`)).body.data);
  expect(await list("drinks")).toEqual(["Coffee", "Tea"]);
  expect(await list("shop.example")).toEqual([SHOP]);
  expect((await client("GET", "/v1/prompts?path=drinks")).body.data).toEqual([]);
});
