// Which documents a caller may see: their own.

import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import { notFound } from "../../kernel/errors.ts";
import { type DocumentRow, findDocument } from "./store.ts";

/** The caller's document of this id. Throws `not-found`, also for another user's document. */
export function ownDocument(reader: Pick<Store, "tables">, caller: Identity, id: string): DocumentRow {
  const row = findDocument(reader, id);
  if (!row || row.userId !== caller.userId) throw notFound("document");
  return row;
}
