// Which collections a caller may see (their own and public ones) and change (their own), and which members they see.

import type { Identity } from "../../auth/identity.ts";
import { Failure, notFound } from "../../kernel/errors.ts";
import { countItems } from "./items/store.ts";
import type { TableReader } from "../../db/store.ts";
import { type CollectionRow, findCollection } from "./store.ts";

/** A collection that the caller may see. Throws `not-found`. */
export function visibleCollection(reader: TableReader, caller: Identity, id: string): CollectionRow {
  const row = findCollection(reader, id);
  if (!row || (row.userId !== caller.userId && !row.isPublic)) throw notFound("collection");
  return row;
}

/** A collection that the caller may change. Throws `not-found`, or `forbidden` for another user's public one. */
export function ownCollection(reader: TableReader, caller: Identity, id: string): CollectionRow {
  const row = visibleCollection(reader, caller, id);
  if (row.userId !== caller.userId) throw new Failure("forbidden", "this collection belongs to another user");
  return row;
}

/** Whether the caller sees only the public prompts in a visible collection: it belongs to another user. */
export function seesPublicOnly(caller: Identity, row: CollectionRow): boolean {
  return row.userId !== caller.userId;
}

/** The number of members that the caller sees. */
export function itemCountFor(reader: TableReader, caller: Identity, row: CollectionRow): number {
  const { documentCount, promptCount } = countItems(reader, row.id, seesPublicOnly(caller, row));
  return documentCount + promptCount;
}

/** A visible collection, without the id of its parent if the caller may not see that. */
export function asSeenBy(reader: TableReader, caller: Identity, row: CollectionRow): CollectionRow {
  if (row.userId === caller.userId || row.parentCollectionId === null) return row;
  const isParentPublic = findCollection(reader, row.parentCollectionId)?.isPublic ?? false;
  return isParentPublic ? row : { ...row, parentCollectionId: null };
}
