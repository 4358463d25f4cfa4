// Collections and their items in the model, as the specification describes them.

import assert from "node:assert/strict";
import type { Reply } from "../../../test/helpers/start.ts";
import { areTags, type Body } from "./documents.ts";
import { compareMembers, exchange, type Outcome, rejected, type World } from "./exchange.ts";
import {
  type Actor,
  type Collection,
  chosen,
  contains,
  hasTags,
  type ItemType,
  ownOf,
  type Prompt,
  storedTags,
  UNKNOWN_ID,
  type User,
  userOf,
} from "./records.ts";

const RULES: Record<string, (value: unknown) => boolean> = {
  name: (value) => typeof value === "string" && value.trim() !== "",
  description: (value) => typeof value === "string",
  color: (value) => typeof value === "string" && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value),
  icon: (value) => typeof value === "string" && [...new Intl.Segmenter().segment(value)].length === 1,
  tags: areTags,
  isPublic: (value) => typeof value === "boolean",
};

const isValid = (body: Body): boolean =>
  Object.entries(body).every(([name, value]) => RULES[name]?.(value) ?? true);
const idOf = (record: { id: string } | undefined): string => record?.id ?? UNKNOWN_ID;

export async function createCollection(
  world: World,
  step: { by: Actor; body: Body; parent?: number },
): Promise<void> {
  const { by } = step;
  const parent = step.parent === undefined ? undefined : chosen(world.records.collections, step.parent);
  const body = { ...step.body, ...(step.parent !== undefined && { parentCollectionId: idOf(parent) }) };
  await exchange(world, { by, operation: "POST /v1/collections", path: "/v1/collections", body }, () => {
    if (step.body.name === undefined || !isValid(step.body)) return rejected(400);
    if (step.parent !== undefined && !ownOf(parent, userOf(by))) return rejected(404);
    return { status: 201, apply: (reply) => addCollection(world, { by, reply, body: step.body, parent }) };
  });
}

function addCollection(
  world: World,
  { by, reply, body, parent }: { by: Actor; reply: Reply; body: Body; parent?: Collection },
): void {
  const { tags, isPublic = false, ...rest } = body as Record<string, never>;
  const collection: Collection = {
    ...{ id: reply.body.data.id, user: userOf(by), createdAt: world.clock.now(), isGone: false },
    ...(rest as unknown as { name: string }),
    ...{ tags: storedTags(tags), isPublic, parent, items: [] },
  };
  assert.equal(reply.headers.get("location"), `/v1/collections/${collection.id}`);
  compareCollection(collection, reply, collection.user);
  world.records.collections.push(collection);
}

/** The items that a user sees: of another user's collection, only the public prompts. */
const visibleItems = ({ items, user }: Collection, viewer: User) =>
  user === viewer
    ? items
    : items.filter(({ itemType, record }) => itemType === "prompt" && (record as Prompt).isPublic);

function compareCollection(collection: Collection, reply: Reply, viewer: User): void {
  const { id, name, description, color, icon, isPublic, tags, workspaceId, createdAt, parent } = collection;
  const expected = {
    ...{ id, name, description, color, icon, isPublic, tags, workspaceId, createdAt },
    // Another user may not see the parent, so the specification does not say whether its id is sent.
    ...(viewer === collection.user && { parentCollectionId: parent?.id }),
    itemCount: visibleItems(collection, viewer).length,
  };
  compareMembers(reply.body.data, expected, "collection");
}

interface CollectionStep {
  by: Actor;
  collection: number;
}

function refusalFor(collection: Collection | undefined, by: Actor): Outcome | undefined {
  if (!collection || collection.isGone) return rejected(404);
  if (collection.user === userOf(by)) return undefined;
  return rejected(collection.isPublic ? 403 : 404);
}

export async function patchCollection(world: World, step: CollectionStep & { body: Body }): Promise<void> {
  const { by, body } = step;
  const collection = chosen(world.records.collections, step.collection);
  const path = `/v1/collections/${idOf(collection)}`;
  await exchange(world, { by, operation: "PATCH /v1/collections/{id}", path, body }, () => {
    if (!isValid(body)) return rejected(400);
    const refusal = refusalFor(collection, by);
    if (refusal) return refusal;
    return {
      status: 200,
      apply(reply) {
        const { tags, ...rest } = body as { tags?: string[] };
        Object.assign(collection!, rest, tags && { tags: storedTags(tags) });
        compareCollection(collection!, reply, userOf(by));
      },
    };
  });
}

export async function deleteCollection(world: World, { by, ...step }: CollectionStep): Promise<void> {
  const collection = chosen(world.records.collections, step.collection);
  const path = `/v1/collections/${idOf(collection)}`;
  await exchange(world, { by, operation: "DELETE /v1/collections/{id}", path }, () => {
    const refusal = refusalFor(collection, by);
    if (refusal) return refusal;
    if (collection!.items.length > 0) return rejected(409);
    return {
      status: 200,
      apply(reply) {
        assert.deepEqual(reply.body, { success: true, id: collection!.id });
        collection!.isGone = true;
        for (const child of world.records.collections)
          if (child.parent === collection) child.parent = undefined;
      },
    };
  });
}

/** Reads a collection and its items and compares them with the model. */
export async function readCollection(world: World, { by, ...step }: CollectionStep): Promise<void> {
  const collection = chosen(world.records.collections, step.collection);
  const refusal = refusalFor(collection, by);
  const isReadable = refusal === undefined || refusal.status === 403;
  const viewer = userOf(by);
  const path = `/v1/collections/${idOf(collection)}`;
  await exchange(world, { by, operation: "GET /v1/collections/{id}", path }, () =>
    isReadable
      ? { status: 200, apply: (reply) => compareCollection(collection!, reply, viewer) }
      : rejected(404),
  );
  const ask = { by, operation: "GET /v1/collections/{id}/items", path: `${path}/items?limit=100` };
  await exchange(world, ask, () =>
    isReadable
      ? { status: 200, apply: ({ body }) => compareItems(collection!, body.data, viewer) }
      : rejected(404),
  );
  const withContent = { ...ask, path: `${path}/items?includeContent=true` };
  await exchange(world, withContent, () =>
    isReadable
      ? { status: 200, apply: ({ body }) => compareContents(collection!, body.data, viewer) }
      : rejected(404),
  );
}

/** Items are listed by the time they were added, newest first; the order of those added together is not decided. */
function compareItems(collection: Collection, rows: Record<string, unknown>[], viewer: User): void {
  const items = visibleItems(collection, viewer);
  assert.equal(rows.length, items.length, "number of items");
  const times = rows.map(({ addedAt }) => addedAt as number);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
    "order of the items",
  );
  for (const { record, itemType, addedAt } of items) {
    const row = rows.find(({ itemId }) => itemId === record.id);
    const title = "title" in record ? record.title : record.fields.title;
    compareMembers(row ?? {}, { id: record.id, itemType, type: itemType, title, addedAt }, "item");
  }
}

function compareContents(collection: Collection, rows: Record<string, unknown>[], viewer: User): void {
  compareItems(collection, rows, viewer);
  for (const { record } of visibleItems(collection, viewer)) {
    const row = rows.find(({ itemId }) => itemId === record.id);
    assert.equal(row?.content, record.fields.content, "content of an item");
  }
}

export interface ItemsStep extends CollectionStep {
  action: "add" | "remove";
  itemType: ItemType;
  items: number[];
}

export async function changeItems(world: World, step: ItemsStep): Promise<void> {
  const { by, itemType, action } = step;
  const collection = chosen(world.records.collections, step.collection);
  const pool = itemType === "document" ? world.records.documents : world.records.prompts;
  const records = step.items.map((pick) => chosen<(typeof pool)[number]>(pool, pick));
  const path = `/v1/collections/${idOf(collection)}/items`;
  const operation = `${action === "add" ? "POST" : "PUT"} /v1/collections/{id}/items`;
  await exchange(world, { by, operation, path, body: { itemType, itemIds: records.map(idOf) } }, () => {
    const refusal = refusalFor(collection, by);
    const own = records.map((record) => ownOf(record, userOf(by)));
    const isMissing = own.includes(undefined);
    if (refusal) return isMissing ? { status: [refusal.status, 404].flat() } : refusal;
    if (isMissing) return rejected(404);
    const { items } = collection!;
    const unique = [...new Set(own)].flatMap((record) => record ?? []);
    const present = unique.filter((record) => items.some((item) => item.record === record));
    return {
      status: 200,
      apply({ body }) {
        if (action === "remove") {
          collection!.items = items.filter((item) => !unique.includes(item.record));
          assert.deepEqual(body, { data: { removed: present.length } });
          return;
        }
        const addedAt = world.clock.now();
        for (const record of unique) if (!present.includes(record)) items.push({ record, itemType, addedAt });
        const counts = { alreadyInCollection: present.length, alreadyPresent: present.length };
        assert.deepEqual(body, { data: { added: unique.length - present.length, ...counts } });
      },
    };
  });
}

export interface CollectionFilter {
  search?: string;
  tags?: string;
  workspace?: string;
}

export async function listCollections(
  world: World,
  { by, filter }: { by: Actor; filter: CollectionFilter },
): Promise<void> {
  const query = new URLSearchParams({ limit: "100", ...filter });
  const ask = { by, operation: "GET /v1/collections", path: `/v1/collections?${query}` };
  const { body } = await exchange(world, ask, () => ({ status: 200 }));
  const expected = world.records.collections
    .filter((collection) => ownOf(collection, userOf(by)) && hasTags(collection.tags, filter.tags))
    .filter(({ name, description }) =>
      [name, description].some((text) => contains(text, filter.search ?? "")),
    )
    .filter(({ workspaceId }) => filter.workspace === undefined || workspaceId === filter.workspace)
    .reverse();
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    expected.map(({ id }) => id),
    "ids of the list",
  );
  for (const [index, { name, description, color, icon, isPublic, tags, items }] of expected.entries()) {
    const item = { name, description, color, icon, isPublic, tags, itemCount: items.length };
    compareMembers(body.data[index], item, "list item");
  }
}
