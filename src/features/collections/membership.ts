// Putting records into collections and taking them out: used by the collections' own routes, and by documents and
// prompts when they are made.

import type { Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { notFound } from "../../kernel/errors.ts";

export interface Item {
  itemType: "document" | "prompt";
  itemId: string;
}

/**
 * Adds one new record to the caller's collections and marks their activity. Duplicates in the list count once.
 * Throws `not-found`, and with it nothing is written, unless all of them exist and are the caller's.
 */
export function addToCollections(
  write: Write,
  caller: Identity,
  collectionIds: readonly string[],
  item: Item,
): void {
  for (const collectionId of new Set(collectionIds)) {
    const touched = write.sql
      .query("UPDATE collections SET last_activity_at = ? WHERE id = ? AND user_id = ?")
      .run(write.now, collectionId, caller.userId);
    if (touched.changes === 0) throw notFound("collection");
    insertItem(write, caller, collectionId, item);
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
    insertItem(write, caller, collectionId, { itemType, itemId }),
  ).length;
  if (added > 0) touch(write, collectionId);
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
  const { changes } = write.sql
    .query(
      `DELETE FROM collection_items
       WHERE collection_id = ? AND ${itemType}_id IN (SELECT value FROM json_each(?))`,
    )
    .run(collectionId, JSON.stringify(distinct));
  if (changes > 0) touch(write, collectionId);
  return changes;
}

function requireOwn(
  { sql }: Write,
  caller: Identity,
  itemType: Item["itemType"],
  itemIds: readonly string[],
): string[] {
  const distinct = [...new Set(itemIds)];
  const { found } = sql
    .query<{ found: number }, [string, string]>(
      `SELECT count(*) AS found FROM ${itemType}s
       WHERE user_id = ? AND id IN (SELECT value FROM json_each(?))`,
    )
    .get(caller.userId, JSON.stringify(distinct))!;
  if (found < distinct.length) throw notFound(itemType);
  return distinct;
}

/** False when it is in the collection already. */
function insertItem(
  { sql, now, newId }: Write,
  caller: Identity,
  collectionId: string,
  { itemType, itemId }: Item,
): boolean {
  const { changes } = sql
    .query(
      `INSERT INTO collection_items (id, collection_id, ${itemType}_id, added_by, added_at)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    )
    .run(newId(), collectionId, itemId, caller.userId, now);
  return changes > 0;
}

function touch({ sql, now }: Write, collectionId: string): void {
  sql.query("UPDATE collections SET last_activity_at = ? WHERE id = ?").run(now, collectionId);
}
