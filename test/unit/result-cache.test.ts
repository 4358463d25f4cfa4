// The cache of search results: which results it keeps, and how many.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createResultCache } from "../../src/features/search/result-cache.ts";

const vectorsOf = (...values: number[]) => [
  { spaceId: 1, dimension: 2, vector: Float32Array.from(values), calibration: { points: [], scripts: [] } },
];
const QUERY = { text: "otter", vectors: vectorsOf(1, 0) } as never;

function open(records = 1) {
  const sql = new Database(":memory:", { strict: true });
  sql.run("CREATE TABLE notes (text TEXT)");
  const cache = createResultCache<number>({ sql }, () => records);
  let searches = 0;
  const get = (key: string, query = QUERY) => cache.get(key, query, async () => ++searches);
  return { sql, get };
}

test("a result is valid until a row changes", async () => {
  const { sql, get } = open();
  expect([await get("a"), await get("a"), await get("b")]).toEqual([1, 1, 2]);
  sql.run("INSERT INTO notes VALUES ('new')");
  expect([await get("a"), await get("a")]).toEqual([3, 3]);
});

test("a result is valid for the same vectors only", async () => {
  const { get } = open();
  expect(await get("a")).toBe(1);
  expect(await get("a", { text: "otter", vectors: vectorsOf(0, 1) } as never)).toBe(2);
  expect(await get("a", { text: "otter", vectors: vectorsOf(0, 1) } as never)).toBe(2);
});

test("a change during the search makes the result outdated", async () => {
  const { sql, get } = open();
  const first = get("a");
  sql.run("INSERT INTO notes VALUES ('new')");
  expect([await first, await get("a")]).toEqual([1, 2]);
});

test("the result that was used longest ago makes room for new ones", async () => {
  const { get } = open(800);
  for (const key of ["a", "b", "a", "c"]) await get(key);
  expect([await get("a"), await get("c"), await get("b")]).toEqual([1, 3, 4]);
});

test("results of very long queries are not kept", async () => {
  const { get } = open();
  const long = { text: "x".repeat(2_001), vectors: vectorsOf(1, 0) } as never;
  expect([await get("a", long), await get("a", long)]).toEqual([1, 2]);
});
