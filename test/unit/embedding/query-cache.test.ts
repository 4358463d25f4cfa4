// The cache of query vectors: equal texts are embedded once, failures again, and 256 texts are retained.

import { expect, test } from "bun:test";
import { createQueryCache } from "../../../src/engine/embedding/query-cache.ts";

/** A cache, and the texts that were embedded through it. */
function counted() {
  const cache = createQueryCache();
  const embedded: string[] = [];
  const get = (text: string) =>
    cache.get(text, async () => {
      embedded.push(text);
      return new Float32Array([embedded.length]);
    });
  return { cache, embedded, get };
}

test("embeds a repeated text once, also when the calls are concurrent", async () => {
  const { embedded, get } = counted();
  const [first, second] = await Promise.all([get("tea"), get("tea")]);
  expect(second).toBe(first!);
  expect(await get("tea")).toBe(first!);
  await Promise.all([get("Tea"), get("tea ")]);
  expect(embedded).toEqual(["tea", "Tea", "tea "]);
});

test("drops the least recently used of more than 256 texts", async () => {
  const { embedded, get } = counted();
  for (let i = 0; i < 256; i++) await get(`${i}`);
  await get("0");
  await get("one more");
  embedded.length = 0;
  await get("0");
  expect(embedded).toEqual([]);
  await get("1");
  expect(embedded).toEqual(["1"]);
});

test("does not cache a failure", async () => {
  const { get, cache } = counted();
  const failing = cache.get("tea", () => Promise.reject(new Error("busy")));
  expect(await failing.catch((error) => error.message)).toBe("busy");
  expect([...(await get("tea"))]).toEqual([1]);
});

test("does not cache what was being embedded when it was cleared", async () => {
  const { get, cache, embedded } = counted();
  const before = get("tea");
  cache.clear();
  await Promise.all([before, get("tea")]);
  expect(embedded).toEqual(["tea", "tea"]);
});

test("does not cache texts of more than 2,000 characters", async () => {
  const { get, embedded } = counted();
  for (const text of ["a".repeat(2_000), "a".repeat(2_001)]) {
    await get(text);
    await get(text);
  }
  expect(embedded.map(({ length }) => length)).toEqual([2_000, 2_001, 2_001]);
});
