// The numbers of a collection that people are shown, not machines.

import type { Identity } from "../../auth/identity.ts";
import { seesPublicOnly } from "./access.ts";
import { countItems, listContributions } from "./items/store.ts";
import type { CollectionRow, Reader } from "./store.ts";

const TOP_CONTRIBUTORS = 5;

export interface CollectionStats {
  totalItems: number;
  documentCount: number;
  promptCount: number;
  topContributors: { userId: string; name: string; count: number }[];
}

/**
 * Of the members that the caller sees. Contributors are named as in histories, by name or e-mail; other users see the id
 * in place of an e-mail, which a public collection does not make public.
 */
export function statsFor(reader: Reader, caller: Identity, row: CollectionRow): CollectionStats {
  const publicOnly = seesPublicOnly(caller, row);
  const { documentCount, promptCount } = countItems(reader, row.id, publicOnly);
  const topContributors = listContributions(reader, row.id, { publicOnly, limit: TOP_CONTRIBUTORS }).map(
    ({ userId, name, email, count }) => ({ userId, name: name ?? (publicOnly ? userId : email), count }),
  );
  return { totalItems: documentCount + promptCount, documentCount, promptCount, topContributors };
}
