// Puts imported records into collections: the one that was chosen, and those of an exported folder. Must run in a
// browser, too.

import { LIMITS } from "../kernel/limits.ts";
import { dataOf, type Requests } from "../requests/reply.ts";
import { walk } from "../requests/walk.ts";
import type { ExportedCollection, ExportIndex } from "./export-layout.ts";
import type { RecordKind } from "./record.ts";

/** A record in a collection. */
export interface Item {
  id: string;
  kind: RecordKind;
}

/** The id of the user's collection of this name; the oldest, if there are several. It is created if there is none. */
export async function collectionNamed(client: Requests, name: string): Promise<string> {
  let id: string | undefined;
  for await (const collection of walk(client, "/v1/collections", { query: { search: name } })) {
    if (collection.name === name) id = collection.id;
  }
  return id ?? dataOf(await client.request("POST", "/v1/collections", { body: { name } })).id;
}

/** Adds records in their order; those that are already in the collection stay where they are. */
export const addItems = (client: Requests, collectionId: string, items: readonly Item[]): Promise<void> =>
  changeItems({ client, method: "POST", collectionId }, items);

/** Takes records out of a collection. */
export const removeItems = (client: Requests, collectionId: string, items: readonly Item[]): Promise<void> =>
  changeItems({ client, method: "PUT", collectionId }, items);

interface ItemsChange {
  client: Requests;
  method: "POST" | "PUT";
  collectionId: string;
}

async function changeItems({ client, method, collectionId }: ItemsChange, items: readonly Item[]) {
  let start = 0;
  while (start < items.length) {
    const { kind } = items[start]!;
    let end = start;
    while (end < items.length && items[end]!.kind === kind && end - start < LIMITS.collection.itemIds) end++;
    const itemIds = items.slice(start, end).map(({ id }) => id);
    const body = { itemIds, itemType: kind };
    dataOf(await client.request(method, `/v1/collections/${collectionId}/items`, { body }));
    start = end;
  }
}

/**
 * Restores the collections of an exported folder with their items; `itemOf` returns the record of a file by its path in
 * the folder. A collection that exists, by its id or by its name and parent, is used as it is.
 */
export async function restoreCollections(
  client: Requests,
  index: ExportIndex,
  itemOf: (path: string) => Item | undefined,
): Promise<void> {
  const existing = await existingCollections(client);
  /** New ids by those in the index. */
  const ids = new Map<string, string>();
  for (const collection of parentsFirst(index.collections)) {
    const id = await collectionOf(client, collection, { ids, existing });
    ids.set(collection.id, id);
    await addItems(
      client,
      id,
      collection.items.flatMap((path) => itemOf(path) ?? []),
    );
  }
}

interface Existing {
  byId: Set<string>;
  byName: Map<string, string>;
}

const nameKey = (name: string, parent: string | undefined) => JSON.stringify([parent ?? null, name]);

async function existingCollections(client: Requests): Promise<Existing> {
  const existing: Existing = { byId: new Set(), byName: new Map() };
  for await (const { id } of walk(client, "/v1/collections")) {
    const { name, parentCollectionId } = dataOf(await client.request("GET", `/v1/collections/${id}`));
    existing.byId.add(id);
    existing.byName.set(nameKey(name, parentCollectionId), id);
  }
  return existing;
}

async function collectionOf(
  client: Requests,
  { id, parent, items: _, ...fields }: ExportedCollection,
  { ids, existing }: { ids: Map<string, string>; existing: Existing },
): Promise<string> {
  if (existing.byId.has(id)) return id;
  const parentCollectionId = parent === undefined ? undefined : ids.get(parent);
  const found = existing.byName.get(nameKey(fields.name, parentCollectionId));
  if (found !== undefined) return found;
  const body = { ...fields, parentCollectionId };
  return dataOf(await client.request("POST", "/v1/collections", { body })).id;
}

/**
 * The collections with each parent before its children. One whose parent is missing or is its own descendant comes
 * last.
 */
function parentsFirst(collections: readonly ExportedCollection[]): ExportedCollection[] {
  const ids = new Set(collections.map(({ id }) => id));
  const children = Map.groupBy(collections, ({ parent }) => parent);
  const sorted = new Set<ExportedCollection>(children.get(undefined));
  for (const collection of collections) {
    if (collection.parent !== undefined && !ids.has(collection.parent)) sorted.add(collection);
  }
  // A set is iterated with what is added meanwhile, each once.
  for (const { id } of sorted) for (const child of children.get(id) ?? []) sorted.add(child);
  for (const collection of collections) sorted.add(collection);
  return [...sorted];
}
