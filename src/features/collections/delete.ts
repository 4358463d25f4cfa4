// Deletes a collection that is empty.

import type { Write } from "../../db/store.ts";
import { Failure } from "../../kernel/errors.ts";
import { countItems } from "./items/store.ts";
import { deleteCollectionRow } from "./store.ts";

/** Throws `conflict` while there are items: deleting a collection never lets go of records by the way. */
export function deleteCollection(write: Write, id: string): void {
  const { documentCount, promptCount } = countItems(write, id, false);
  const items = documentCount + promptCount;
  if (items > 0) throw new Failure("conflict", `the collection still has ${items} items: remove them first`);
  deleteCollectionRow(write, id);
}
