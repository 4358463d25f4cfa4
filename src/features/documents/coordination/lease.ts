// Leases: at most one per document at a time, with a fence number that only increases. A lease expires at `expiresAt`
// and cannot become active again, because times are read from the high-water clock, which never goes back.

import type { HighWater } from "../../../db/high-water.ts";
import type { Write } from "../../../db/store.ts";
import { Failure, failureWithReason } from "../../../kernel/errors.ts";
import { type CoordinationRow, putCoordination } from "./store.ts";

/** A lease that has not expired. */
export interface Lease {
  leaseId: string;
  credentialId: string;
  expiresAt: number;
  ttlMs: number;
}

/** What a caller sends to prove that it holds a lease. */
export interface LeaseClaim {
  leaseId: string;
  /** As it was sent: an integer with any number of digits. */
  fence: string;
}

/** The lifetime of a lease if the client requests none. */
export const DEFAULT_TTL_MS = 60_000;

/** The lease that is active at `now`, or undefined. */
export function activeLease(row: CoordinationRow, now: number): Lease | undefined {
  const { leaseId, leaseCredential, leaseExpiresAt, leaseTtlMs } = row;
  if (leaseId === null || leaseCredential === null || leaseExpiresAt === null || leaseTtlMs === null)
    return undefined;
  if (now >= leaseExpiresAt) return undefined;
  return { leaseId, credentialId: leaseCredential, expiresAt: leaseExpiresAt, ttlMs: leaseTtlMs };
}

/** The active lease. Throws FENCE_MISMATCH or LEASE_CONFLICT unless the claim matches it. */
export function requireLease(row: CoordinationRow, claim: LeaseClaim, now: number): Lease {
  if (claim.fence !== String(row.fence)) {
    throw failureWithReason(
      "conflict",
      "FENCE_MISMATCH",
      "this is not the current fence: read the coordination state again",
    );
  }
  const active = activeLease(row, now);
  if (!active || active.leaseId !== claim.leaseId)
    throw leaseConflict("this lease is not active: acquire a new one");
  return active;
}

/** Creates a lease and increases the fence. Throws LEASE_CONFLICT in standard mode and while any lease is active. */
export function acquireLease(
  write: Write,
  row: CoordinationRow,
  { highWater, credentialId, ttlMs }: { highWater: HighWater; credentialId: string; ttlMs: number },
): CoordinationRow {
  if (row.policy === "standard") {
    throw leaseConflict("coordination is not enabled for this document", { policy: row.policy });
  }
  const now = highWater.now();
  if (activeLease(row, now)) throw leaseConflict("another lease is active");
  return putLease(write, highWater, {
    ...row,
    fence: row.fence + 1,
    leaseId: write.newId(),
    leaseCredential: credentialId,
    leaseExpiresAt: now + ttlMs,
    leaseTtlMs: ttlMs,
  });
}

/**
 * Moves the expiry to now + `ttlMs` (default: that of the lease). The fence is unchanged. Throws as requireLease does.
 */
export function renewLease(
  write: Write,
  row: CoordinationRow,
  { highWater, claim, ttlMs }: { highWater: HighWater; claim: LeaseClaim; ttlMs?: number },
): CoordinationRow {
  const now = highWater.now();
  const active = requireLease(row, claim, now);
  const ttl = ttlMs ?? active.ttlMs;
  return putLease(write, highWater, { ...row, leaseExpiresAt: now + ttl, leaseTtlMs: ttl });
}

/** Ends the claimed lease. The fence is unchanged. Throws as requireLease does. */
export function releaseLease(
  write: Write,
  row: CoordinationRow,
  { highWater, claim }: { highWater: HighWater; claim: LeaseClaim },
): CoordinationRow {
  requireLease(row, claim, highWater.now());
  return endLease(write, highWater, row);
}

/** Removes the lease, active or expired. */
export function endLease(write: Write, highWater: HighWater, row: CoordinationRow): CoordinationRow {
  return putLease(write, highWater, {
    ...row,
    leaseId: null,
    leaseCredential: null,
    leaseExpiresAt: null,
    leaseTtlMs: null,
  });
}

/** A 409 with reason LEASE_CONFLICT, and with further details. */
export function leaseConflict(message: string, details: object = {}): Failure {
  const reason = "LEASE_CONFLICT";
  return new Failure("conflict", `${reason}: ${message}`, { details: { reason, ...details } });
}

/**
 * Stores the high-water mark with every write of a lease, so that the lease clock does not decrease after a restart.
 */
function putLease(write: Write, highWater: HighWater, row: CoordinationRow): CoordinationRow {
  putCoordination(write, row);
  highWater.mark(write);
  return row;
}
