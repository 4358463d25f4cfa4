// How much of a caller's records cannot be found yet.

import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import { countPending } from "../../jobs/owners.ts";

/** `meta.pending`: the number of the caller's records that are not completely indexed; undefined if there are none. */
export function pendingOf(store: Pick<Store, "sql">, { userId }: Identity): number | undefined {
  return countPending(store, userId) || undefined;
}
