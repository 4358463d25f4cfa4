// Preconditions of a write to a document. In standard mode only those that were sent are checked; lease_required also
// requires a revision, an idempotency key, a lease and a fence. Order of the checks: presence, lease and fence,
// revision.

import type { Write } from "../../../db/store.ts";
import { badRequest, failureWithReason } from "../../../kernel/errors.ts";
import type { WriteConditions } from "../../../kernel/write-conditions.ts";
import { etagOf } from "../revision.ts";
import type { DocumentRow } from "../store.ts";
import { CONDITION_NAMES } from "./contract.ts";
import { type LeaseClaim, requireLease } from "./lease.ts";
import { findCoordination } from "./store.ts";

const FENCE = /^(0|[1-9]\d*)$/;

/** What a write is checked against. */
export interface WriteCheck {
  conditions: WriteConditions;
  expectedRevision?: number;
  /** The time of the lease clock, epoch ms. */
  now: number;
}

/**
 * Throws unless a write with these conditions may change this document now: PRECONDITION_REQUIRED, FENCE_MISMATCH,
 * LEASE_CONFLICT or REVISION_MISMATCH. Must run in the transaction of the write.
 */
export function guardWrite(
  write: Write,
  row: DocumentRow,
  { conditions, expectedRevision, now }: WriteCheck,
): void {
  const coordination = findCoordination(write, row.id);
  if (coordination.policy === "lease_required") {
    const { ifMatch, idempotencyKey } = conditions;
    const tags = Array.isArray(ifMatch) ? ifMatch.length : 0;
    if (tags > 1 || (tags === 0 && expectedRevision === undefined)) {
      throw preconditionRequired(CONDITION_NAMES.oneRevision);
    }
    if (idempotencyKey === undefined) throw preconditionRequired(CONDITION_NAMES.idempotencyKey);
    requireLease(coordination, readClaim(conditions), now);
  }
  requireState(row, { ifMatch: conditions.ifMatch, expectedRevision });
}

/**
 * The lease that a caller claims to hold. Throws PRECONDITION_REQUIRED if id or fence is missing, `bad-request` for a
 * malformed fence.
 */
export function readClaim({ leaseId, fence }: WriteConditions): LeaseClaim {
  if (leaseId === undefined) throw preconditionRequired(CONDITION_NAMES.leaseId);
  if (fence === undefined) throw preconditionRequired(CONDITION_NAMES.fence);
  if (!FENCE.test(fence)) {
    throw badRequest({ path: CONDITION_NAMES.fence, message: "must be a non-negative integer" });
  }
  return { leaseId, fence };
}

/** Throws REVISION_MISMATCH if the ETags or the expected revision are not those of the current state. */
export function requireState(
  row: DocumentRow,
  { ifMatch, expectedRevision }: Pick<WriteConditions, "ifMatch"> & { expectedRevision?: number },
): void {
  const etag = etagOf(row);
  // Weak tags never match here (RFC 9110, 13.1.1).
  const matches =
    ifMatch === undefined || ifMatch === "*" || ifMatch.some(({ tag, weak }) => !weak && tag === etag);
  if (matches && (expectedRevision === undefined || expectedRevision === row.revision)) return;
  throw failureWithReason(
    "precondition-failed",
    "REVISION_MISMATCH",
    "the document has changed: read it again and use its ETag",
  );
}

/** The failure PRECONDITION_REQUIRED; `what` is a value of CONDITION_NAMES. */
export function preconditionRequired(what: string): Error {
  return failureWithReason("precondition-required", "PRECONDITION_REQUIRED", `this request needs ${what}`);
}
