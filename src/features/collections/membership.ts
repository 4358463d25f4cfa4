// Adding records to collections and removing them: for the operations on collections, and for new documents and
// prompts.

import { type Identity, requireScope } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { notFound } from "../../kernel/errors.ts";
import { countOwned, deleteItems, type ItemType, insertItem, touchCollection } from "./items/store.ts";

/** The scope that changing the items of a collection requires, whichever operation does it. */
const MEMBERSHIP_SCOPE = { anyOf: ["documents.write"] } as const;

/** A record and the collections that it is added to. */
export interface NewMemberships {
  itemType: ItemType;
  itemId: string;
  collectionIds: readonly string[];
}

/** Records of one kind, and the collection that they are added to or removed from. */
export interface ItemChange {
  collectionId: string;
  itemType: ItemType;
  itemIds: readonly string[];
}

/**
 * Adds a new record to the caller's collections and records their activity. Duplicate ids count once. Throws
 * `forbidden` without the scope that changes memberships, and `not-found` unless all collections exist and belong to
 * the caller; the write must then be rolled back.
 */
export function addToCollections(
  write: Write,
  caller: Identity,
  { itemType, itemId, collectionIds }: NewMemberships,
): void {
  if (collectionIds.length > 0) requireScope(caller, MEMBERSHIP_SCOPE);
  for (const collectionId of new Set(collectionIds)) {
    if (!touchCollection(write, collectionId, caller.userId)) throw notFound("collection");
    insertItem(write, collectionId, { itemType, itemId, addedBy: caller.userId });
  }
}

/**
 * Adds the caller's records to one of the caller's collections, in the given order, and returns how many were added and
 * how many were in it already. Duplicate ids count once. Throws `not-found`, before anything is written, unless all
 * records exist and belong to the caller.
 */
export function addItems(
  write: Write,
  caller: Identity,
  { collectionId, itemType, itemIds }: ItemChange,
): { added: number; alreadyPresent: number } {
  const distinct = requireOwned(write, caller, { itemType, itemIds });
  const added = distinct.filter((itemId) =>
    insertItem(write, collectionId, { itemType, itemId, addedBy: caller.userId }),
  ).length;
  if (added > 0) touchCollection(write, collectionId);
  return { added, alreadyPresent: distinct.length - added };
}

/**
 * Removes the caller's records from one of the caller's collections; returns how many it contained. Throws as addItems
 * does.
 */
export function removeItems(
  write: Write,
  caller: Identity,
  { collectionId, itemType, itemIds }: ItemChange,
): number {
  const distinct = requireOwned(write, caller, { itemType, itemIds });
  const removed = deleteItems(write, collectionId, { itemType, itemIds: distinct });
  if (removed > 0) touchCollection(write, collectionId);
  return removed;
}

/** The ids without duplicates. Throws `not-found` unless all records exist and belong to the caller. */
function requireOwned(
  write: Write,
  caller: Identity,
  { itemType, itemIds }: Pick<ItemChange, "itemType" | "itemIds">,
): string[] {
  const distinct = [...new Set(itemIds)];
  if (countOwned(write, caller.userId, { itemType, itemIds: distinct }) < distinct.length) {
    throw notFound(itemType);
  }
  return distinct;
}
