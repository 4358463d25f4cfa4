// Puts imported records into collections: the one that was named, and those of an exported folder.

import { join } from "node:path";
import { LIMITS } from "../../kernel/limits.ts";
import { dataOf } from "../api-data.ts";
import { type ExportedCollection, readExportIndex } from "../files/export-layout.ts";
import { walk } from "../walk.ts";
import type { ImportClient, KnownRecords } from "./known.ts";
import type { RecordKind } from "./record.ts";

/** A record to add. */
interface Item {
  id: string;
  kind: RecordKind;
}

/** The id of the user's collection of this name; the oldest, if there are several. It is created if there is none. */
export async function collectionNamed(client: ImportClient, name: string): Promise<string> {
  let id: string | undefined;
  for await (const collection of walk(client, "/v1/collections", { query: { search: name } })) {
    if (collection.name === name) id = collection.id;
  }
  return id ?? dataOf(await client.request("POST", "/v1/collections", { body: { name } })).id;
}

/** Adds records in their order; those that are already in the collection stay where they are. */
export async function addItems(
  client: ImportClient,
  collectionId: string,
  items: readonly Item[],
): Promise<void> {
  let start = 0;
  while (start < items.length) {
    const { kind } = items[start]!;
    let end = start;
    while (end < items.length && items[end]!.kind === kind && end - start < LIMITS.collection.itemIds) end++;
    const itemIds = items.slice(start, end).map(({ id }) => id);
    const body = { itemIds, itemType: kind };
    dataOf(await client.request("POST", `/v1/collections/${collectionId}/items`, { body }));
    start = end;
  }
}

/**
 * Restores the collections of an exported folder with their items; `idOf` returns the record of a file. A collection that exists, by its id or by its name and
 * parent, is used as it is. Does nothing for other folders.
 */
export async function restoreCollections(
  client: ImportClient,
  folder: string,
  { idOf, known }: { idOf: (path: string) => string | undefined; known: KnownRecords },
): Promise<void> {
  const index = readExportIndex(folder);
  if (!index) return;
  const existing = await existingCollections(client);
  /** New ids by those in the index. */
  const ids = new Map<string, string>();
  for (const collection of parentsFirst(index.collections)) {
    const id = await collectionOf(client, collection, { ids, existing });
    ids.set(collection.id, id);
    const items = collection.items.flatMap((path): Item[] => {
      const itemId = idOf(join(folder, path));
      const kind = itemId === undefined ? undefined : known.kinds.get(itemId);
      return itemId === undefined || kind === undefined ? [] : [{ id: itemId, kind }];
    });
    await addItems(client, id, items);
  }
}

interface Existing {
  byId: Set<string>;
  byName: Map<string, string>;
}

const nameKey = (name: string, parent: string | undefined) => JSON.stringify([parent ?? null, name]);

async function existingCollections(client: ImportClient): Promise<Existing> {
  const existing: Existing = { byId: new Set(), byName: new Map() };
  for await (const { id } of walk(client, "/v1/collections")) {
    const { name, parentCollectionId } = dataOf(await client.request("GET", `/v1/collections/${id}`));
    existing.byId.add(id);
    existing.byName.set(nameKey(name, parentCollectionId), id);
  }
  return existing;
}

async function collectionOf(
  client: ImportClient,
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

/** The collections with each parent before its children. One whose parent is missing or is its own descendant comes last. */
function parentsFirst(collections: readonly ExportedCollection[]): ExportedCollection[] {
  const sorted: ExportedCollection[] = [];
  const done = new Set<string>();
  let waiting = [...collections];
  while (waiting.length > 0) {
    const ready = waiting.filter(({ parent }) => parent === undefined || done.has(parent));
    const next = ready.length > 0 ? ready : waiting;
    for (const collection of next) done.add(collection.id);
    sorted.push(...next);
    waiting = waiting.filter((collection) => !next.includes(collection));
  }
  return sorted;
}
