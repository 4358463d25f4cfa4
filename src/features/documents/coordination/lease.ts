// Leases: at most one for a document at a time, told apart by fence numbers that only rise. A lease is dead from its expiry
// on, for ever; time is the high-water clock, which no step of the wall clock can turn back.

import type { HighWater } from "../../../db/high-water.ts";
import type { Write } from "../../../db/store.ts";
import { reasoned } from "../../../kernel/errors.ts";
import { type CoordinationRow, putCoordination } from "./store.ts";

export interface Lease {
  leaseId: string;
  credentialId: string;
  expiresAt: number;
  ttlMs: number;
}

/** What a caller presents: the id of its lease and the fence it was given. */
export interface LeaseClaim {
  leaseId: string;
  /** As it was sent, a plain integer of any length. */
  fence: string;
}

export const DEFAULT_TTL_MS = 60_000;

/** The lease that is alive at `now`, or undefined. */
export function liveLease(row: CoordinationRow, now: number): Lease | undefined {
  const { leaseId, leaseCredential, leaseExpiresAt, leaseTtlMs } = row;
  if (leaseId === null || leaseCredential === null || leaseExpiresAt === null || leaseTtlMs === null)
    return undefined;
  if (now >= leaseExpiresAt) return undefined;
  return { leaseId, credentialId: leaseCredential, expiresAt: leaseExpiresAt, ttlMs: leaseTtlMs };
}

/** Throws FENCE_MISMATCH or LEASE_CONFLICT unless the claim is that of the live lease, which it returns. */
export function requireLease(row: CoordinationRow, claim: LeaseClaim, now: number): Lease {
  if (claim.fence !== String(row.fence)) {
    throw reasoned(
      "conflict",
      "FENCE_MISMATCH",
      "this fence is not the current one: read the coordination state again",
    );
  }
  const live = liveLease(row, now);
  if (!live || live.leaseId !== claim.leaseId)
    throw leaseConflict("this lease is not alive: acquire a new one");
  return live;
}

/** Gives a new lease and raises the fence. Throws LEASE_CONFLICT while one is alive, whoever asks, and in standard mode. */
export function acquireLease(
  write: Write,
  highWater: HighWater,
  row: CoordinationRow,
  credentialId: string,
  ttlMs: number,
): CoordinationRow {
  if (row.policy === "standard") {
    throw reasoned("conflict", "LEASE_CONFLICT", "coordination is not enabled for this document", {
      policy: row.policy,
    });
  }
  const now = highWater.now();
  if (liveLease(row, now)) throw leaseConflict("another lease is alive");
  return putLease(write, highWater, {
    ...row,
    fence: row.fence + 1,
    leaseId: write.newId(),
    leaseCredential: credentialId,
    leaseExpiresAt: now + ttlMs,
    leaseTtlMs: ttlMs,
  });
}

/** Moves the expiry; the fence stays. */
export function renewLease(
  write: Write,
  highWater: HighWater,
  row: CoordinationRow,
  claim: LeaseClaim,
  ttlMs: number | undefined,
): CoordinationRow {
  const now = highWater.now();
  const live = requireLease(row, claim, now);
  const ttl = ttlMs ?? live.ttlMs;
  return putLease(write, highWater, { ...row, leaseExpiresAt: now + ttl, leaseTtlMs: ttl });
}

/** Ends the lease; the fence stays. */
export function releaseLease(
  write: Write,
  highWater: HighWater,
  row: CoordinationRow,
  claim: LeaseClaim,
): CoordinationRow {
  requireLease(row, claim, highWater.now());
  return endLease(write, highWater, row);
}

/** Forgets the lease, alive or dead. */
export function endLease(write: Write, highWater: HighWater, row: CoordinationRow): CoordinationRow {
  return putLease(write, highWater, {
    ...row,
    leaseId: null,
    leaseCredential: null,
    leaseExpiresAt: null,
    leaseTtlMs: null,
  });
}

export function leaseConflict(message: string): Error {
  return reasoned("conflict", "LEASE_CONFLICT", message);
}

/** The mark is stored with every write of a lease: a restart cannot go back behind what this one depended on. */
function putLease(write: Write, highWater: HighWater, row: CoordinationRow): CoordinationRow {
  putCoordination(write, row);
  highWater.mark(write);
  return row;
}
