// Putting records into collections and taking them out: used by the collections' own routes, and by documents and
// prompts when they are made.

import { type Identity, requireScope } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { notFound } from "../../kernel/errors.ts";
import { countOwned, deleteItems, type ItemType, insertItem, touchCollection } from "./items/store.ts";

/** What changing the items of a collection requires, whichever operation does it. */
const MEMBERSHIP_SCOPE = { anyOf: ["documents.write"] } as const;

export interface Item {
  itemType: ItemType;
  itemId: string;
}

/**
 * Adds one new record to the caller's collections and marks their activity. Duplicates in the list count once.
 * Throws `forbidden` without the scope that changes memberships, and `not-found` unless all collections exist and are the
 * caller's. In both cases the caller's write, and so the new record, must be rolled back.
 */
export function addToCollections(
  write: Write,
  caller: Identity,
  collectionIds: readonly string[],
  item: Item,
): void {
  if (collectionIds.length > 0) requireScope(caller, MEMBERSHIP_SCOPE);
  for (const collectionId of new Set(collectionIds)) {
    if (!touchCollection(write, collectionId, caller.userId)) throw notFound("collection");
    insertItem(write, collectionId, { ...item, addedBy: caller.userId });
  }
}

/**
 * Adds the caller's records to one of their collections, in the order given; tells how many are new in it. Duplicates
 * count once. Throws `not-found`, and with it nothing is written, unless all of them exist and are the caller's.
 */
export function addItems(
  write: Write,
  caller: Identity,
  collectionId: string,
  itemType: Item["itemType"],
  itemIds: readonly string[],
): { added: number; alreadyPresent: number } {
  const distinct = requireOwn(write, caller, itemType, itemIds);
  const added = distinct.filter((itemId) =>
    insertItem(write, collectionId, { itemType, itemId, addedBy: caller.userId }),
  ).length;
  if (added > 0) touchCollection(write, collectionId);
  return { added, alreadyPresent: distinct.length - added };
}

/** Takes the caller's records out of one of their collections; tells how many were in it. Throws as `addItems` does. */
export function removeItems(
  write: Write,
  caller: Identity,
  collectionId: string,
  itemType: Item["itemType"],
  itemIds: readonly string[],
): number {
  const distinct = requireOwn(write, caller, itemType, itemIds);
  const removed = deleteItems(write, collectionId, { itemType, itemIds: distinct });
  if (removed > 0) touchCollection(write, collectionId);
  return removed;
}

/** The ids without duplicates. Throws `not-found` unless all of these records exist and are the caller's. */
function requireOwn(
  write: Write,
  caller: Identity,
  itemType: Item["itemType"],
  itemIds: readonly string[],
): string[] {
  const distinct = [...new Set(itemIds)];
  if (countOwned(write, caller.userId, { itemType, itemIds: distinct }) < distinct.length) {
    throw notFound(itemType);
  }
  return distinct;
}
