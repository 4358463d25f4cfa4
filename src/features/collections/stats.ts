// Statistics of a collection.

import type { Identity } from "../../auth/identity.ts";
import { seesPublicOnly } from "./access.ts";
import { countItems, listContributions } from "./items/store.ts";
import type { TableReader } from "../../db/store.ts";
import type { CollectionRow } from "./store.ts";

const MAX_CONTRIBUTORS = 5;

/** Numbers of members, and the users who added most of them. */
export interface CollectionStats {
  totalItems: number;
  documentCount: number;
  promptCount: number;
  topContributors: { userId: string; name: string; count: number }[];
}

/**
 * Statistics of the members that the caller sees. Contributors without a name are listed by e-mail address, and to
 * other users than the owner by id, because a public collection must not reveal addresses.
 */
export function statsFor(reader: TableReader, caller: Identity, row: CollectionRow): CollectionStats {
  const publicOnly = seesPublicOnly(caller, row);
  const { documentCount, promptCount } = countItems(reader, row.id, publicOnly);
  const topContributors = listContributions(reader, row.id, { publicOnly, limit: MAX_CONTRIBUTORS }).map(
    ({ userId, name, email, count }) => ({ userId, name: name ?? (publicOnly ? userId : email), count }),
  );
  return { totalItems: documentCount + promptCount, documentCount, promptCount, topContributors };
}
