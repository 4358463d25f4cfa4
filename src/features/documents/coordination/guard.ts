// What a canonical write must bring: in standard mode what it chose to send, in lease_required mode a revision, a key, and
// the lease with its fence. Checked in the transaction of the write: headers (428, 400), lease and fence (409), revision (412).

import type { HighWater } from "../../../db/high-water.ts";
import type { Write } from "../../../db/store.ts";
import { badRequest, reasoned } from "../../../kernel/errors.ts";
import { etagOf } from "../revision.ts";
import type { DocumentRow } from "../store.ts";
import { type LeaseClaim, requireLease } from "./lease.ts";
import { findCoordination } from "./store.ts";

/** The headers that speak of state, as the protocol read them. */
export interface WriteConditions {
  /** Entity tags of If-Match; "*" for any state. */
  ifMatch?: "*" | { tag: string; weak: boolean }[];
  idempotencyKey?: string;
  leaseId?: string;
  fence?: string;
}

const FENCE = /^(0|[1-9]\d*)$/;

/** Throws unless this caller may write this document now. */
export function guardWrite(
  write: Write,
  highWater: HighWater,
  row: DocumentRow,
  conditions: WriteConditions,
  expectedRevision: number | undefined,
): void {
  const coordination = findCoordination(write, row.id);
  if (coordination.policy === "lease_required") {
    const { ifMatch, idempotencyKey } = conditions;
    const tags = Array.isArray(ifMatch) ? ifMatch.length : 0;
    if (tags > 1 || (tags === 0 && expectedRevision === undefined)) {
      throw required("If-Match with one entity tag, or expectedRevision");
    }
    if (idempotencyKey === undefined) throw required("Idempotency-Key");
    requireLease(coordination, readClaim(conditions), highWater.now());
  }
  requireState(row, conditions.ifMatch, expectedRevision);
}

/** The lease a caller presents. Throws PRECONDITION_REQUIRED for a missing header, `bad-request` for a malformed fence. */
export function readClaim({ leaseId, fence }: WriteConditions): LeaseClaim {
  if (leaseId === undefined) throw required("X-Service-Lease-Id");
  if (fence === undefined) throw required("X-Service-Lease-Fence");
  if (!FENCE.test(fence)) {
    throw badRequest({ path: "X-Service-Lease-Fence", message: "must be a non-negative integer" });
  }
  return { leaseId, fence };
}

/** Throws REVISION_MISMATCH when If-Match or expectedRevision name another state than the current one. */
export function requireState(
  row: DocumentRow,
  ifMatch: WriteConditions["ifMatch"],
  expectedRevision: number | undefined,
): void {
  const etag = etagOf(row);
  // Weak tags never match here (RFC 9110, 13.1.1).
  const matches =
    ifMatch === undefined || ifMatch === "*" || ifMatch.some(({ tag, weak }) => !weak && tag === etag);
  if (matches && (expectedRevision === undefined || expectedRevision === row.revision)) return;
  throw reasoned(
    "precondition-failed",
    "REVISION_MISMATCH",
    "the document has changed: read it again and use its ETag",
  );
}

export function required(what: string): Error {
  return reasoned("precondition-required", "PRECONDITION_REQUIRED", `this request needs ${what}`);
}
