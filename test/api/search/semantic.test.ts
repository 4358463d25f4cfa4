// GET /v1/search by meaning, with the shipped model.

import { beforeAll, describe, expect, test } from "bun:test";
import { expectSameFromBothEngines } from "../../helpers/engines.ts";
import { type Client, useServer } from "../../helpers/start.ts";

let handbook: string;

const HANDBOOK = `# Office handbook

## Holidays

Every employee receives twenty-five days of paid leave each year. Unused days expire at the end of March.

## Coffee machine

Empty the grounds container when the red lamp blinks. Descale the appliance once a month with citric acid.

## Fire safety

Leave the building by the nearest staircase and gather in the car park. Never use the elevator during an evacuation.
`;

const started = useServer({ realModel: true });
const { client } = started;

beforeAll(async () => {
  const post = async (title: string, content: string, tags: string[] = []) =>
    (await client("POST", "/v1/documents", { title, content, tags })).body.data.id;
  handbook = await post("Handbook", HANDBOOK, ["office"]);
  await post("Volcanoes", "Magma rises through the crust and erupts as lava, ash and gas.", ["earth"]);
  await post("Bread", "Knead the dough for ten minutes and let it rise until it has doubled.");
  await post("Empty but titled: maintenance of bicycle gears", "");
  await started.settle();
});

const search = async (q: string, parameters = "") => {
  const { status, body } = await client("GET", `/v1/search?q=${encodeURIComponent(q)}${parameters}`);
  expect(status).toBe(200);
  return body;
};

describe("finds the paragraph by meaning", () => {
  test.each([
    ["How much vacation do I get?", "twenty-five days of paid leave"],
    ["what should I do when there is a blaze in the house", "staircase"],
    ["cleaning limescale from the espresso maker", "Descale"],
  ])("%s", async (q, highlight) => {
    const [first] = (await search(q)).data.documents;
    expect(first.documentId).toBe(handbook);
    expect(first.highlight).toContain(highlight);
    expect(first.score).toBeGreaterThanOrEqual(0.35);
    expect(first.score).toBeLessThanOrEqual(1);
  });

  test("an empty document is found by its title", async () => {
    const [first] = (await search("adjusting the derailleur of my bike")).data.documents;
    expect(first.title).toContain("bicycle gears");
  });
});

test("a question about an unknown topic finds nothing at the default threshold", async () => {
  expect((await search("quarterly revenue of the shipping company in Rotterdam")).data.documents).toEqual([]);
});

test("threshold, limit and order", async () => {
  const all = (await search("rise", "&scoreThreshold=0")).data.documents;
  expect(all.length).toBe(4);
  const scores = all.map(({ score }: { score: number }) => score);
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  const middle = scores[1];
  expect((await search("rise", `&scoreThreshold=${middle.toFixed(12)}`)).data.documents.length).toBeLessThan(
    4,
  );
  expect((await search("rise", "&scoreThreshold=0&limit=2")).data.documents).toEqual(all.slice(0, 2));
  expect((await search("rise", "&scoreThreshold=1")).data.documents).toEqual([]);
});

test("one row for each document, however many of its chunks match", async () => {
  const rows = (await search("office rules for employees", "&scoreThreshold=0")).data.documents;
  expect(new Set(rows.map(({ documentId }: { documentId: string }) => documentId)).size).toBe(rows.length);
});

test("tags filter, type chooses the group, meta contains the latency", async () => {
  expect((await search("holidays", "&tags=earth&scoreThreshold=0")).data.documents.length).toBe(1);
  expect((await search("holidays", "&tags=office,earth&scoreThreshold=0")).data.documents).toEqual([]);
  expect((await search("holidays", "&type=collections")).data).toEqual({
    documents: [],
    prompts: [],
    collections: [],
  });
  const { meta } = await search("holidays");
  expect(meta).toEqual({ query: "holidays", semantic: true, latencyMs: expect.any(Number) });
});

test("a key without documents.read and another user find no documents", async () => {
  const prompts = started.clientOf("owner@localhost", ["prompts.read"]);
  expect((await prompts("GET", "/v1/search?q=vacation")).body.data.documents).toEqual([]);
  const other = started.clientOf("semantic-other@example.org");
  expect((await other("GET", "/v1/search?q=vacation&scoreThreshold=0")).body.data.documents).toEqual([]);
});

test("a query longer than the model's window works", async () => {
  const q = `${"paid leave and vacation days for employees ".repeat(80)}`.trim();
  expect((await search(q)).data.documents[0].documentId).toBe(handbook);
});

test("the JavaScript engine returns the same", async () => {
  const queries = ["How much vacation do I get?", "lava", "dough", "elevator", "zebra"];
  const ask = async (from: Client) =>
    Promise.all(
      queries.map(
        async (q) =>
          (await from("GET", `/v1/search?scoreThreshold=0&limit=50&q=${encodeURIComponent(q)}`)).body.data
            .documents,
      ),
    );
  await expectSameFromBothEngines(started, ask);
});
