// Moving collections in the tree.

import { expect, test } from "bun:test";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { consoleClient } from "../../helpers/console-client.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer();
const { client, create } = started;
const owner = await consoleClient(started);

const make = (name: string, parentCollectionId?: string) =>
  create("/v1/collections", { name, ...(parentCollectionId !== undefined && { parentCollectionId }) });
const move = (id: string, parentId: string | null, by = owner) =>
  by("PUT", `/console/api/collections/${id}/parent`, { parentId });
const parentOf = async (id: string) =>
  (await client("GET", `/v1/collections/${id}`)).body.data.parentCollectionId;

/** A chain of collections, each inside the one before it. */
async function chain(length: number): Promise<string[]> {
  const ids = [await make("Level 0")];
  while (ids.length < length) ids.push(await make(`Level ${ids.length}`, ids.at(-1)));
  return ids;
}

test("a collection is moved with what is inside, and to the top level", async () => {
  const [house, kitchen, shelf] = [await make("House"), await make("Kitchen"), await make("Shelf")];
  expect((await move(shelf, kitchen)).status).toBe(200);
  expect((await move(kitchen, house)).status).toBe(200);
  expect(await Promise.all([shelf, kitchen, house].map(parentOf))).toEqual([kitchen, house, undefined]);
  expect((await move(kitchen, null)).status).toBe(200);
  expect(await Promise.all([shelf, kitchen].map(parentOf))).toEqual([kitchen, undefined]);
});

test("not into itself or one of its own, nor to what is not the caller's", async () => {
  const [top, middle, low] = (await chain(3)) as [string, string, string];
  for (const target of [top, middle, low]) expect((await move(top, target)).status).toBe(400);
  expect((await move(top, "0".repeat(27))).status).toBe(404);
  const other = started.clientOf("other@example.org");
  const { body } = await other("POST", "/v1/collections", { name: "Public", isPublic: true });
  expect((await move(top, body.data.id)).status).toBe(404);
  expect((await move(body.data.id, top)).status).toBe(403);
  expect((await move(top, null, other)).status).toBe(404);
  const reader = await consoleClient(started, { ...started.owner, scopes: ["documents.read"] });
  expect((await move(low, null, reader)).status).toBe(403);
  expect(await Promise.all([top, middle, low].map(parentOf))).toEqual([undefined, top, middle]);
});

test("no deeper than the limit", async () => {
  const { depth } = LIMITS.collection;
  const long = await chain(depth - 2);
  const [first, second, third] = (await chain(3)) as [string, string, string];
  expect((await move(first, long.at(-1)!)).status).toBe(400);
  expect((await move(second, long.at(-1)!)).status).toBe(200);
  expect((await move(first, third)).status).toBe(400);
});
