// Deletes an empty collection.

import type { Write } from "../../db/store.ts";
import { Failure } from "../../kernel/errors.ts";
import { countItems } from "./items/store.ts";
import { deleteCollectionRow } from "./store.ts";

/** Throws `conflict` while the collection has items. */
export function deleteCollection(write: Write, id: string): void {
  const { documentCount, promptCount } = countItems(write, id, false);
  const items = documentCount + promptCount;
  const counted = items === 1 ? "1 item" : `${items} items`;
  if (items > 0) throw new Failure("conflict", `the collection still has ${counted}: remove them first`);
  deleteCollectionRow(write, id);
}
