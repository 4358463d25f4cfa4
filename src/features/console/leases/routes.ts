// Operation of /console/api: who holds the lease of a document. The public API does not say whose lease it is.

import { listKeys } from "../../../auth/keys.ts";
import type { HighWater } from "../../../db/high-water.ts";
import type { Store } from "../../../db/store.ts";
import { operationOf } from "../../../http/operation.ts";
import { ownDocument } from "../../documents/access.ts";
import { activeLease } from "../../documents/coordination/lease.ts";
import { findCoordination } from "../../documents/coordination/store.ts";
import { common } from "../contract.ts";
import type { HeldLease } from "../replies.ts";

/** What this operation needs. */
export interface LeasesDeps {
  store: Store;
  highWater: HighWater;
}

const declare = operationOf<LeasesDeps>();

export const leasesApi = [
  declare({
    ...common,
    name: "console.leases.get",
    method: "GET",
    path: "/console/api/documents/:id/lease",
    summary: "Report who holds the lease of a document, and until when",
    requires: { anyOf: ["documents.read"] },
    handle({ caller, id }, { store, highWater }) {
      ownDocument(store, caller, id);
      const lease = activeLease(findCoordination(store, id), highWater.now());
      if (!lease) return { status: 200, body: { data: null } };
      const { credentialId, expiresAt } = lease;
      const key = listKeys(store).find((one) => one.id === credentialId);
      const held: HeldLease = {
        isOwn: credentialId === caller.credentialId,
        isKey: key !== undefined,
        keyName: key?.name ?? null,
        expiresAt,
      };
      return { status: 200, body: { data: held } };
    },
  }),
];
