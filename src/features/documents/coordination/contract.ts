// The wire shapes of coordination.

import { type Static, Type } from "@sinclair/typebox";
import type { Identity } from "../../../auth/identity.ts";
import type { DocumentRow } from "../store.ts";
import { liveLease } from "./lease.ts";
import type { CoordinationRow } from "./store.ts";

export const emptyBody = Type.Object({}, { additionalProperties: false });

export const leaseBody = Type.Object({
  action: Type.Union(["acquire", "renew", "release"].map((action) => Type.Literal(action))),
  ttlMs: Type.Optional(Type.Integer({ minimum: 1_000, maximum: 3_600_000 })),
});
export type LeaseRequest = Static<typeof leaseBody>;

/** The state as everyone who may read the document sees it; the lease id only for the credential that holds it. */
export function coordinationToWire(
  coordination: CoordinationRow,
  row: DocumentRow,
  caller: Identity,
  now: number,
): Record<string, unknown> {
  const live = liveLease(coordination, now);
  const heldByCaller = live?.credentialId === caller.credentialId;
  return {
    documentId: row.id,
    policy: coordination.policy,
    fence: coordination.fence,
    lease: live
      ? {
          state: "held",
          heldByCaller,
          ...(heldByCaller && { leaseId: live.leaseId }),
          expiresAt: live.expiresAt,
        }
      : { state: "none" },
    revision: row.revision,
    currentVersion: row.revision,
    contentHash: row.contentHash,
  };
}

/** A lease as its holder gets it. */
export function leaseToWire({ documentId, fence, leaseId, leaseExpiresAt, leaseTtlMs }: CoordinationRow) {
  return { documentId, leaseId, fence, expiresAt: leaseExpiresAt, ttlMs: leaseTtlMs };
}

export function leaseHeaders({ fence, leaseId, leaseExpiresAt }: CoordinationRow): Record<string, string> {
  return {
    "X-Service-Lease-Id": String(leaseId),
    "X-Service-Lease-Fence": String(fence),
    "X-Service-Lease-Expires-At": new Date(leaseExpiresAt ?? 0).toISOString(),
  };
}
