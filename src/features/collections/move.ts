// Moves a collection into another one. The API sets the parent only at creation; the console moves collections.

import type { Write } from "../../db/store.ts";
import { badRequest, notFound } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { childIdsOf, type CollectionRow, findCollection, updateCollection } from "./store.ts";

/**
 * Makes another collection of the same user the parent; null for the top level. Throws `not-found` if that does not
 * exist, and `bad-request` if it is in the moved one, or if collections would be nested too deep.
 */
export function moveCollection(write: Write, row: CollectionRow, parentId: string | null): void {
  if (parentId === row.parentCollectionId) return;
  const { depth: maxDepth } = LIMITS.collection;
  const reject = (message: string) => badRequest({ path: "parentId", message });
  let above = 0;
  for (let id = parentId; id !== null; above++) {
    if (id === row.id) throw reject("a collection cannot be inside itself");
    const parent = findCollection(write, id);
    if (parent?.userId !== row.userId) throw notFound("parent collection");
    if (above === maxDepth) throw reject(`collections can be nested ${maxDepth} deep`);
    id = parent.parentCollectionId;
  }
  let below = 0;
  // At the top level, nothing is nested deeper than before.
  for (let ids = parentId === null ? [] : [row.id]; ids.length > 0; below++) {
    if (above + below === maxDepth) throw reject(`collections can be nested ${maxDepth} deep`);
    ids = childIdsOf(write, ids);
  }
  const moved = { parentCollectionId: parentId, lastActivityAt: write.now, updatedAt: write.now };
  updateCollection(write, { ...row, ...moved });
}
