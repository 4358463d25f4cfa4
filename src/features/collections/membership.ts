// Putting records into collections: used by the collections' own routes, and by documents and prompts when they are made.

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
  { sql, now, newId }: Write,
  caller: Identity,
  collectionIds: readonly string[],
  { itemType, itemId }: Item,
): void {
  for (const collectionId of new Set(collectionIds)) {
    const touched = sql
      .query("UPDATE collections SET last_activity_at = ? WHERE id = ? AND user_id = ?")
      .run(now, collectionId, caller.userId);
    if (touched.changes === 0) throw notFound("collection");
    sql
      .query(
        `INSERT OR IGNORE INTO collection_items (id, collection_id, document_id, prompt_id, added_by, added_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(
        newId(),
        collectionId,
        itemType === "document" ? itemId : null,
        itemType === "prompt" ? itemId : null,
        caller.userId,
        now,
      );
  }
}
